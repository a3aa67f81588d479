//! GET /api/console/users/payments: user payments, newest first; a seller sees those for their own goods.

use axum::extract::State;
use domain::ids::MemberId;
use domain::user_payment::UserPaymentStatus;
use projections::user_payments::{self, UserPaymentFilter, orders_of_awaiting, user_payment_list};
use projections::{members, orders};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{UserPaymentView, named};
use crate::app::AppState;
use crate::console::period::Period;
use crate::console::purchases::reader;
use crate::http::{
    ApiResponse, ApiResult, AppResult, ConsistencyToken, Page, Query, RowScope, StaffOrSeller,
    Summary,
};

/// Filters of the list.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct UserPaymentListQuery {
    /// Only with this status.
    #[param(inline)]
    status: Option<UserPaymentStatus>,
    /// Only of this member.
    #[serde(rename = "_user")]
    member: Option<MemberId>,
    /// Its number, or that of its order or purchase, or a prefix of one.
    search_value: Option<String>,
    /// Requested from this time, or from the beginning of this day.
    created_at_from: Option<String>,
    /// Requested before this time, or until the end of this day.
    created_at_to: Option<String>,
}

impl UserPaymentListQuery {
    fn filter(self, rows: RowScope) -> AppResult<UserPaymentFilter> {
        let period = Period::of(self.created_at_from, self.created_at_to);
        Ok(UserPaymentFilter {
            seller: rows.seller(),
            member: self.member,
            status: self.status,
            // An empty parameter is no filter.
            search: self.search_value.filter(|text| !text.trim().is_empty()),
            from: period.from()?,
            to: period.to()?,
        })
    }
}

/// A page of user payments.
#[derive(Serialize, ToSchema)]
pub struct UserPaymentListAnswer {
    summary: Summary,
    /// The page, newest first.
    payments: Vec<UserPaymentView>,
}

/// What buyers are asked to pay besides their orders.
#[utoipa::path(
    get, path = "/api/console/users/payments", tag = "console", operation_id = "listUserPayments",
    params(UserPaymentListQuery, Page), security(("access" = [])),
    responses((status = OK, body = UserPaymentListAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(query): Query<UserPaymentListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<UserPaymentListAnswer>> {
    let read = [user_payments::NAME, orders::NAME, members::NAME];
    let fresh = wait.until(&app, &read).await?;
    let found = user_payment_list(app.pool(), &query.filter(who.rows)?, page.into()).await?;
    let summary = Summary::of(&found);
    let orders = orders_of_awaiting(app.pool(), &found.rows).await?;
    let payments = named(&app, (found.rows, &orders), reader(who.rows)).await?;
    Ok(fresh.answer(UserPaymentListAnswer { summary, payments }))
}
