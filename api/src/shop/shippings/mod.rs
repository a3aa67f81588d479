//! How goods are delivered.

pub mod list;
pub mod show;

use domain::shipping::ShippingGroup;
use projections::records::TypedRecord;
use serde::Serialize;
use utoipa::ToSchema;

/// A shipping group as shoppers see it.
#[derive(Serialize, ToSchema)]
pub struct ShippingGroupView {
    /// The record.
    #[serde(rename = "_id")]
    id: String,
    /// Its document.
    #[serde(flatten)]
    group: ShippingGroup,
}

impl From<TypedRecord<ShippingGroup>> for ShippingGroupView {
    fn from(found: TypedRecord<ShippingGroup>) -> Self {
        Self {
            id: found.id,
            group: found.data,
        }
    }
}
