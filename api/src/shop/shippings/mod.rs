//! Shipping groups.

pub mod list;
pub mod show;

use domain::shipping::ShippingGroup;
use projections::records::TypedRecord;
use serde::Serialize;
use utoipa::ToSchema;

/// A shipping group.
#[derive(Serialize, ToSchema)]
pub struct ShippingGroupView {
    /// Id of the record.
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
