#![no_main]

use boardkeeper_fuzz::{legality, rules::kvantumsakk::Kvantumsakk};

libfuzzer_sys::fuzz_target!(|data: &[u8]| legality::<Kvantumsakk>(data));
