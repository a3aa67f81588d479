//! GET /api/v1/me/reviews: the member's reviews; GET writable: the purchases that can be reviewed, and the points for it.

use axum::extract::State;
use domain::review::ReviewPoints;
use projections::reviews::{self, ReviewFilter, ReviewSort, ReviewablePurchase};
use projections::{orders, records};
use serde::Serialize;
use utoipa::ToSchema;

use super::{MyReview, mine};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, CurrentMember, Page, Summary};

/// A page of the member's reviews.
#[derive(Serialize, ToSchema)]
pub struct MyReviews {
    /// Number of reviews.
    summary: Summary,
    /// The reviews of the page.
    reviews: Vec<MyReview>,
}

/// A page of purchases that the member can review.
#[derive(Serialize, ToSchema)]
pub struct ReviewablePurchases {
    /// Number of purchases.
    summary: Summary,
    /// The purchases of the page.
    purchases: Vec<ReviewablePurchase>,
    /// Points for a review.
    points: ReviewPoints,
}

/// The member's reviews, newest first.
#[utoipa::path(
    get, path = "/api/v1/me/reviews", tag = "me", operation_id = "listMyReviews", security(("access" = [])), params(Page),
    responses((status = OK, body = MyReviews))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<MyReviews>> {
    let fresh = wait.until(&app, &[reviews::NAME]).await?;
    let filter = ReviewFilter {
        author: Some(who.member()),
        sort: ReviewSort::Latest,
        ..ReviewFilter::default()
    };
    let listed = reviews::reviews(app.pool(), &filter, page.into()).await?;
    Ok(fresh.answer(MyReviews {
        summary: Summary::of(&listed),
        reviews: mine(&app, &listed.rows).await?,
    }))
}

/// Confirmed purchases without a review.
#[utoipa::path(
    get, path = "/api/v1/me/reviews/writable", tag = "me", operation_id = "listReviewablePurchases", security(("access" = [])),
    params(Page), responses((status = OK, body = ReviewablePurchases))
)]
pub(crate) async fn writable(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<ReviewablePurchases>> {
    let fresh = wait.until(&app, &[reviews::NAME, orders::NAME]).await?;
    let listed = reviews::reviewable(app.pool(), who.member(), page.into()).await?;
    let setting = records::site_setting(app.pool()).await?;
    Ok(fresh.answer(ReviewablePurchases {
        summary: Summary::of(&listed),
        purchases: listed.rows,
        points: setting.map_or_else(ReviewPoints::default, |found| found.data.review_points),
    }))
}
