//! PUT /api/v1/me/orders/{id}/refundAccount: sets the bank account for refunds of virtual-account payments. Members prove with their
//! password that it is them; the token of a guest's order was given for its number and phone.

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::ids::MemberId;
use domain::order::Reader;
use domain::personal::BankAccount;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, AppResult, OrderViewer, Path, ValidJson};
use crate::shop::orders::detail::{OrderAnswer, after};
use application::access::Shopper;
use application::executor::CommandContext;
use application::members::confirm::{Proof, confirm};
use application::orders::find::FoundOrder;
use application::orders::form::account;
use application::payments::refund_account::give;

/// The refund account of the buyer's own order.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MyRefundAccountForm {
    /// The bank account.
    account: BankAccount,
    /// The current password; members only.
    #[serde(default)]
    current_password: String,
}

impl Validate for MyRefundAccountForm {
    fn check(&self, errors: &mut FormErrors) {
        account(errors, "account", Some(&self.account));
    }
}

impl MyRefundAccountForm {
    /// Refuses a missing or wrong password. Wrong ones are counted together with those of other confirmations.
    async fn confirmed(&self, app: &AppState, member: MemberId) -> AppResult<()> {
        let field = |code: &str, message: &str| {
            Err(AppError::invalid_field("currentPassword", code, message))
        };
        if self.current_password.is_empty() {
            return field("required", "현재 비밀번호를 입력해 주세요.");
        }
        let proof = Proof::Password(self.current_password.clone());
        match confirm(app, member, proof).await? {
            Some(_) => Ok(()),
            None => field("current_password", "현재 비밀번호를 확인해 주세요."),
        }
    }
}

/// Set the refund account.
#[utoipa::path(
    put, path = "/api/v1/me/orders/{id}/refundAccount", tag = "me", operation_id = "giveRefundAccount", security(("access" = [])),
    params(("id" = String, Path)), request_body = MyRefundAccountForm,
    responses(
        (status = OK, body = OrderAnswer),
        (status = BAD_REQUEST, description = "invalid; of `currentPassword`: a member's is missing or wrong"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests: five wrong passwords in a row"),
        (status = CONFLICT, description = "not_allowed_now: the order has no virtual account")
    )
)]
pub(crate) async fn refund_account(
    State(app): State<AppState>,
    who: OrderViewer,
    Path(id): Path<String>,
    ValidJson { body, origin }: ValidJson<MyRefundAccountForm>,
) -> ApiResult<ApiResponse<OrderAnswer>> {
    let found = FoundOrder::own(&app, &id, &who).await?;
    let command = CommandContext::new("give-refund-account", who.actor(), &origin);
    if let Shopper::Member(member) = who.shopper
        && app.executor.stored_outcome(&command).await?.is_none()
    {
        body.confirmed(&app, member).await?;
    }
    let done = give(&app, &command, found.id, &body.account).await?;
    Ok(after(&app, &done, found.id, Reader::Buyer).await?)
}
