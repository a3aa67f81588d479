//! Facets: products counted by code, and the range of their prices.

use std::collections::BTreeMap;

use domain::Amount;
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, StrColumn};
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use super::schema::column;
use crate::PriceRange;

/// Counts products by the codes in a column.
pub struct CodeCounts(pub &'static str);

/// The counts of one segment, by the segment's ordinal of a code.
pub struct SegmentCounts {
    codes: Option<StrColumn>,
    counts: Vec<u64>,
}

impl Collector for CodeCounts {
    type Fruit = BTreeMap<String, u64>;
    type Child = SegmentCounts;

    fn for_segment(
        &self,
        _: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<SegmentCounts> {
        let codes = segment.fast_fields().str(self.0)?;
        let size = codes.as_ref().map_or(0, |codes| codes.num_terms());
        Ok(SegmentCounts {
            codes,
            counts: vec![0; size],
        })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(
        &self,
        segments: Vec<tantivy::Result<Self::Fruit>>,
    ) -> tantivy::Result<Self::Fruit> {
        let mut sums = BTreeMap::new();
        for segment in segments {
            for (code, count) in segment? {
                let sum: &mut u64 = sums.entry(code).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        Ok(sums)
    }
}

impl SegmentCollector for SegmentCounts {
    type Fruit = tantivy::Result<BTreeMap<String, u64>>;

    fn collect(&mut self, doc: DocId, _: Score) {
        let Some(codes) = &self.codes else { return };
        for code in codes.term_ords(doc) {
            let count = usize::try_from(code)
                .ok()
                .and_then(|at| self.counts.get_mut(at));
            if let Some(count) = count {
                *count = count.saturating_add(1);
            }
        }
    }

    fn harvest(self) -> Self::Fruit {
        let mut by_code = BTreeMap::new();
        let Some(codes) = self.codes else {
            return Ok(by_code);
        };
        for (number, count) in (0..).zip(self.counts).filter(|(_, count)| *count > 0) {
            let mut code = String::new();
            if codes.ord_to_str(number, &mut code)? {
                by_code.insert(code, count);
            }
        }
        Ok(by_code)
    }
}

/// Finds the lowest and the highest sale price.
pub struct PriceEnds;

/// The lowest and highest price of one segment, in hundredths.
pub struct SegmentEnds {
    prices: Option<Column<i64>>,
    ends: Option<(i64, i64)>,
}

impl Collector for PriceEnds {
    type Fruit = PriceRange;
    type Child = SegmentEnds;

    fn for_segment(
        &self,
        _: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<SegmentEnds> {
        let prices = segment.fast_fields().column_opt(column::SALE_PRICE)?;
        Ok(SegmentEnds { prices, ends: None })
    }

    fn requires_scoring(&self) -> bool {
        false
    }

    fn merge_fruits(&self, segments: Vec<Option<(i64, i64)>>) -> tantivy::Result<PriceRange> {
        let ends = segments.into_iter().flatten();
        let ends = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        Ok(PriceRange {
            from: ends.map(|(lowest, _)| Amount::new(lowest)),
            to: ends.map(|(_, highest)| Amount::new(highest)),
        })
    }
}

impl SegmentCollector for SegmentEnds {
    type Fruit = Option<(i64, i64)>;

    fn collect(&mut self, doc: DocId, _: Score) {
        let price = self.prices.as_ref().and_then(|prices| prices.first(doc));
        if let Some(price) = price {
            let (lowest, highest) = self.ends.unwrap_or((price, price));
            self.ends = Some((lowest.min(price), highest.max(price)));
        }
    }

    fn harvest(self) -> Self::Fruit {
        self.ends
    }
}
