#![no_main]

use boardkeeper_fuzz::{legality, rules::quantum::Quantum};

libfuzzer_sys::fuzz_target!(|data: &[u8]| legality::<Quantum>(data));
