//! Which purchases are meant: of a tab, with these words, of a period, within the rows of whoever asks. The list, its file and
//! what is done to all of it mean the same by it.

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
    /// Only this seller's.
    #[serde(rename = "seller._id")]
    sold_by: Option<MemberId>,
    /// A number, a product's name, or exactly a person's name or phone.
    search_value: Option<String>,
    /// `-createdAt` (usual) or `createdAt`.
    sort: Option<String>,
}

/// The filters of the list, by the names it gives them.
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
    /// What a list says when all of it is meant. A condition nobody knows is refused: without it more would be meant than was
    /// shown.
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

    /// As the read model takes it.
    ///
    /// # Errors
    /// `invalid_query` for a period that is none.
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
