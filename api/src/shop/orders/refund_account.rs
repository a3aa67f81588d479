//! The form of a refund account.

use application::orders::form::account;
use domain::forms::{FormErrors, Validate};
use domain::personal::BankAccount;
use serde::Deserialize;
use utoipa::ToSchema;

/// The refund account.
#[derive(Clone, Deserialize, ToSchema)]
pub struct RefundAccountForm {
    /// The bank account.
    pub account: BankAccount,
}

impl Validate for RefundAccountForm {
    fn check(&self, errors: &mut FormErrors) {
        account(errors, "account", Some(&self.account));
    }
}
