/// A table of hash keys, one an index, made at compile time by SplitMix64 (Steele, Lea, Flood:
/// "Fast splittable pseudorandom number generators", OOPSLA 2014).
pub(crate) const fn keys<const N: usize>(seed: u64) -> [u64; N] {
    let mut table = [0; N];
    let mut state = seed;
    let mut i = 0;
    while i < N {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        table[i] = mix(state);
        i += 1;
    }
    table
}

/// The finaliser of SplitMix64: spreads every bit of `x` over the whole word.
pub(crate) const fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}
