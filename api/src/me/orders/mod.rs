//! The member's orders.

pub mod cancel;
pub mod confirm;
pub mod list;
pub mod refund_account;
pub mod show;
pub mod to_cart;

use domain::validation::FieldError;
use projections::orders::{ClaimStep, OrderFilter, OrderSlice};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::http::{AppError, AppResult, Code};

/// List of orders or claims, and a step of claims (spec V100-V105).
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OrderFilterQuery {
    /// The list.
    #[param(inline)]
    filter: Option<OrderFilter>,
    /// In a list of claims, only those at this step.
    #[param(inline)]
    step: Option<ClaimStep>,
}

impl OrderFilterQuery {
    /// The filter of the read model.
    ///
    /// # Errors
    /// `invalid_query` for a step in a list without steps.
    pub fn slice(&self) -> AppResult<OrderSlice> {
        let filter = self.filter.unwrap_or_default();
        if self.step.is_some() && !filter.is_of_claims() {
            let message = "취소·교환·반품 목록에서만 고를 수 있습니다.";
            let complaint = FieldError::new("step", "not_allowed", message);
            return Err(AppError::new(Code::InvalidQuery).with_fields(vec![complaint]));
        }
        Ok(OrderSlice {
            filter,
            step: self.step,
        })
    }
}
