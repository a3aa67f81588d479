//! Products the member likes.

pub mod list;
pub mod remove;
pub mod toggle;

use projections::state::likes::Like;
use serde::Serialize;
use utoipa::ToSchema;

/// A like.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LikeAnswer {
    /// The like; none if the product is not liked any more.
    like: Option<Like>,
}
