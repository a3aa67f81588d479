//! POST /api/v1/me/watches: records a viewed product, or several at sign-in (spec V091).

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::ids::ProductId;
use projections::state::recently_viewed;
use serde::Deserialize;
use utoipa::ToSchema;

use super::list::{Watches, page_of};
use crate::app::AppState;
use crate::http::{ApiResult, AppError, CurrentMember, Json, Page, ValidJson};

/// Maximum number of products in a request.
const AT_ONCE: usize = 50;

/// Viewed products: one, or several.
#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct WatchForm {
    /// The product.
    #[serde(rename = "_product")]
    product: Option<ProductId>,
    /// The products, most recently viewed first. Those that are not for sale any more are left out.
    #[serde(rename = "_products")]
    products: Vec<ProductId>,
}

impl Validate for WatchForm {
    fn check(&self, checks: &mut FormErrors) {
        checks
            .when(
                self.product.is_some() == self.products.is_empty(),
                "_product",
                "required",
                "상품을 선택해 주세요.",
            )
            .when(
                self.products.len() <= AT_ONCE,
                "_products",
                "too_many",
                "한 번에 50개 상품까지 보낼 수 있습니다.",
            );
    }
}

/// Record viewed products.
#[utoipa::path(
    post, path = "/api/v1/me/watches", tag = "me", operation_id = "addToMyWatches", security(("access" = [])), request_body = WatchForm,
    responses((status = OK, body = Watches, description = "the newest of them"), (status = BAD_REQUEST, description = "invalid"), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn add(
    State(app): State<AppState>,
    who: CurrentMember,
    page: Page,
    ValidJson { body, .. }: ValidJson<WatchForm>,
) -> ApiResult<Json<Watches>> {
    let one = body.product;
    let products: Vec<ProductId> = one.into_iter().chain(body.products).collect();
    let seen = recently_viewed::add(app.pool(), who.member(), &products, app.clock.now()).await?;
    if one.is_some() && seen == 0 {
        return Err(AppError::not_found().into());
    }
    Ok(Json(page_of(&app, who.member(), page).await?))
}
