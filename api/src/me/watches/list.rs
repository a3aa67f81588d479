//! GET /api/v1/me/watches: recently viewed products, newest first, at most fifty.

use axum::extract::State;
use domain::ids::{MemberId, ProductId};
use projections::products::{self, ProductCard};
use projections::state::recently_viewed;
use projections::stock;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppResult, ConsistencyToken, CurrentMember, Page, Summary,
};
use crate::shop::cards::dress;

/// A recently viewed product.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WatchView {
    /// Id of the product.
    #[serde(rename = "_product")]
    id: ProductId,
    /// The product.
    product: ProductCard,
    /// Time of the last view.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
}

/// A page of recently viewed products.
#[derive(Serialize, ToSchema)]
pub struct Watches {
    /// Number of products.
    summary: Summary,
    /// The products of the page; those that are not for sale any more are left out.
    watches: Vec<WatchView>,
}

/// Recently viewed products.
#[utoipa::path(get, path = "/api/v1/me/watches", tag = "me", operation_id = "listMyWatches", security(("access" = [])), responses((status = OK, body = Watches)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Watches>> {
    let fresh = wait.until(&app, &[products::NAME, stock::NAME]).await?;
    Ok(fresh.answer(page_of(&app, who.member(), page).await?))
}

/// A page of them.
pub(super) async fn page_of(app: &AppState, member: MemberId, page: Page) -> AppResult<Watches> {
    let listed = recently_viewed::list(app.pool(), member, page.into()).await?;
    let ids: Vec<ProductId> = listed.rows.iter().map(|watch| watch.product).collect();
    let mut cards = app.cards().await?.shown(&ids).await?;
    dress(app, Some(member), &mut cards).await?;
    let summary = Summary::of(&listed);
    let watches = listed
        .rows
        .into_iter()
        .filter_map(|watch| {
            let product = cards.iter().find(|card| card.id == watch.product)?.clone();
            Some(WatchView {
                id: watch.product,
                product,
                created_at: watch.seen_at,
            })
        })
        .collect();
    Ok(Watches { summary, watches })
}
