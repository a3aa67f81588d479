//! What is asked of an engine, and what it answers.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::Amount;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Which products, in which order, and which page of them. The default asks for the newest products that show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// What the shopper typed. `None` and blank texts ask for everything; a text without a letter or digit finds nothing.
    pub text: Option<String>,
    /// Only products in one of these categories (codes) or below them; empty for all.
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
    /// Only products of which one piece travels for nothing in one of these seasons ([`crate::ProductDocument::free_in`]); empty
    /// for all.
    pub free_in: Vec<String>,
    /// Also products that do not show. For the console only.
    pub include_hidden: bool,
    /// The order.
    pub sort: Sort,
    /// How many to leave out from the beginning.
    pub skip: usize,
    /// The most to answer.
    pub limit: usize,
    /// Whether to say what the list can be narrowed by ([`SearchResults::facets`]).
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

/// The order of what is found (spec V113). Equals are in the order of their ids, so that pages never overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Sort {
    /// The best match first; of equals what can be had, sells best, has the shortest name; without a text the same as [`Sort::Latest`].
    #[default]
    Relevance,
    /// The newest first.
    Latest,
    /// By name in code point order, as the database sorts with `COLLATE "C"`.
    Name,
    /// The lowest sale price first.
    PriceAsc,
    /// The highest sale price first.
    PriceDesc,
    /// The most reviews first; of as many, the newest.
    Review,
}

/// A page of search results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchResults {
    /// How many products match in all.
    pub total: u64,
    /// The products of this page, in order.
    pub ids: Vec<Uuid>,
    /// What the list can be narrowed by, if [`Query::facets`] asked for it.
    pub facets: Option<Facets>,
    /// How long the engine took.
    pub took: Duration,
}

/// What a list can be narrowed by. Each counts the products that pass everything asked but itself, so that what it says of
/// a value is what choosing that value would find.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facets {
    /// How many products each brand has, by code.
    pub brands: BTreeMap<String, u64>,
    /// How many products each category has, those below it included, by code.
    pub categories: BTreeMap<String, u64>,
    /// The lowest and the highest sale price; open where there is no product.
    pub price: PriceRange,
}

/// One thing [`Facets`] speaks of.
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

    /// The same without what a facet narrows by: that is what it counts.
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

    /// The text alone. Whether it is misspelt is asked of this, or a list would find other products narrowed than the
    /// facets above it counted.
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
