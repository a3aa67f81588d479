#![doc = include_str!("../README.md")]

mod document;
mod embedded;
mod engine;
mod index_op;
pub mod korean;
mod meilisearch;
mod query;

pub use document::{ProductDocument, Removal};
pub use embedded::EmbeddedEngine;
pub use engine::{Engine, Error, Rebuild};
pub use meilisearch::Meilisearch;
pub use query::{Facets, PriceRange, Query, SearchResults, Sort};
