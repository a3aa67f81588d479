//! /api/v1/shop/review-images: lists the pictures in reviews, and uploads one.

use application::files::ingest::Uploader;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use domain::ids::ProductId;
use projections::reviews::{self, ReviewFilter, ReviewSort};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use super::views;
use crate::app::AppState;
use crate::files::FileAnswer;
use crate::files::form::{self, UploadForm};
use crate::http::{
    ApiResponse, ApiResult, AppResult, ConsistencyToken, CurrentMember, Json, Page, Query, Summary,
};

/// Filters of the review picture list.
#[derive(Deserialize, IntoParams)]
pub struct ReviewImageQuery {
    /// Only reviews of this product; default: of all products.
    #[serde(rename = "_product")]
    product: Option<ProductId>,
}

/// A picture of a review.
#[derive(Serialize, ToSchema)]
pub struct ReviewImage {
    /// Id of the review.
    #[serde(rename = "_review")]
    review: Uuid,
    /// Its URL.
    url: String,
    /// Alternative text.
    alt: Option<String>,
    /// The stars of the review.
    star: u8,
}

/// Pictures of a page of reviews.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewImages {
    /// Number of reviews with pictures.
    summary: Summary,
    /// The pictures of the reviews of this page.
    review_images: Vec<ReviewImage>,
}

/// Pictures of reviews, newest review first.
#[utoipa::path(
    get, path = "/api/v1/shop/review-images", tag = "shop", operation_id = "listReviewImages", params(ReviewImageQuery, Page),
    responses((status = OK, body = ReviewImages))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<ReviewImageQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<ReviewImages>> {
    let fresh = wait.until(&app, &[reviews::NAME]).await?;
    let filter = ReviewFilter {
        product: query.product,
        pictured: true,
        sort: ReviewSort::Latest,
        ..ReviewFilter::default()
    };
    let listed = reviews::reviews(app.pool(), &filter, page.into()).await?;
    let mut review_images = Vec::new();
    for review in views(&app, None, &listed.rows).await? {
        review_images.extend(review.images.into_iter().map(|image| ReviewImage {
            review: review.id,
            url: image.url,
            alt: image.alt,
            star: review.star,
        }));
    }
    Ok(fresh.answer(ReviewImages {
        summary: Summary::of(&listed),
        review_images,
    }))
}

/// Upload a picture for a review.
#[utoipa::path(
    post, path = "/api/v1/shop/review-images", tag = "shop", operation_id = "giveReviewImage",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    security(("access" = [])), responses((status = CREATED, body = FileAnswer))
)]
pub(crate) async fn give(
    State(app): State<AppState>,
    who: CurrentMember,
    request: Request,
) -> ApiResult<(StatusCode, Json<FileAnswer>)> {
    Ok(given(&app, &who, request).await?)
}

/// Stores a picture for a review.
///
/// # Errors
/// As [`form::store`].
pub(crate) async fn given(
    app: &AppState,
    who: &CurrentMember,
    request: Request,
) -> AppResult<(StatusCode, Json<FileAnswer>)> {
    let uploader = Uploader {
        member: who.member(),
        shown: true,
        of_review: true,
    };
    let file = form::store(app, uploader, request, true).await?;
    Ok((StatusCode::CREATED, Json(FileAnswer::of(app, file).await?)))
}
