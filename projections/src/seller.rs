//! Sellers as cards and purchases name them.

use domain::ids::MemberId;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who sells something. The nickname is sealed in the member's profile: `api` opens it and puts it in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SellerRef {
    /// Who.
    #[serde(rename = "_id")]
    pub id: MemberId,
    /// The shop's name; none: forgotten (or not opened yet).
    pub nickname: Option<String>,
}

impl SellerRef {
    /// A seller whose profile was not opened yet.
    pub const fn unnamed(id: MemberId) -> Self {
        Self { id, nickname: None }
    }
}
