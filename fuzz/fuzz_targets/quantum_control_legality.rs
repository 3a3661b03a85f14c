#![no_main]

use boardkeeper_fuzz::{legality, rules::quantum_control::QuantumControl};

libfuzzer_sys::fuzz_target!(|data: &[u8]| legality::<QuantumControl>(data));
