//! Counts the products found by category.

use std::collections::BTreeMap;

use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::StrColumn;
use tantivy::{DocId, Score, SegmentOrdinal, SegmentReader};

use super::fields::column;

/// The collector: category code to number of products.
pub struct CategoryCounts;

/// The counts of one segment, by the number a code has in it.
pub struct SegmentCounts {
    codes: Option<StrColumn>,
    counts: Vec<u64>,
}

impl Collector for CategoryCounts {
    type Fruit = BTreeMap<String, u64>;
    type Child = SegmentCounts;

    fn for_segment(
        &self,
        _: SegmentOrdinal,
        segment: &SegmentReader,
    ) -> tantivy::Result<SegmentCounts> {
        let codes = segment.fast_fields().str(column::CATEGORIES)?;
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
