//! Deterministic random numbers, so that every demonstration has the same data.

/// A splitmix64 generator.
pub(crate) struct SeededRng(u64);

impl SeededRng {
    /// The same numbers for the same seed.
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number in `0..end`; 0 if `end` is 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)).checked_rem(end).unwrap_or_default()
    }

    /// An index of a list of this length.
    pub(crate) fn index(&mut self, length: usize) -> usize {
        let end = u64::try_from(length).unwrap_or(u64::MAX);
        usize::try_from(self.below(end)).unwrap_or_default()
    }

    /// One of the items; the default if there are none.
    pub(crate) fn pick<T: Copy + Default>(&mut self, items: &[T]) -> T {
        let index = self.index(items.len());
        items.get(index).copied().unwrap_or_default()
    }
}
