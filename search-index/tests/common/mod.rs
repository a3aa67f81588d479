//! What the tests of this crate share: the goods, and reading tables.

use domain::Amount;
use search_index::ProductDocument;
use uuid::Uuid;

/// The lines of a table: without comments, blank lines and its heading; the cells trimmed.
pub fn table(text: &'static str) -> Vec<Vec<&'static str>> {
    let lines = text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    lines
        .skip(1)
        .map(|line| line.split('|').map(str::trim).collect())
        .collect()
}

/// A product nobody would notice, to start from.
pub fn plain(number: u32, name: &str) -> ProductDocument {
    ProductDocument {
        id: Uuid::from_u128(number.into()),
        code: format!("GOODS-{number}"),
        name: name.into(),
        keywords: vec![],
        brand: None,
        seller_id: None,
        seller_name: None,
        categories: vec![],
        price: Amount::new(1_000),
        sale_price: Amount::new(1_000),
        kind: "NORMAL_PRODUCT".into(),
        shows: true,
        sold_out: false,
        created_at: number.into(),
        position: number.into(),
    }
}
