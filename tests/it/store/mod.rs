//! The promises of stores, and those of each kind of store.

mod contract;
mod crash;
mod embedded;
#[cfg(target_os = "linux")]
mod full;
mod games;
mod redis;
pub(crate) mod servers;
mod victim;
