//! GET /api/v1/me/likes: the products the member likes, newest first.

use axum::extract::State;
use domain::ids::ProductId;
use projections::products::{self, ProductCard};
use projections::state::likes::{self, Like};
use projections::stock;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, CurrentMember, Page, Summary};
use crate::shop::cards::dress;

/// A like with its product.
#[derive(Serialize, ToSchema)]
pub struct LikeView {
    /// The like.
    #[serde(flatten)]
    like: Like,
    /// The liked product.
    product: ProductCard,
}

/// A page of likes.
#[derive(Serialize, ToSchema)]
pub struct Likes {
    /// Number of likes.
    summary: Summary,
    /// The likes of the page; products that are not for sale any more are left out.
    likes: Vec<LikeView>,
}

/// The member's likes.
#[utoipa::path(get, path = "/api/v1/me/likes", tag = "me", operation_id = "listMyLikes", security(("access" = [])), responses((status = OK, body = Likes)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Likes>> {
    let fresh = wait.until(&app, &[products::NAME, stock::NAME]).await?;
    let listed = likes::list(app.pool(), who.member(), page.into()).await?;
    let ids: Vec<ProductId> = listed.rows.iter().map(|like| like.product).collect();
    let mut cards = app.cards().await?.shown(&ids).await?;
    dress(&app, Some(who.member()), &mut cards).await?;
    let summary = Summary::of(&listed);
    let likes = listed
        .rows
        .into_iter()
        .filter_map(|like| {
            let product = cards.iter().find(|card| card.id == like.product)?.clone();
            Some(LikeView { like, product })
        })
        .collect();
    Ok(fresh.answer(Likes { summary, likes }))
}
