//! In-memory address index: rows of a road with its buildings, and an index of all their words.
//!
//! A search starts from its rarest word; the rows with that word are few enough to be scanned.

use std::collections::HashMap;
use std::ops::Range;

use super::unpack::Reader;
use super::wording::Wording;

/// Maximum number of rows scanned for a search; a search with more candidates is too unspecific.
const ROWS_MOST: usize = 20_000;

/// All addresses.
#[derive(Debug, Default)]
pub struct AddressBook {
    texts: Vec<String>,
    known: HashMap<String, u32>,
    regions: Vec<Region>,
    rows: Vec<Row>,
    buildings: Vec<u8>,
    /// All words of all rows, sorted, with the range of their rows in `found_at`.
    words: Vec<(u32, Range<u32>)>,
    found_at: Vec<u32>,
    /// Postcodes with their rows, sorted.
    by_postcode: Vec<(u32, u32)>,
}

#[derive(Clone, Copy, Debug)]
struct Region {
    province: u32,
    district: u32,
}

/// Buildings of one road with the same postcode and place.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub region: u32,
    pub road: u32,
    pub place: u32,
    pub postcode: u32,
    pub count: u32,
    pub buildings: Range<u32>,
}

/// One address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Postcode, five digits.
    pub postcode: String,
    /// Province, district, road and number.
    pub address: String,
    /// The place by its old name: 동 or 리.
    pub place: String,
}

/// A page of the addresses found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hits {
    /// Number of addresses found.
    pub total: u64,
    /// The addresses of the page.
    pub hits: Vec<Hit>,
}

fn at(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

fn place_of(index: u32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// Building the index.
impl AddressBook {
    fn keep(&mut self, text: &str) -> u32 {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        let index = at(self.texts.len());
        self.texts.push(text.to_owned());
        self.known.insert(text.to_owned(), index);
        index
    }

    pub(super) fn region(&mut self, province: &str, district: &str) -> u32 {
        let region = Region {
            province: self.keep(province),
            district: self.keep(district),
        };
        self.regions.push(region);
        at(self.regions.len() - 1)
    }

    pub(super) fn place(&mut self, name: &str) -> u32 {
        self.keep(name)
    }

    pub(super) fn road(&mut self, name: &str) -> u32 {
        self.keep(name)
    }

    pub(super) fn buildings(&mut self, packed: &[u8]) -> Range<u32> {
        let start = at(self.buildings.len());
        self.buildings.extend_from_slice(packed);
        start..at(self.buildings.len())
    }

    pub(super) fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Builds the word index; called after all rows are added.
    pub(super) fn index(&mut self) {
        let words_of: Vec<Vec<u32>> = (0..self.texts.len())
            .map(|text| {
                let whole = self.text(at(text)).to_owned();
                whole
                    .split_whitespace()
                    .map(|word| self.keep(word))
                    .collect()
            })
            .collect();
        let mut rows_of: Vec<Vec<u32>> = vec![Vec::new(); self.texts.len()];
        for (number, row) in (0..).zip(&self.rows) {
            for text in self.texts_of(row) {
                for word in words_of.get(place_of(text)).into_iter().flatten() {
                    match rows_of.get_mut(place_of(*word)) {
                        Some(rows) if rows.last() != Some(&number) => rows.push(number),
                        _ => {}
                    }
                }
            }
        }
        for (word, rows) in (0..).zip(&rows_of) {
            let start = at(self.found_at.len());
            self.found_at.extend(rows);
            if !rows.is_empty() {
                self.words.push((word, start..at(self.found_at.len())));
            }
        }
        let mut words = std::mem::take(&mut self.words);
        words.sort_by(|one, other| self.text(one.0).cmp(self.text(other.0)));
        self.words = words;
        let postcodes = self.rows.iter().map(|row| row.postcode);
        self.by_postcode = postcodes.zip(0..).collect();
        self.by_postcode.sort_unstable();
        self.known = HashMap::new();
        self.texts.shrink_to_fit();
        self.buildings.shrink_to_fit();
    }

    /// Province, district, road and place.
    fn texts_of(&self, row: &Row) -> impl Iterator<Item = u32> {
        let region = self.regions.get(place_of(row.region));
        region
            .into_iter()
            .flat_map(|region| [region.province, region.district])
            .chain([row.road, row.place])
    }

    fn text(&self, index: u32) -> &str {
        self.texts.get(place_of(index)).map_or("", String::as_str)
    }
}

/// Searching.
impl AddressBook {
    /// Number of addresses.
    pub fn total(&self) -> u64 {
        self.rows.iter().map(|row| u64::from(row.count)).sum()
    }

    /// The addresses that have a word with each typed prefix, and the number if one was typed. Whole-word matches come before prefix
    /// matches.
    pub fn search(&self, typed: &str, skip: u64, limit: usize) -> Hits {
        let wording = Wording::of(typed);
        let mut page = Page {
            skip,
            limit,
            hits: Hits::default(),
        };
        for row in self.candidates(&wording) {
            let fits = wording.words.iter().all(|word| self.has(row, word))
                && wording.postcode.is_none_or(|wanted| wanted == row.postcode);
            if !fits {
                continue;
            }
            match wording.number {
                None if page.passes(row.count) => {}
                None => {
                    for (main, second) in self.numbers(row) {
                        page.take(|| self.hit(row, main, second));
                    }
                }
                Some(wanted) => {
                    for (main, second) in self.numbers(row) {
                        if wanted.fits(main, second) {
                            page.take(|| self.hit(row, main, second));
                        }
                    }
                }
            }
        }
        page.hits
    }

    /// The rows of the rarest word, whole-word matches first; or the rows of the postcode.
    fn candidates(&self, wording: &Wording) -> Vec<&Row> {
        let rarest = wording
            .words
            .iter()
            .map(|word| {
                let found = self.beginning_with(word);
                let rows: usize = found.iter().map(|(_, rows)| rows.len()).sum();
                (rows, word, found)
            })
            .min_by_key(|(rows, _, _)| *rows);
        let mut rows: Vec<u32> = match (rarest, wording.postcode) {
            (Some((_, word, found)), _) => {
                let (whole, begun): (Vec<_>, Vec<_>) = found
                    .iter()
                    .partition(|(text, _)| self.text(*text) == word.as_str());
                let each = |found: &(u32, Range<u32>)| {
                    let range = place_of(found.1.start)..place_of(found.1.end);
                    self.found_at.get(range).unwrap_or_default().to_vec()
                };
                let whole = whole.into_iter().flat_map(each);
                let begun = begun.into_iter().flat_map(each);
                whole.chain(begun).take(ROWS_MOST).collect()
            }
            (None, Some(postcode)) => {
                let start = self.by_postcode.partition_point(|row| row.0 < postcode);
                let from = self.by_postcode.get(start..).unwrap_or_default();
                let same = from.iter().take_while(|row| row.0 == postcode);
                same.map(|row| row.1).collect()
            }
            (None, None) => Vec::new(),
        };
        // A row may have two words with the same prefix.
        let mut seen = std::collections::HashSet::with_capacity(rows.len());
        rows.retain(|row| seen.insert(*row));
        rows.iter()
            .filter_map(|row| self.rows.get(place_of(*row)))
            .collect()
    }

    /// The words with this prefix.
    fn beginning_with(&self, letters: &str) -> &[(u32, Range<u32>)] {
        let start = self
            .words
            .partition_point(|(word, _)| self.text(*word) < letters);
        let from = self.words.get(start..).unwrap_or_default();
        let end = from.partition_point(|(word, _)| self.text(*word).starts_with(letters));
        from.get(..end).unwrap_or_default()
    }

    fn has(&self, row: &Row, word: &str) -> bool {
        self.texts_of(row)
            .map(|text| self.text(text))
            .any(|text| text.split(' ').any(|own| own.starts_with(word)))
    }

    fn numbers(&self, row: &Row) -> impl Iterator<Item = (u32, u32)> {
        let range = place_of(row.buildings.start)..place_of(row.buildings.end);
        let mut reader = Reader(self.buildings.get(range).unwrap_or_default());
        let (mut main, mut second) = (0_u32, 0_u32);
        (0..row.count).map_while(move |_| {
            let code = reader.number().ok()?;
            main = main.saturating_add(code / 2);
            second = match code {
                0 => second.saturating_add(reader.number().ok()?),
                code if code % 2 == 1 => reader.number().ok()?,
                _ => 0,
            };
            Some((main, second))
        })
    }

    /// In rural areas, the town is put before the road: 설악면 신선봉로.
    fn hit(&self, row: &Row, main: u32, second: u32) -> Hit {
        let place = self.text(row.place);
        let (town, place) = match place.split_once(' ') {
            Some((town, rest)) if is_town(town) => (Some(town), rest),
            None if is_town(place) => (Some(place), ""),
            _ => (None, place),
        };
        let number = match second {
            0 => main.to_string(),
            second => format!("{main}-{second}"),
        };
        let region = self.regions.get(place_of(row.region));
        let parts = region
            .into_iter()
            .flat_map(|region| [self.text(region.province), self.text(region.district)])
            .chain(town)
            .chain([self.text(row.road), &number]);
        let address: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        Hit {
            postcode: format!("{:05}", row.postcode),
            address: address.join(" "),
            place: place.to_owned(),
        }
    }
}

fn is_town(word: &str) -> bool {
    word.ends_with('읍') || word.ends_with('면')
}

/// The page being collected.
struct Page {
    skip: u64,
    limit: usize,
    hits: Hits,
}

impl Page {
    /// Counts addresses that are all before or after the page; false if some are in it.
    fn passes(&mut self, count: u32) -> bool {
        let after = self.hits.total.saturating_add(u64::from(count));
        let outside = after <= self.skip || self.hits.hits.len() >= self.limit;
        if outside {
            self.hits.total = after;
        }
        outside
    }

    fn take(&mut self, hit: impl FnOnce() -> Hit) {
        if self.hits.total >= self.skip && self.hits.hits.len() < self.limit {
            self.hits.hits.push(hit());
        }
        self.hits.total = self.hits.total.saturating_add(1);
    }
}
