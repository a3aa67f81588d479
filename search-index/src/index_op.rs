//! What happens to a product in an index.

use std::sync::Arc;

use uuid::Uuid;

use crate::{ProductDocument, Removal};

/// The newest known change of a product.
#[derive(Clone)]
pub enum IndexOp {
    /// Its state.
    State(Arc<ProductDocument>),
    /// It is gone.
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
