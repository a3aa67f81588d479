//! Helpers shared by the tests of this crate.

use domain::Amount;
use search_index::ProductDocument;
use uuid::Uuid;

/// A product with default values, to start from.
pub fn plain(number: u32, name: &str) -> ProductDocument {
    ProductDocument {
        id: Uuid::from_u128(number.into()),
        code: format!("GOODS-{number}"),
        name: name.into(),
        keywords: vec![],
        desc: String::new(),
        brand: None,
        brand_code: None,
        seller_id: None,
        seller_name: None,
        categories: vec![],
        groups: vec![],
        price: Amount::new(1_000),
        sale_price: Amount::new(1_000),
        kind: "NORMAL_PRODUCT".into(),
        shows: true,
        sold_out: false,
        free_in: vec![],
        reviews: 0,
        sells: 0,
        created_at: number.into(),
        position: number.into(),
    }
}
