#![no_main]

use boardkeeper_fuzz::{texts, rules::surakarta::Surakarta};

libfuzzer_sys::fuzz_target!(|data: &[u8]| texts::<Surakarta>(data));
