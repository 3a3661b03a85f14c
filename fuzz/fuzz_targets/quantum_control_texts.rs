#![no_main]

use boardkeeper_fuzz::{texts, rules::quantum_control::QuantumControl};

libfuzzer_sys::fuzz_target!(|data: &[u8]| texts::<QuantumControl>(data));
