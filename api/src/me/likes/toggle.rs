//! POST /api/v1/me/likes: likes a product, or removes the like (spec V120).

use axum::extract::State;
use domain::catalogue::Product;
use domain::forms::{FormErrors, Validate};
use domain::ids::ProductId;
use domain::record::Record;
use projections::state::likes;
use serde::Deserialize;
use utoipa::ToSchema;

use super::LikeAnswer;
use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, Json, ValidJson};

/// The product to like.
#[derive(Deserialize, ToSchema)]
pub struct LikeForm {
    /// The product.
    #[serde(rename = "_product")]
    product: ProductId,
}

impl Validate for LikeForm {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Like a product, or remove the like.
#[utoipa::path(
    post, path = "/api/v1/me/likes", tag = "me", operation_id = "toggleMyLike", security(("access" = [])), request_body = LikeForm,
    responses((status = OK, body = LikeAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn toggle(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, .. }: ValidJson<LikeForm>,
) -> ApiResult<Json<LikeAnswer>> {
    let id = body.product.to_string();
    // The like of a removed product can still be removed.
    if !app.store.load::<Record<Product>>(&id).await?.exists() {
        return Err(AppError::not_found().into());
    }
    let like = likes::toggle(app.pool(), who.member(), body.product, app.clock.now()).await?;
    Ok(Json(LikeAnswer { like }))
}
