//! The interface of search engines.

use async_trait::async_trait;

use crate::{ProductDocument, Query, Removal, SearchResults};

/// A search engine for products. One writer (the projection runner) feeds it; any number of readers may search.
///
/// Documents are disposable: an engine that lost them returns position 0 and is fed again from the log. Changes carry their position in the
/// log, so feeding them twice, or old ones late, has no effect.
#[async_trait]
pub trait Engine: Send + Sync {
    /// Its name: `embedded` or `meilisearch`.
    fn name(&self) -> &'static str;

    /// Whether other processes use the same index; then only one of them may feed it at a time.
    fn is_shared(&self) -> bool;

    /// Adds or replaces products. They are found after the next [`Engine::commit`] at the latest.
    ///
    /// # Errors
    /// [`Error::Unavailable`]; some may have been taken then, and all may be sent again.
    async fn upsert(&self, documents: Vec<ProductDocument>) -> Result<(), Error>;

    /// Deletes products. They are gone after the next [`Engine::commit`] at the latest.
    ///
    /// # Errors
    /// [`Error::Unavailable`]; some may have been taken then, and all may be sent again.
    async fn remove(&self, removals: Vec<Removal>) -> Result<(), Error>;

    /// Makes all changes durable and visible to searches, and stores `position` as the position up to which everything is indexed. A
    /// position lower than the stored one is ignored.
    ///
    /// # Errors
    /// [`Error::Unavailable`]; no change is lost then, and the call may be repeated.
    async fn commit(&self, position: i64) -> Result<(), Error>;

    /// The position to continue feeding from: everything up to it is indexed. 0 for an empty engine.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    async fn position(&self) -> Result<i64, Error>;

    /// Searches. Any text is a valid query.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    async fn search(&self, query: Query) -> Result<SearchResults, Error>;

    /// Suggests completions of a typed text: the text with its last word completed, spelt or spaced as in the products, most likely first,
    /// at most `most`. Empty for a text without a letter or digit.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    async fn suggest(&self, typed: &str, most: usize) -> Result<Vec<String>, Error>;

    /// Starts a new index beside the live one, for documents in a new format. Searches continue in the live one. Changes fed meanwhile go
    /// into both, so the rebuild only has to add every product in its current or a later state.
    ///
    /// # Errors
    /// [`Error::Rebuilding`] if a rebuild is in progress; [`Error::Unavailable`].
    async fn rebuild(&self) -> Result<Box<dyn Rebuild>, Error>;
}

/// A new index being built beside the live one. Dropping it cancels the rebuild and deletes the new index.
#[async_trait]
pub trait Rebuild: Send + Sync {
    /// Adds products, as [`Engine::upsert`].
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    async fn upsert(&self, documents: Vec<ProductDocument>) -> Result<(), Error>;

    /// Makes the new index the live one and deletes the old one. `position` is the position at which the products were read; the engine's
    /// position afterwards is that or the live index's, whichever is higher.
    ///
    /// # Errors
    /// [`Error::Unavailable`]; the live index stays then, and the rebuild is canceled.
    async fn swap(self: Box<Self>, position: i64) -> Result<(), Error>;

    /// The same if the live index was fed from another log, which was ahead of this one: the engine's position afterwards is `position`,
    /// whatever the live index's was.
    ///
    /// # Errors
    /// As [`Rebuild::swap`].
    async fn swap_back(self: Box<Self>, position: i64) -> Result<(), Error>;
}

/// Errors of an engine. No query is ever an error.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another process keeps this folder open; an embedded index has one owner.
    #[error("another process uses the search folder {0}")]
    InUse(String),
    /// A rebuild is in progress already.
    #[error("the search index is being rebuilt already")]
    Rebuilding,
    /// The engine is unavailable: its disk or its server failed.
    #[error("search is unavailable: {0}")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    pub(crate) fn unavailable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Unavailable(error.into())
    }
}
