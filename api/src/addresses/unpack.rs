//! Decodes the packed address data.

use std::io::Read;

use super::book::{AddressBook, Row};

const MAGIC: &[u8] = b"JBADDR1\n";
/// Size of a read in bytes.
const PIECE: usize = 1 << 16;
/// Maximum size of the unpacked data in bytes.
const PLAIN_MOST: u64 = 64 << 20;

/// The packed data is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the packed addresses are broken: {0}")]
pub struct BadData(&'static str);

/// Unpacks and decodes the data.
pub(super) fn unpack(packed: &[u8]) -> Result<AddressBook, BadData> {
    let mut plain = Vec::new();
    brotli_decompressor::Decompressor::new(packed, PIECE)
        .take(PLAIN_MOST)
        .read_to_end(&mut plain)
        .map_err(|_| BadData("not compressed"))?;
    read(&plain)
}

/// Decodes the uncompressed form.
pub(super) fn read(plain: &[u8]) -> Result<AddressBook, BadData> {
    let mut reader = Reader(plain);
    if reader.bytes(MAGIC.len())? != MAGIC {
        return Err(BadData("not addresses"));
    }
    let mut book = AddressBook::default();
    for _ in 0..reader.number()? {
        let region = book.region(reader.text()?, reader.text()?);
        let mut places = Vec::new();
        for _ in 0..reader.number()? {
            places.push(book.place(reader.text()?));
        }
        let mut road: Vec<u8> = Vec::new();
        let mut postcode = 0_i64;
        for _ in 0..reader.number()? {
            let same = reader.length()?;
            road.truncate(same);
            let rest = reader.length()?;
            road.extend_from_slice(reader.bytes(rest)?);
            let name = std::str::from_utf8(&road).map_err(|_| BadData("a road's name"))?;
            postcode = reader
                .signed()?
                .checked_add(postcode)
                .ok_or(BadData("a postcode"))?;
            let place = places.get(reader.length()?).copied();
            let count = reader.number()?;
            let length = reader.length()?;
            let row = Row {
                region,
                road: book.road(name),
                place: place.ok_or(BadData("a place"))?,
                postcode: u32::try_from(postcode).map_err(|_| BadData("a postcode"))?,
                count,
                buildings: book.buildings(reader.bytes(length)?),
            };
            book.add(row);
        }
    }
    book.index();
    Ok(book)
}

/// Reads consecutive integers and texts.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a>(pub(super) &'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, length: usize) -> Result<&'a [u8], BadData> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(BadData("cut off"))?;
        self.0 = rest;
        Ok(bytes)
    }

    /// A LEB128 integer.
    pub(super) fn number(&mut self) -> Result<u32, BadData> {
        let mut number = 0_u32;
        for shift in [0_u32, 7, 14, 21, 28] {
            let byte = *self.bytes(1)?.first().ok_or(BadData("cut off"))?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err(BadData("an integer"))
    }

    fn length(&mut self) -> Result<usize, BadData> {
        usize::try_from(self.number()?).map_err(|_| BadData("a length"))
    }

    fn signed(&mut self) -> Result<i64, BadData> {
        let number = i64::from(self.number()?);
        let half = number >> 1;
        Ok(if number & 1 == 0 { half } else { -half - 1 })
    }

    fn text(&mut self) -> Result<&'a str, BadData> {
        let length = self.length()?;
        std::str::from_utf8(self.bytes(length)?).map_err(|_| BadData("a text"))
    }
}
