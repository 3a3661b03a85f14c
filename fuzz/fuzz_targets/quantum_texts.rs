#![no_main]

use boardkeeper_fuzz::{texts, rules::quantum::Quantum};

libfuzzer_sys::fuzz_target!(|data: &[u8]| texts::<Quantum>(data));
