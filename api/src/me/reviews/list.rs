//! GET /api/v1/me/reviews: what I wrote; GET writable: what I may still write about, and what that earns.

use axum::extract::State;
use domain::review::ReviewPoints;
use projections::reviews::{self, ReviewFilter, ReviewSort, ReviewablePurchase};
use projections::{orders, records};
use serde::Serialize;
use utoipa::ToSchema;

use super::{MyReview, mine};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, CurrentMember, Page, Summary};

/// My reviews.
#[derive(Serialize, ToSchema)]
pub struct MyReviews {
    /// How many there are.
    summary: Summary,
    /// This page's.
    reviews: Vec<MyReview>,
}

/// Purchases I may review.
#[derive(Serialize, ToSchema)]
pub struct ReviewablePurchases {
    /// How many there are.
    summary: Summary,
    /// This page's.
    purchases: Vec<ReviewablePurchase>,
    /// What a review earns.
    points: ReviewPoints,
}

/// My reviews, the newest first.
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

/// Purchases I confirmed and have not reviewed.
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
