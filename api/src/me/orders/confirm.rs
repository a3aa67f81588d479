//! POST /api/v1/me/orders/{id}/confirm: I have it and keep it.

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::order::{Action, Order, OrderCommand, Reader};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, OrderViewer, Path, ValidJson};
use crate::shop::orders::detail::{FoundOrder, OrderAnswer, after};
use application::executor::{AppendBatch, CommandContext, decide};

/// What is confirmed.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmed {
    /// The purchase; without one everything that can be.
    #[serde(default)]
    purchase_no: Option<String>,
}

impl Validate for Confirmed {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Confirm purchases.
#[utoipa::path(
    post, path = "/api/v1/me/orders/{id}/confirm", tag = "me", operation_id = "confirmMyOrder", security(("access" = [])),
    params(("id" = String, Path)), request_body = Confirmed,
    responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn confirm(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<Confirmed>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let id = FoundOrder::own(&app, &id, &who).await?.id;
    let command = CommandContext::new("confirm-purchase", who.actor(), &origin);
    let done = app
        .executor
        .transact(&command, |context| {
            let (app, named) = (&app, body.purchase_no.clone());
            async move {
                let order = app.store.load::<Order>(&id.to_string()).await?;
                let all = || order.state.purchases_for(Reader::Buyer, Action::Confirm);
                let purchase_nos = named.map_or_else(all, |named| vec![named]);
                let act = OrderCommand::Confirm { purchase_nos };
                Ok(AppendBatch::of([decide(id, &order, act, &context)?]))
            }
        })
        .await?;
    Ok(after(&app, &done, id, Reader::Buyer).await?)
}
