use super::palette::{self, Colour};

/// Points that something more is to be said of, by name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks {
    /// Of the last move.
    pub(crate) last: Vec<String>,
    /// That the player has selected.
    pub(crate) selected: Vec<String>,
    /// That can be selected next.
    pub(crate) targets: Vec<String>,
    /// Of a move that is not yet sent.
    pub(crate) pending: Vec<String>,
}

/// What is to be said of a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mark {
    Last,
    Selected,
    Target,
    Pending,
}

impl Marks {
    /// What matters most of this point.
    pub(super) fn of(&self, point: &str) -> Option<Mark> {
        let lists = [
            (&self.pending, Mark::Pending),
            (&self.selected, Mark::Selected),
            (&self.targets, Mark::Target),
            (&self.last, Mark::Last),
        ];
        lists
            .into_iter()
            .find(|(points, _)| points.iter().any(|marked| marked == point))
            .map(|(_, mark)| mark)
    }
}

impl Mark {
    /// The ground of a marked point.
    pub(super) fn ground(self) -> Colour {
        match self {
            Mark::Last => palette::LAST,
            Mark::Selected => palette::SELECTED,
            Mark::Target => palette::TARGET,
            Mark::Pending => palette::PENDING,
        }
    }

    /// The signs around a marked point where there is no colour.
    pub(super) fn brackets(self) -> [&'static str; 2] {
        match self {
            Mark::Last => ["(", ")"],
            Mark::Selected => ["[", "]"],
            Mark::Target => ["<", ">"],
            Mark::Pending => ["{", "}"],
        }
    }
}
