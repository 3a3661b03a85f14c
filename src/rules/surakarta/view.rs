use super::{
    Surakarta,
    board::Square,
    moves::Move,
    route::{Corner, Route},
    travel::Travel,
};
use crate::rules::{Action, MoveView, Point, Taken};

impl Surakarta {
    /// The captures of this pair of points, each route once as its shorter way, the canonical one
    /// first: the one of fewest steps, then the first in byte order.
    pub(super) fn ways(&self, from: Square, to: Square) -> Vec<(Route, Travel)> {
        let mut ways: Vec<(Route, Travel)> = Travel::all_from(from, self.occupied())
            .filter(|travel| travel.to() == to)
            .filter_map(|travel| Some((travel.route()?, travel)))
            .collect();
        ways.sort_by_key(|&(route, travel)| (route, travel.steps));
        ways.dedup_by_key(|&mut (route, _)| route);
        ways.sort_by_key(|&(_, travel)| travel.steps);
        ways
    }

    /// A legal move with all that a portal shows of it.
    pub(super) fn view(&self, mv: Move) -> MoveView {
        let points = vec![mv.from().name(), mv.to().name()];
        match mv.route() {
            None => MoveView::plain(mv.to_string(), Action::Step, points, 1),
            Some(route) => MoveView {
                captures: vec![self.taken(mv.to())],
                arcs: route.corners().iter().copied().map(Corner::name).collect(),
                route: self.route_points(mv, route),
                other_texts: self.other_texts(mv),
                ..MoveView::plain(mv.to_string(), Action::Capture, points, 1)
            },
        }
    }

    fn taken(&self, point: Square) -> Taken {
        let owner = !self.side;
        Taken { point: point.name(), owner, count: 1, pieces: owner.letter().to_string() }
    }

    fn route_points(&self, mv: Move, route: Route) -> Vec<Point> {
        let ways = self.ways(mv.from(), mv.to());
        let travelled = ways.into_iter().find(|&(way, _)| way == route);
        travelled.into_iter().flat_map(|(_, travel)| travel.points()).map(Square::name).collect()
    }

    fn other_texts(&self, mv: Move) -> Vec<String> {
        let (from, to) = (mv.from(), mv.to());
        let ways = self.ways(from, to).into_iter().map(|(route, _)| Move::capture(from, to, route));
        let mut texts: Vec<String> = ways.filter(|&way| way != mv).map(|way| way.to_string()).collect();
        texts.sort_unstable();
        texts
    }
}
