//! Queries of an engine, and their results.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::Amount;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Filters, order and page of a search. The default finds the newest visible products.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The text typed by the shopper. `None` and blank texts match everything; a text without a letter or digit finds nothing.
    pub text: Option<String>,
    /// Only products in one of these categories (codes) or a descendant; empty for all.
    pub categories: Vec<String>,
    /// Only products of one of these brands (codes); empty for all.
    pub brands: Vec<String>,
    /// Only products in one of these groups; empty for all.
    pub groups: Vec<String>,
    /// Only products of one of these sellers; empty for all.
    pub sellers: Vec<Uuid>,
    /// Only products whose sale price lies in this range.
    pub price: PriceRange,
    /// Only products of one of these types; empty for all.
    pub types: Vec<String>,
    /// Only products that are not sold out.
    pub in_stock: bool,
    /// Only products of which one unit ships free in one of these seasons ([`crate::ProductDocument::free_in`]); empty for all.
    pub free_in: Vec<String>,
    /// Include hidden products. For the console only.
    pub include_hidden: bool,
    /// The order.
    pub sort: Sort,
    /// Number of results to skip.
    pub skip: usize,
    /// Maximum number of results.
    pub limit: usize,
    /// Whether to return facets ([`SearchResults::facets`]).
    pub facets: bool,
}

/// A range of prices, both ends included; `None` is open.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PriceRange {
    /// The lowest price.
    pub from: Option<Amount>,
    /// The highest price.
    pub to: Option<Amount>,
}

/// Order of the results (spec V113). Equal ones are ordered by id, so that pages never overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Sort {
    /// Best match first; among equal ones those in stock, best sellers, shortest names; without a text the same as [`Sort::Latest`].
    #[default]
    Relevance,
    /// The newest first.
    Latest,
    /// By name in code point order, like `COLLATE "C"` in the database.
    Name,
    /// The lowest sale price first.
    PriceAsc,
    /// The highest sale price first.
    PriceDesc,
    /// Most reviews first; among equal ones the newest.
    Review,
}

/// A page of search results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResults {
    /// Total number of matching products.
    pub total: u64,
    /// The products of this page, in order.
    pub ids: Vec<Uuid>,
    /// The facets, if [`Query::facets`] is set.
    pub facets: Option<Facets>,
    /// Time taken by the engine.
    pub took: Duration,
}

/// Facets of a list. Each counts the products that pass all filters but its own, so that the count of a value is the number of products
/// found by choosing it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// Number of products of each brand, by code.
    pub brands: BTreeMap<String, u64>,
    /// Number of products in each category, descendants included, by code.
    pub categories: BTreeMap<String, u64>,
    /// The lowest and the highest sale price; open without products.
    pub price: PriceRange,
}

/// One of the [`Facets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Facet {
    Brands,
    Categories,
    Price,
}

impl Facet {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Brands, Self::Categories, Self::Price];
}

impl Query {
    /// The page size of the product search page (spec section 9).
    pub const PAGE: usize = 12;

    /// A search for a text, the best matches first.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: Some(text.into()),
            ..Self::default()
        }
    }

    /// The query without a facet's own filter, as that facet counts it.
    pub(crate) fn without(&self, facet: Facet) -> Self {
        let query = self.clone();
        match facet {
            Facet::Brands => Self {
                brands: Vec::new(),
                ..query
            },
            Facet::Categories => Self {
                categories: Vec::new(),
                ..query
            },
            Facet::Price => Self {
                price: PriceRange::default(),
                ..query
            },
        }
    }

    /// The text alone. Whether it is misspelt is decided by this, or a filtered list could find other products than the facets above it
    /// count.
    pub(crate) fn widest(&self) -> Self {
        Self {
            text: self.text.clone(),
            include_hidden: self.include_hidden,
            limit: 0,
            ..Self::default()
        }
    }

    /// What the shopper typed, unless it is blank (spec V161).
    pub fn typed(&self) -> Option<&str> {
        self.text
            .as_deref()
            .map(str::trim)
            .filter(|text| !text.is_empty())
    }
}

impl Default for Query {
    fn default() -> Self {
        Self {
            text: None,
            categories: Vec::new(),
            brands: Vec::new(),
            groups: Vec::new(),
            sellers: Vec::new(),
            price: PriceRange::default(),
            types: Vec::new(),
            in_stock: false,
            free_in: Vec::new(),
            include_hidden: false,
            sort: Sort::default(),
            skip: 0,
            limit: Self::PAGE,
            facets: false,
        }
    }
}
