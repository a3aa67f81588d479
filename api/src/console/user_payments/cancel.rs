//! PUT /api/console/users/payments/{id}/cancel: the fee of an exchange is waived.

use std::collections::BTreeMap;

use application::executor::CommandContext;
use application::orders::exchanges::handle;
use application::orders::find::FoundOrder;
use axum::extract::State;
use domain::forms::{FormErrors, REASON, Validate};
use domain::ids::UserPaymentId;
use domain::order::OrderCommand;
use domain::user_payment::{UserPayment, UserPaymentPurpose};
use event_store::StreamId;
use projections::user_payments::{UserPaymentOfGoods, row_of};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{UserPaymentAnswer, named};
use crate::app::AppState;
use crate::console::purchases::reader;
use crate::http::{ApiResponse, ApiResult, AppError, Path, Respond, StaffOrSeller, ValidJson};

/// Why it is canceled.
#[derive(Deserialize, ToSchema)]
pub struct UserPaymentCancelBody {
    /// The reason, kept in the history of the order.
    reason: String,
}

impl Validate for UserPaymentCancelBody {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("reason", &self.reason, REASON);
    }
}

/// Cancel a user payment that is not paid yet: the exchange goes on without its fee. The buyer gets an alarm. By staff, or by the seller, whose
/// money it would be.
#[utoipa::path(
    put, path = "/api/console/users/payments/{id}/cancel", tag = "console", operation_id = "cancelUserPayment",
    params(("id" = UserPaymentId, Path)), request_body = UserPaymentCancelBody, security(("access" = [])),
    responses(
        (status = OK, body = UserPaymentAnswer),
        (status = NOT_FOUND, description = "not_found"),
        (status = CONFLICT, description = "not_allowed_now: it is paid, or its exchange has ended")
    )
)]
pub(crate) async fn cancel(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<UserPaymentId>,
    ValidJson { body, origin }: ValidJson<UserPaymentCancelBody>,
) -> ApiResult<ApiResponse<UserPaymentAnswer>> {
    let asked = app.store.load::<UserPayment>(&id.to_string()).await?;
    let asked = asked.state.terms.ok_or_else(AppError::not_found)?;
    let UserPaymentPurpose::ExchangeFee {
        order,
        purchase_no,
        claim,
        ..
    } = asked.purpose;
    let found = FoundOrder::by_id(&app, order).await?;
    let state = &found.order.state;
    let purchase = state.purchase(&purchase_no);
    let seller = purchase.ok_or_else(AppError::not_found)?.seller;
    who.rows.reaches(seller)?;
    let name = state
        .purchase_terms(&purchase_no)
        .map(|line| line.name.clone());
    let reason = body.reason.trim().to_owned();
    let command = CommandContext::new("cancel-user-payment", who.actor(), &origin)
        .with_reason(reason.clone());
    let waive = OrderCommand::WaiveFee {
        claim,
        reason,
        by: reader(who.rows),
    };
    let done = handle(&app, &command, order, waive).await?;
    // from the log: the read model may lag behind
    let events = app
        .store
        .read_stream(&StreamId::of::<UserPayment>(id))
        .await?;
    let row = row_of(&events)?.ok_or_else(AppError::not_found)?;
    let name = name.unwrap_or_default();
    let after = FoundOrder::by_id(&app, order).await?.order.state;
    let orders = BTreeMap::from([(order, after)]);
    let found = vec![UserPaymentOfGoods { row, seller, name }];
    let shown = named(&app, (found, &orders), reader(who.rows)).await?.pop();
    let payment = shown.ok_or_else(AppError::not_found)?;
    Ok(done.answer(UserPaymentAnswer { payment }))
}
