//! Several servers over one Redis: one truth, whichever of them is asked, whatever goes wrong.

mod row;

mod commands;
mod faults;
mod life;
mod loss;
mod races;
mod recovery;
mod streams;
