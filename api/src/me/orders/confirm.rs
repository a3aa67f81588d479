//! POST /api/v1/me/orders/{id}/confirm: the buyer confirms purchases after delivery.

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::order::{Action, Order, OrderCommand, Reader};
use domain::unit_of_work::UnitOfWork;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, OrderViewer, Path, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after};
use application::executor::CommandContext;
use application::orders::find::FoundOrder;

/// Purchases to confirm.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmForm {
    /// Number of the purchase; default: all that can be confirmed.
    #[serde(default)]
    purchase_no: Option<String>,
}

impl Validate for ConfirmForm {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Confirm purchases.
#[utoipa::path(
    post, path = "/api/v1/me/orders/{id}/confirm", tag = "me", operation_id = "confirmMyOrder", security(("access" = [])),
    params(("id" = String, Path)), request_body = ConfirmForm,
    responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn confirm(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<ConfirmForm>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let id = FoundOrder::own(&app, &id, &who).await?.id;
    let command = CommandContext::new("confirm-purchase", who.actor(), &origin);
    let confirm = |work: &mut UnitOfWork| {
        let order = work.state::<Order>(id);
        let all = || order.purchases_for(Reader::Buyer, Action::Confirm);
        let purchase_nos = body
            .purchase_no
            .clone()
            .map_or_else(all, |named| vec![named]);
        work.decide::<Order>(id, OrderCommand::Confirm { purchase_nos })?;
        Ok(())
    };
    let done = app.executor.commit(&command, confirm).await?;
    Ok(after(&app, &done, id, Reader::Buyer).await?)
}
