//! Periods of lists: `from` and `to` as timestamps, or as days in Seoul (`to` included).

use domain::business_day;
use serde::Deserialize;
use time::OffsetDateTime;
use utoipa::IntoParams;

use crate::http::AppResult;
use crate::http::query::invalid_query;

/// A period in a query.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Period {
    /// From this time, or from the beginning of this day.
    #[serde(alias = "createdAtFrom")]
    from: Option<String>,
    /// Before this time, or until the end of this day.
    #[serde(alias = "createdAtTo")]
    to: Option<String>,
}

impl Period {
    /// From and to, in the format of a query.
    pub fn of(from: Option<String>, to: Option<String>) -> Self {
        Self { from, to }
    }

    /// The start of the period.
    ///
    /// # Errors
    /// `invalid_query`.
    pub fn from(&self) -> AppResult<Option<OffsetDateTime>> {
        parse_bound(("from", self.from.as_deref()), business_day::begin)
    }

    /// The end of the period, exclusive.
    ///
    /// # Errors
    /// `invalid_query`.
    pub fn to(&self) -> AppResult<Option<OffsetDateTime>> {
        parse_bound(("to", self.to.as_deref()), business_day::end)
    }
}

fn parse_bound(
    (name, text): (&str, Option<&str>),
    moment: fn(&str) -> Option<OffsetDateTime>,
) -> AppResult<Option<OffsetDateTime>> {
    text.filter(|text| !text.trim().is_empty())
        .map(|text| moment(text).ok_or_else(|| invalid_query(name)))
        .transpose()
}
