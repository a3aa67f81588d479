//! Chance that falls the same way every time: two demonstrations tell the same stories.

/// A small generator of numbers that look like chance (splitmix64).
pub(super) struct Dice(u64);

impl Dice {
    /// The same numbers for the same seed.
    pub(super) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number from 0 up to but without `end`; 0 for 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)).checked_rem(end).unwrap_or_default()
    }

    /// A place in a list of `length`.
    pub(super) fn place(&mut self, length: usize) -> usize {
        let end = u64::try_from(length).unwrap_or(u64::MAX);
        usize::try_from(self.below(end)).unwrap_or_default()
    }

    /// One of them; of nothing, nothing.
    pub(super) fn pick<T: Copy + Default>(&mut self, from: &[T]) -> T {
        let place = self.place(from.len());
        from.get(place).copied().unwrap_or_default()
    }
}
