//! Selection of purchases: by tab, search, period, and the caller's rows. The list, its export and bulk changes use the same selection.

use application::resources::bulk::Matching;
use application::resources::list_query::refused;
use domain::ids::MemberId;
use projections::orders::{ConsoleFilter, PurchaseTab};
use serde::Deserialize;
use utoipa::IntoParams;

use super::searching;
use crate::app::AppState;
use crate::console::period::Period;
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
    /// A number, a product's name, or the exact name or phone number of a buyer or receiver.
    search_value: Option<String>,
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
            sort: None,
        };
        let period = Period::of(filters.created_at_from, filters.created_at_to);
        Ok((query, period))
    }

    /// The filter of the read model.
    ///
    /// # Errors
    /// `invalid_query` for a malformed period.
    pub(super) fn filter(
        &self,
        app: &AppState,
        rows: RowScope,
        period: &Period,
    ) -> AppResult<ConsoleFilter> {
        Ok(ConsoleFilter {
            tab: self.tab,
            from: period.from()?,
            to: period.to()?,
            seller: rows.seller(),
            sold_by: self.sold_by,
            oldest_first: self.sort.as_deref() == Some("createdAt"),
            ..searching(app, self.search_value.as_deref())
        })
    }
}
