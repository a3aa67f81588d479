//! Products I like.

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
    /// It; none: the product is not liked any more.
    like: Option<Like>,
}
