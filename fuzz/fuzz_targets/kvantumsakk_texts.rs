#![no_main]

use boardkeeper_fuzz::{texts, rules::kvantumsakk::Kvantumsakk};

libfuzzer_sys::fuzz_target!(|data: &[u8]| texts::<Kvantumsakk>(data));
