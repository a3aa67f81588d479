//! POST /api/v1/me/carts: adds a product to the cart, or the lines of a guest's cart at sign-in. Adding a product again increases its
//! quantity.

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::ids::{CartId, OptionId, ProductId};
use projections::state::carts::{self, CartAdd, QUANTITY_MAX};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{CartView, on_sale, refused, views};
use crate::app::AppState;
use crate::http::{ApiResult, AppResult, Code, CurrentMember, Json, ValidJson};
use application::orders::form::LineForm;

/// Maximum number of lines of a guest's cart.
const LINES_MOST: usize = 100;

/// What to add: one product, or several lines.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[derive(Default)]
pub struct PutIn {
    /// The product.
    #[serde(rename = "_product")]
    product: Option<ProductId>,
    /// The option.
    #[serde(rename = "_option")]
    option: Option<OptionId>,
    /// Quantity.
    quantity: Option<u32>,
    /// Lines of the guest's cart of a member who signs in.
    carts: Vec<LineForm>,
}

/// The changed lines.
#[derive(Serialize, ToSchema)]
pub struct CartAddAnswer {
    /// The line, if one product was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    cart: Option<CartView>,
    /// The lines, if several were added.
    #[serde(skip_serializing_if = "Option::is_none")]
    carts: Option<Vec<CartView>>,
}

impl Validate for PutIn {
    fn check(&self, checks: &mut FormErrors) {
        let one = self.product.is_some();
        let fine = |quantity: u32| (1..=QUANTITY_MAX).contains(&quantity);
        checks
            .when(
                one == self.carts.is_empty(),
                "_product",
                "required",
                "상품을 선택해 주세요.",
            )
            .when(
                self.carts.len() <= LINES_MOST,
                "carts",
                "too_many",
                "한 번에 100개 상품까지 담을 수 있습니다.",
            )
            .when(
                fine(self.quantity.unwrap_or(1)),
                "quantity",
                "quantity",
                "수량은 1~999개로 입력해 주세요.",
            );
        for (place, line) in self.carts.iter().enumerate() {
            checks.when(
                fine(line.quantity),
                &format!("carts.{place}.quantity"),
                "quantity",
                "수량은 1~999개로 입력해 주세요.",
            );
        }
    }
}

/// Add to the cart.
#[utoipa::path(
    post, path = "/api/v1/me/carts", tag = "me", operation_id = "addToMyCart", security(("access" = [])), request_body = PutIn,
    responses((status = OK, body = CartAddAnswer), (status = BAD_REQUEST, description = "invalid"))
)]
pub(crate) async fn add(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, .. }: ValidJson<PutIn>,
) -> ApiResult<Json<CartAddAnswer>> {
    if let Some(product) = body.product {
        let line = LineForm {
            product,
            option: body.option,
            quantity: body.quantity.unwrap_or(1),
        };
        let added = put(&app, &who, &line).await?;
        return Ok(Json(CartAddAnswer {
            cart: views(&app, vec![added]).await?.pop(),
            carts: None,
        }));
    }
    for line in &body.carts {
        match put(&app, &who, line).await {
            // Products that are not sold any more or exceed the limit do not prevent adding the others.
            Err(refusal) if matches!(refusal.code(), Code::NotFound | Code::Invalid) => {}
            other => {
                other?;
            }
        }
    }
    let lines = carts::lines(app.pool(), who.member()).await?;
    Ok(Json(CartAddAnswer {
        cart: None,
        carts: Some(views(&app, lines).await?),
    }))
}

async fn put(app: &AppState, who: &CurrentMember, line: &LineForm) -> AppResult<carts::CartLine> {
    on_sale(app, line).await?;
    let add = CartAdd {
        id: CartId(Uuid::now_v7()),
        product: line.product,
        option: line.option,
        quantity: line.quantity,
    };
    carts::add(app.pool(), who.member(), add, app.clock.now())
        .await
        .map_err(refused)
}
