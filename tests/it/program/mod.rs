mod analyse;
mod arena;
mod boards;
mod demo;
mod perft;
mod play;
mod terminal;
mod watch;
