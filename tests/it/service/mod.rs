mod house;
mod portal;

mod calls;
mod bots;
mod pool;
