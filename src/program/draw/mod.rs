//! Draws any board in the terminal, from its geometry and what stands on it alone: no rule and no
//! game is known here.

mod canvas;
mod caption;
mod labels;
mod layout;
mod marks;
mod medium;
mod palette;
mod picture;
mod symbol;
mod tints;
mod tracks;

pub(super) use caption::{caption, heading, move_sentence, outcome_sentence, side_name};
pub(super) use marks::Marks;
pub(super) use medium::{Colouring, Medium};
pub(super) use palette::{ALERT, FAINT};
pub(super) use picture::picture;
