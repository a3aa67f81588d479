//! Selection of purchases: by tab, search, period, and the caller's rows. The list, its export and bulk changes use the same selection.

use application::resources::bulk::Matching;
use application::resources::list_query::refused;
use domain::business_day::day;
use domain::ids::MemberId;
use domain::order::paid_for_due;
use domain::shipping::ShippingMethod;
use projections::orders::{ConsoleFilter, DispatchFilter, DispatchState, PurchaseTab};
use projections::refunds::holidays;
use serde::Deserialize;
use utoipa::IntoParams;

use super::searching;
use crate::app::AppState;
use crate::console::period::Period;
use crate::http::query::oldest_first;
use crate::http::{AppResult, RowScope};

/// Filters of the purchase list.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PurchaseListQuery {
    /// The tab.
    #[serde(default)]
    #[param(inline)]
    tab: PurchaseTab,
    /// Only purchases of this seller.
    #[serde(rename = "seller._id")]
    sold_by: Option<MemberId>,
    /// A part of a number, a product's name, the exact name, nickname or phone of a buyer or receiver, or the last four digits of the phone.
    search_value: Option<String>,
    /// The state on the way to the buyer.
    #[param(inline)]
    dispatch: Option<DispatchState>,
    /// Whether a claim on it waits for its next step.
    pending: Option<bool>,
    /// Courier code.
    courier: Option<String>,
    /// The way of delivery.
    #[param(inline)]
    method: Option<ShippingMethod>,
    /// Paid from this day on.
    paid_at_from: Option<String>,
    /// Paid until this day.
    paid_at_to: Option<String>,
    /// To be sent from this day on.
    ship_by_from: Option<String>,
    /// To be sent until this day.
    ship_by_to: Option<String>,
    /// `-createdAt` (default) or `createdAt`.
    sort: Option<String>,
}

/// The filters of the list, by parameter name.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Filters {
    #[serde(default)]
    tab: PurchaseTab,
    #[serde(rename = "seller._id")]
    sold_by: Option<MemberId>,
    #[serde(alias = "from")]
    created_at_from: Option<String>,
    #[serde(alias = "to")]
    created_at_to: Option<String>,
    dispatch: Option<DispatchState>,
    pending: Option<bool>,
    courier: Option<String>,
    method: Option<ShippingMethod>,
    paid_at_from: Option<String>,
    paid_at_to: Option<String>,
    ship_by_from: Option<String>,
    ship_by_to: Option<String>,
}

impl PurchaseListQuery {
    /// The selection of a bulk change. An unknown filter is rejected: ignoring it would select more than was shown.
    ///
    /// # Errors
    /// `invalid_query`.
    pub(super) fn matching(said: Matching) -> AppResult<(Self, Period)> {
        let filters = said.filters.into_iter().collect();
        let filters: Filters = serde_json::from_value(filters)
            .map_err(|_| refused("filters", "unknown_filter", "알 수 없는 조회 조건입니다."))?;
        let query = Self {
            tab: filters.tab,
            sold_by: filters.sold_by,
            search_value: said.search_value,
            dispatch: filters.dispatch,
            pending: filters.pending,
            courier: filters.courier,
            method: filters.method,
            paid_at_from: filters.paid_at_from,
            paid_at_to: filters.paid_at_to,
            ship_by_from: filters.ship_by_from,
            ship_by_to: filters.ship_by_to,
            sort: None,
        };
        let period = Period::of(filters.created_at_from, filters.created_at_to);
        Ok((query, period))
    }

    /// The filter of the read model.
    ///
    /// # Errors
    /// `invalid_query` for a malformed period; database errors.
    pub(super) async fn filter(
        &self,
        app: &AppState,
        rows: RowScope,
        period: &Period,
    ) -> AppResult<ConsoleFilter> {
        let paid = Period::of(self.paid_at_from.clone(), self.paid_at_to.clone());
        let mut paid = (paid.from()?, paid.to()?);
        let due = Period::of(self.ship_by_from.clone(), self.ship_by_to.clone());
        let due = (due.from()?, due.to()?);
        let mut dispatch = None;
        if self.dispatch.is_some() || due != (None, None) {
            let holidays = holidays(app.pool()).await?;
            let first = |moment| paid_for_due(day(moment), &holidays);
            // What has to be sent in a period was paid in another one.
            paid.0 = paid.0.max(due.0.map(first));
            paid.1 = [paid.1, due.1.map(first)].into_iter().flatten().min();
            dispatch = self.dispatch.map(|state| DispatchFilter {
                state,
                late_before: first(app.clock.now()),
            });
        }
        Ok(ConsoleFilter {
            dispatch,
            pending: self.pending.unwrap_or(false),
            courier: self.courier.clone().filter(|courier| !courier.is_empty()),
            method: self.method,
            paid,
            tab: self.tab,
            from: period.from()?,
            to: period.to()?,
            seller: rows.seller(),
            sold_by: self.sold_by,
            oldest_first: oldest_first(self.sort.as_deref(), "createdAt")?,
            ..searching(app, self.search_value.as_deref()).await?
        })
    }
}
