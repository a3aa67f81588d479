//! Sellers as shown on cards and purchases.

use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A seller. The nickname is sealed in the member's profile: `api` decrypts it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SellerRef {
    /// Member id.
    #[serde(rename = "_id")]
    pub id: MemberId,
    /// The seller's name; none: erased, or not decrypted yet.
    pub nickname: Option<String>,
}

impl SellerRef {
    /// A seller whose profile was not decrypted yet.
    pub const fn unnamed(id: MemberId) -> Self {
        Self { id, nickname: None }
    }
}
