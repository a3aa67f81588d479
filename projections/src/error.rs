//! Errors of reading and writing read models.

/// Why rows could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The database refused or could not be reached.
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    /// A stored row or event does not have the shape this build expects.
    #[error("unexpected shape: {0}")]
    Shape(#[from] serde_json::Error),
    /// A stream's id is not one of the shop's ids.
    #[error("stream {0} has an unexpected id")]
    StreamId(String),
    /// An event whose row does not exist: the event that creates it is missing.
    #[error("{0} is not known yet")]
    Unknown(String),
    /// A purchase without frozen terms: it cannot be displayed.
    #[error("purchase {0} has no terms")]
    MissingTerms(String),
    /// A sum does not fit.
    #[error(transparent)]
    Money(#[from] domain::money::MoneyError),
    /// A number does not fit its column.
    #[error("a number out of range: {0}")]
    Number(#[from] std::num::TryFromIntError),
    /// A row holds a timestamp or date that cannot be parsed.
    #[error("a moment: {0}")]
    Moment(#[from] time::error::Parse),
    /// An event could not be read.
    #[error(transparent)]
    Store(#[from] event_store::StoreError),
}

impl From<ReadError> for event_store::ProjectionError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Database(error) => Self::Database(error),
            ReadError::Shape(error) => Self::Json(error),
            ReadError::Store(error) => Self::Store(error),
            other => Self::other(other),
        }
    }
}
