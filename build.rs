//! Compiles the protocol in pure Rust: no `protoc` on the machine.

use std::{env, error::Error, fs, path::PathBuf};

/// Every file of the protocol, as `import` statements name them.
const FILES: [&str; 1] = ["boardkeeper/v1/game_service.proto"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=proto");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut compiler = protox::Compiler::new(["proto"])?;
    compiler
        .include_imports(true) // reflection serves the well-known types too
        .include_source_info(true) // comments become rustdoc
        .open_files(FILES)?;
    // `compile_fds` ignores `file_descriptor_set_path`: write the set here.
    fs::write(out.join("boardkeeper.v1.bin"), compiler.encode_file_descriptor_set())?;
    tonic_prost_build::configure().compile_fds(compiler.file_descriptor_set())?;
    Ok(())
}
