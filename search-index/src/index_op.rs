//! Changes of a product in an index.

use std::sync::Arc;

use uuid::Uuid;

use crate::{ProductDocument, Removal};

/// The newest known change of a product.
#[derive(Clone)]
pub enum IndexOp {
    /// Its new state.
    State(Arc<ProductDocument>),
    /// It was removed.
    Gone(Removal),
}

impl IndexOp {
    /// The product.
    pub fn id(&self) -> Uuid {
        match self {
            Self::State(document) => document.id,
            Self::Gone(removal) => removal.id,
        }
    }

    /// The position in the log it comes from.
    pub fn position(&self) -> i64 {
        match self {
            Self::State(document) => document.position,
            Self::Gone(removal) => removal.position,
        }
    }
}
