//! How a coupon code is written: sixteen characters in groups of four, without those that look alike.
//!
//! Four characters name the batch, three the number within it, eight are the proof that the shop made it (40 bits of a keyed hash, which
//! the caller computes), and the last is a check character. It is computed over the field with 32 elements, so every single wrong
//! character and every two that are swapped are noticed without asking whether such a code exists.

use std::iter;

use crate::ids::{CodeBatchId, derived_id};

/// Digits and capital letters without 0, 1, I and O. They are printed on paper, so their order may not change.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
/// Bits of a character.
const BITS: u32 = 5;
/// Characters that name the batch.
const HANDLE: u32 = 4;
/// Characters of the number.
const NUMBER: u32 = 3;
/// Characters of the proof.
const PROOF: u32 = 8;
/// Characters of a code with its check character.
const LENGTH: usize = 16;
/// Characters of a group.
const GROUP: usize = 4;

/// The first characters of all codes of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CodeHandle(u32);

/// A coupon code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CouponCode {
    /// Its batch.
    pub handle: CodeHandle,
    /// Its number within the batch, from 1.
    pub number: u32,
    /// Proof that the shop made it: 40 bits.
    pub proof: u64,
}

impl CodeHandle {
    /// A handle of random bits; those that do not fit are left out.
    pub const fn of_random(bits: u32) -> Self {
        Self(bits & ((1 << (HANDLE * BITS)) - 1))
    }

    /// Reads a handle as it is stored.
    pub fn parse(text: &str) -> Option<Self> {
        let values: Vec<u8> = text.bytes().map(value_of).collect::<Option<_>>()?;
        let fits = u32::try_from(values.len()) == Ok(HANDLE);
        let bits = number_of(&values);
        fits.then_some(u32::try_from(bits).ok()?).map(Self)
    }

    /// The handle as it is stored and printed.
    pub fn text(self) -> String {
        characters(u64::from(self.0), HANDLE)
            .map(character)
            .collect()
    }

    /// The batch with this handle. It is in the log, so it may not change.
    pub fn batch(self) -> CodeBatchId {
        CodeBatchId(derived_id(&format!("coupon codes {}", self.text())))
    }
}

impl CouponCode {
    /// The proof that the first bytes of a keyed hash give.
    pub fn proof_of(hash: [u8; 32]) -> u64 {
        let first = hash.first_chunk::<5>().copied().unwrap_or_default();
        first
            .iter()
            .fold(0, |proof, byte| (proof << 8) | u64::from(*byte))
    }

    /// The code as it is printed.
    pub fn text(&self) -> String {
        let values: Vec<u8> = characters(u64::from(self.handle.0), HANDLE)
            .chain(characters(u64::from(self.number), NUMBER))
            .chain(characters(self.proof, PROOF))
            .collect();
        let check = times_x(remainder(&values));
        let written: Vec<char> = values
            .into_iter()
            .chain(iter::once(check))
            .map(character)
            .collect();
        let groups = written.chunks(GROUP);
        let groups = groups.map(|group| group.iter().collect::<String>());
        groups.collect::<Vec<_>>().join("-")
    }

    /// Reads a code as people type it: small letters, spaces and dashes do not matter. None for one that no shop can have made: another
    /// length, a character that is not used, or a wrong check character.
    pub fn parse(text: &str) -> Option<Self> {
        let typed = text
            .chars()
            .filter(|one| !one.is_whitespace() && *one != '-');
        let values: Vec<u8> = typed
            .map(|one| value_of(u8::try_from(one.to_ascii_uppercase()).ok()?))
            .collect::<Option<_>>()?;
        if values.len() != LENGTH || remainder(&values) != 0 {
            return None;
        }
        let (handle, rest) = values.split_at_checked(usize::try_from(HANDLE).ok()?)?;
        let (number, rest) = rest.split_at_checked(usize::try_from(NUMBER).ok()?)?;
        let (proof, _) = rest.split_at_checked(usize::try_from(PROOF).ok()?)?;
        Some(Self {
            handle: CodeHandle(u32::try_from(number_of(handle)).ok()?),
            number: u32::try_from(number_of(number)).ok()?,
            proof: number_of(proof),
        })
    }
}

/// The `count` characters of a number, the most significant first, as values 0-31.
fn characters(number: u64, count: u32) -> impl Iterator<Item = u8> {
    (0..count).rev().map(move |place| {
        let shifted = number.checked_shr(place * BITS).unwrap_or_default();
        u8::try_from(shifted & 31).unwrap_or_default()
    })
}

fn number_of(values: &[u8]) -> u64 {
    let shifted = |number: u64, value: &u8| (number << BITS) | u64::from(*value);
    values.iter().fold(0, shifted)
}

fn character(value: u8) -> char {
    let found = ALPHABET.get(usize::from(value)).copied();
    char::from(found.unwrap_or_default())
}

fn value_of(character: u8) -> Option<u8> {
    let place = ALPHABET.iter().position(|known| *known == character)?;
    u8::try_from(place).ok()
}

/// The product with x in the field of 32 elements: polynomials over two elements, modulo x^5 + x^2 + 1.
const fn times_x(value: u8) -> u8 {
    let doubled = value << 1;
    match doubled & 32 {
        0 => doubled,
        _ => doubled ^ 0b10_0101,
    }
}

/// The values as a polynomial at x: zero for a code with its check character.
fn remainder(values: &[u8]) -> u8 {
    values
        .iter()
        .fold(0, |sum, value| times_x(sum) ^ (value & 31))
}
