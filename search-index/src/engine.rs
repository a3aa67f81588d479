//! What a search engine can do, whichever it is.

use async_trait::async_trait;

use crate::{ProductDocument, Query, Removal, SearchResults};

/// A search engine over the products. One writer (the projection runner) feeds it; anybody may search.
///
/// Documents are disposable: an engine that lost them answers position 0 and is fed again from the log.
/// Changes carry the position they come from, so feeding the same ones twice, or old ones late, changes nothing.
#[async_trait]
pub trait Engine: Send + Sync {
    /// What it is called: `embedded` or `meilisearch`.
    fn name(&self) -> &'static str;

    /// Whether other processes use the same index; then only one of them at a time may feed it.
    fn is_shared(&self) -> bool;

    /// Takes new states of products. They are found after the next [`Engine::commit`] at the latest.
    ///
    /// # Errors
    /// [`Error::Unavailable`]; then some may have been taken, and all may be given again.
    async fn upsert(&self, documents: Vec<ProductDocument>) -> Result<(), Error>;

    /// Takes away products. They are gone after the next [`Engine::commit`] at the latest.
    ///
    /// # Errors
    /// [`Error::Unavailable`]; then some may have been taken, and all may be given again.
    async fn remove(&self, removals: Vec<Removal>) -> Result<(), Error>;

    /// Makes all that was taken durable and visible to searches, and remembers that everything up to `position` is in.
    /// A lower position than the one remembered leaves that as it is.
    ///
    /// # Errors
    /// [`Error::Unavailable`]; then nothing was forgotten, and the call may be repeated.
    async fn commit(&self, position: i64) -> Result<(), Error>;

    /// The position to go on feeding from: everything up to it is in. 0 for an empty engine.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    async fn position(&self) -> Result<i64, Error>;

    /// Searches. Any text is a valid query.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    async fn search(&self, query: Query) -> Result<SearchResults, Error>;

    /// What somebody who typed this may be about to type: the text with its last word finished, spelt or spaced the way
    /// products have it, the likeliest first, at most `most`. None for a text without a letter or digit.
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    async fn suggest(&self, typed: &str, most: usize) -> Result<Vec<String>, Error>;

    /// Begins a new index beside the live one, for documents made in a new way. Searches go on in the live one. What the
    /// engine is fed meanwhile goes into both, so the rebuild only has to bring every product as it is now or later.
    ///
    /// # Errors
    /// [`Error::Rebuilding`] if one is already under way; [`Error::Unavailable`].
    async fn rebuild(&self) -> Result<Box<dyn Rebuild>, Error>;
}

/// A new index being built beside the live one. Dropping it gives it up and deletes what was built.
#[async_trait]
pub trait Rebuild: Send + Sync {
    /// Takes states of products, as [`Engine::upsert`].
    ///
    /// # Errors
    /// [`Error::Unavailable`].
    async fn upsert(&self, documents: Vec<ProductDocument>) -> Result<(), Error>;

    /// Makes the new index the live one and deletes the old one. `position` is the position the products were read at;
    /// the engine's position afterwards is that or the live index's, whichever is higher.
    ///
    /// # Errors
    /// [`Error::Unavailable`]; then the live index stays, and the rebuild is given up.
    async fn swap(self: Box<Self>, position: i64) -> Result<(), Error>;

    /// The same where the live index is of another log, which was ahead of this one: the engine's position afterwards is
    /// `position`, whatever the live index's was.
    ///
    /// # Errors
    /// As [`Rebuild::swap`].
    async fn swap_back(self: Box<Self>, position: i64) -> Result<(), Error>;
}

/// What can go wrong. No query is ever an error.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Another process keeps this folder open; an embedded index has one owner.
    #[error("another process uses the search folder {0}")]
    InUse(String),
    /// There is a rebuild under way already.
    #[error("the search index is being rebuilt already")]
    Rebuilding,
    /// The engine cannot answer now: its disk or its server failed.
    #[error("search is unavailable: {0}")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    pub(crate) fn unavailable(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Unavailable(error.into())
    }
}
