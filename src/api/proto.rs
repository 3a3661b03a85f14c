//! The generated messages, client and server of `boardkeeper.v1`.

#![allow(missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]

tonic::include_proto!("boardkeeper.v1");

/// The descriptors of all files, for reflection.
pub const DESCRIPTORS: &[u8] = tonic::include_file_descriptor_set!("boardkeeper.v1");
