//! Points as staff deals with them: one grant of one member, and grants for many members at once.

mod bulk;
mod granted;
mod liability;

use domain::Amount;
use domain::forms::{FormErrors, LAST_DAY, MEMO, Validate};
use domain::validation::AMOUNT_MOST;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::http::{AppError, AppResult};

/// The calls.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .merge(granted::routes())
        .merge(bulk::routes())
        .merge(liability::routes())
}

/// Checks what every grant of points says: the amount, the reason, and the last day.
fn check_grant(checks: &mut FormErrors, (amounts, memo, expires_at): (Amount, &str, Option<&str>)) {
    let is_amount = amounts > Amount::ZERO && amounts <= AMOUNT_MOST;
    checks
        .when(
            is_amount,
            "amounts",
            "amount_required",
            "적립금을 0보다 크고 100억 이하로 입력해 주세요.",
        )
        .text("memo", memo, MEMO)
        .optional("expiresAt", expires_at, LAST_DAY);
}

/// Why something is taken back.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MemoQuery {
    /// The reason, as the member reads it.
    #[serde(default)]
    memo: String,
}

impl Validate for MemoQuery {
    fn check(&self, checks: &mut FormErrors) {
        checks.text("memo", &self.memo, MEMO);
    }
}

impl MemoQuery {
    /// The reason.
    ///
    /// # Errors
    /// `invalid` at `memo`.
    pub fn memo(&self) -> AppResult<String> {
        let errors = self.errors();
        match errors.is_empty() {
            true => Ok(self.memo.trim().to_owned()),
            false => Err(AppError::invalid(errors)),
        }
    }
}
