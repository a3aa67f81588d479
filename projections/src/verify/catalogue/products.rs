//! Rows of products.

use std::collections::BTreeSet;

use serde_json::json;

use super::{Papers, after_discount, typed};
use crate::verify::compare::{ExpectedRows, moment};
use crate::verify::decoded_log::DecodedEvent;
use crate::verify::{Fold, VerifyError};

/// 1-grams and 2-grams, sorted, without duplicates.
pub fn pieces(texts: &[&str]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for text in texts {
        let mut before: Option<char> = None;
        for letter in text.to_lowercase().chars() {
            found.insert(letter.to_string());
            if let Some(before) = before {
                found.insert(format!("{before}{letter}"));
            }
            before = Some(letter);
        }
    }
    found.into_iter().collect()
}

#[derive(Default)]
pub struct Products {
    documents: Papers,
}

impl Fold for Products {
    fn name(&self) -> &'static str {
        "products"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["product"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        self.documents.take(told)
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let counts = self.documents.counts("products_counts");
        let mut rows = Vec::new();
        let mut options = Vec::new();
        for ((_, id), document) in self.documents.rows {
            let product = typed(&document.data)?;
            rows.push(json!({
                "id": id, "code": product.code, "name": product.name, "kind": product.kind,
                "seller": product.seller, "price": product.price, "sale_price": after_discount(&product),
                "brand": product.brand, "categories": product.categories,
                "has_options": product.options_conf.enabled, "shipping": product.shipping,
                "shows": product.shows, "removed": document.removed, "index": product.index,
                "pieces": pieces(&[&product.name, &product.code]), "data": document.data,
                "version": document.version, "created_at": moment(document.created_at),
                "updated_at": moment(document.updated_at), "position": document.position,
            }));
            for (line, option) in (1..).zip(product.options) {
                let line: i64 = line;
                options.push(json!({
                    "product": id, "id": option.id, "line": line, "hexa": option.hexa, "name": option.name,
                    "value": option.value, "price": option.price, "enabled": option.enabled,
                }));
            }
        }
        Ok(vec![
            counts,
            ExpectedRows {
                view: "products",
                key: &["id"],
                rows,
            },
            ExpectedRows {
                view: "products_options",
                key: &["product", "id"],
                rows: options,
            },
        ])
    }
}
