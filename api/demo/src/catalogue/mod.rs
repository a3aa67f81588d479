//! The products of the demonstration: `api/demo/data/catalogue.json`, and the variants of the large demonstration.

pub(crate) mod descriptions;
mod variants;

use std::collections::BTreeMap;

use anyhow::Context;
use serde::Deserialize;
use serde_json::Value;

use crate::Size;

const CATALOGUE: &str = include_str!("../../data/catalogue.json");

#[derive(Deserialize)]
struct Catalogue {
    sellers: Vec<Seller>,
    categories: Vec<Category>,
    products: Vec<Product>,
    sets: Vec<Set>,
}

/// A product that is a set of other products of its seller.
#[derive(Deserialize)]
pub(crate) struct Set {
    pub code: String,
    pub name: String,
    /// `PRODUCT_BUNDLE` or `VARIETY_BUNDLE`.
    #[serde(rename = "type")]
    pub kind: String,
    pub category: String,
    pub seller: String,
    pub price: i64,
    pub desc: String,
    /// Its long description, HTML.
    pub story: String,
    pub parts: Vec<Part>,
    pub hashtags: Vec<String>,
    pub flags: Vec<String>,
    pub size: Value,
}

/// A quantity of one product.
#[derive(Deserialize)]
pub(crate) struct Part {
    pub code: String,
    pub quantity: u32,
}

/// A seller.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Seller {
    pub key: String,
    pub username: String,
    pub nickname: String,
    pub company_name: String,
    pub ceo_name: String,
}

/// A category.
#[derive(Deserialize)]
pub(crate) struct Category {
    pub code: String,
    pub name: String,
    pub parent: Option<String>,
    /// Code of the product whose picture it shows, and those below it.
    pub picture: Option<String>,
}

/// A product.
#[derive(Clone, Deserialize)]
pub(crate) struct Product {
    pub code: String,
    pub name: String,
    pub category: String,
    pub seller: String,
    pub price: i64,
    pub desc: String,
    pub options: Vec<Value>,
    pub discount: Value,
    pub stock: u32,
    pub hashtags: Vec<String>,
    pub flags: Vec<String>,
    pub origin: Value,
    pub size: Value,
    /// Code of the product whose picture it shows, if it has none of its own.
    #[serde(default)]
    pub pictured_as: Option<String>,
    /// More of its long description, HTML.
    #[serde(default)]
    pub story: String,
}

fn catalogue() -> anyhow::Result<Catalogue> {
    serde_json::from_str(CATALOGUE).context("data/catalogue.json")
}

/// The categories, parents first.
pub(crate) fn categories() -> anyhow::Result<Vec<Category>> {
    Ok(catalogue()?.categories)
}

/// The sellers.
pub(crate) fn sellers(size: Size) -> anyhow::Result<Vec<Seller>> {
    let mut sellers = catalogue()?.sellers;
    if size == Size::Large {
        sellers.extend(variants::sellers());
    }
    Ok(sellers)
}

/// The manufacturer of each seller's products, by the seller's key: all sellers manufacture their own.
pub(crate) fn manufacturers(size: Size) -> anyhow::Result<BTreeMap<String, String>> {
    let sellers = sellers(size)?.into_iter();
    Ok(sellers
        .map(|seller| (seller.key, seller.company_name))
        .collect())
}

/// The products, without the sets.
pub(crate) fn products(size: Size) -> anyhow::Result<Vec<Product>> {
    let mut products = catalogue()?.products;
    if size == Size::Large {
        let more: Vec<Product> = products.iter().flat_map(variants::of).collect();
        products.extend(more);
    }
    Ok(products)
}

/// The sets.
pub(crate) fn sets() -> anyhow::Result<Vec<Set>> {
    Ok(catalogue()?.sets)
}
