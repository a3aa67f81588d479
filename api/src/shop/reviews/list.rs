//! GET /api/v1/shop/reviews: the reviews of a product, and their summary.

use axum::extract::State;
use domain::ids::ProductId;
use projections::reviews::{self, ReviewFilter, ReviewSort};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{ReviewSummary, ReviewView, views};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, OptionalMember, Page, Query};

/// Filters of the review list.
#[derive(Deserialize, IntoParams)]
pub struct ReviewListQuery {
    /// Only reviews of this product; default: of all products.
    #[serde(rename = "_product")]
    product: Option<ProductId>,
    /// Only reviews with this number of stars.
    star: Option<u8>,
    /// Only reviews with a picture.
    #[serde(default)]
    photo: bool,
    /// The sort order; default: reviews selected by staff first.
    #[param(inline)]
    #[serde(default)]
    sort: ReviewSort,
}

/// A page of reviews.
#[derive(Serialize, ToSchema)]
pub struct Reviews {
    /// Summary of the reviews.
    summary: ReviewSummary,
    /// The reviews of the page.
    reviews: Vec<ReviewView>,
}

/// Reviews.
#[utoipa::path(
    get, path = "/api/v1/shop/reviews", tag = "shop", operation_id = "listReviews", params(ReviewListQuery, Page),
    security((), ("access" = [])), responses((status = OK, body = Reviews))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: OptionalMember,
    Query(query): Query<ReviewListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Reviews>> {
    let fresh = wait.until(&app, &[reviews::NAME]).await?;
    let filter = ReviewFilter {
        product: query.product,
        author: None,
        star: query.star.map(i32::from),
        pictured: query.photo,
        sort: query.sort,
    };
    let listed = reviews::reviews(app.pool(), &filter, page.into()).await?;
    let product: Vec<ProductId> = query.product.into_iter().collect();
    let stars = reviews::stars(app.pool(), &product).await?;
    Ok(fresh.answer(Reviews {
        summary: ReviewSummary::of(stars.first(), listed.total_count),
        reviews: views(&app, who.member(), &listed.rows).await?,
    }))
}
