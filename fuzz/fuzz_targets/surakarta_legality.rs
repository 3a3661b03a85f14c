#![no_main]

use boardkeeper_fuzz::{legality, rules::surakarta::Surakarta};

libfuzzer_sys::fuzz_target!(|data: &[u8]| legality::<Surakarta>(data));
