//! GET /api/v1/shop/products/{id}: one product in full.

use std::iter;

use axum::extract::State;
use domain::ids::ProductId;
use projections::products::ProductDetail;
use serde::Serialize;
use utoipa::ToSchema;

use super::READS;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, OptionalMember, Path};
use crate::shop::cards::dress;

/// One product.
#[derive(Serialize, ToSchema)]
pub struct ProductAnswer {
    /// The product.
    product: ProductDetail,
}

/// One product.
#[utoipa::path(
    get, path = "/api/v1/shop/products/{id}", tag = "shop", operation_id = "showProduct", params(("id" = ProductId, Path)),
    responses((status = OK, body = ProductAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<ProductId>,
    who: OptionalMember,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<ProductAnswer>> {
    let fresh = wait.until(&app, &READS).await?;
    let mut product = app
        .cards()
        .await?
        .detail(id)
        .await?
        .ok_or_else(AppError::not_found)?;
    let variations = product.variation.iter_mut();
    let variations = variations.flat_map(|shown| &mut shown.products);
    let cards = iter::once(&mut product.card)
        .chain(&mut product.choicees)
        .chain(variations.map(|one| &mut one.card))
        .chain(&mut product.relateds);
    dress(&app, who.member(), cards).await?;
    product.seller_card.seller = product.card.seller.clone();
    Ok(fresh.answer(ProductAnswer { product }))
}
