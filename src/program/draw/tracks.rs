use super::{
    canvas::{Canvas, Place},
    layout::{Layout, RING},
    palette::{self, Colour},
};
use crate::api::proto::{Board, Circuit};

/// Draws a board of lines: one between every two neighbours of a row or a column, and the circuits
/// with their arcs, each in a colour of its own.
pub(super) fn draw(canvas: &mut Canvas, board: &Board, layout: &Layout) {
    grid(canvas, board, layout);
    let mut circuits: Vec<&Circuit> = board.circuits.iter().collect();
    circuits.sort_by_key(|circuit| span(circuit, layout));
    let inks = palette::TRACKS.into_iter().cycle();
    for (ring, (circuit, ink)) in circuits.into_iter().zip(inks).enumerate() {
        track(canvas, circuit, layout, ring + 1, ink);
    }
}

fn grid(canvas: &mut Canvas, board: &Board, layout: &Layout) {
    for point in &board.points {
        let Some(from) = layout.place(&point.name) else { continue };
        for to in point.neighbours.iter().filter_map(|name| layout.place(name)) {
            if from < to && in_line(from, to) {
                canvas.stroke(from, to, palette::LINE);
            }
        }
    }
}

fn in_line(a: Place, b: Place) -> bool {
    a.0 == b.0 || a.1 == b.1
}

/// How far apart the ends of a circuit's arcs are: the smallest circuit lies innermost.
fn span(circuit: &Circuit, layout: &Layout) -> usize {
    let arcs = legs(circuit, layout).filter(|leg| leg.is_arc);
    arcs.map(|leg| leg.from.0.abs_diff(leg.to.0)).max().unwrap_or_default()
}

/// From one point of a circuit to the next, with the points before and after.
struct Leg {
    before: Place,
    from: Place,
    to: Place,
    after: Place,
    is_arc: bool,
}

fn legs<'a>(circuit: &'a Circuit, layout: &'a Layout) -> impl Iterator<Item = Leg> + 'a {
    let steps = &circuit.steps;
    let at = move |i: usize| layout.place(&steps[i % steps.len()].point);
    (0..steps.len()).filter_map(move |i| {
        Some(Leg {
            before: at(i + steps.len() - 1)?,
            from: at(i)?,
            to: at(i + 1)?,
            after: at(i + 2)?,
            is_arc: !steps[i].arc_after.is_empty(),
        })
    })
}

fn track(canvas: &mut Canvas, circuit: &Circuit, layout: &Layout, ring: usize, ink: Colour) {
    for leg in legs(circuit, layout) {
        if leg.is_arc {
            arc(canvas, &leg, ring, ink);
        } else if in_line(leg.from, leg.to) {
            canvas.stroke(leg.from, leg.to, ink);
        }
    }
}

/// An arc goes on outwards from its first point, turns twice at the ring, and comes in to its
/// second point, as the points before and after say.
fn arc(canvas: &mut Canvas, leg: &Leg, ring: usize, ink: Colour) {
    let out = beyond(leg.before, leg.from, ring);
    let back = beyond(leg.after, leg.to, ring);
    let corner = if out.1 == leg.from.1 { (out.0, back.1) } else { (back.0, out.1) };
    for (from, to) in [(leg.from, out), (out, corner), (corner, back), (back, leg.to)] {
        canvas.stroke(from, to, ink);
    }
}

/// The place on the ring that lies straight on from `inner` over `edge`.
fn beyond(inner: Place, edge: Place, ring: usize) -> Place {
    (straight_on(inner.0, edge.0, ring * RING), straight_on(inner.1, edge.1, ring))
}

fn straight_on(inner: usize, edge: usize, by: usize) -> usize {
    match inner.cmp(&edge) {
        std::cmp::Ordering::Less => edge + by,
        std::cmp::Ordering::Equal => edge,
        std::cmp::Ordering::Greater => edge.saturating_sub(by),
    }
}
