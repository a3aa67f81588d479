//! Periods of lists: `from` and `to` as moments, or as Seoul days (`to` included).

use domain::business_day;
use serde::Deserialize;
use time::OffsetDateTime;
use utoipa::IntoParams;

use crate::http::{AppError, AppResult, Code};

/// A period as the query says it.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Period {
    /// From this moment, or from the beginning of this day.
    #[serde(alias = "createdAtFrom")]
    from: Option<String>,
    /// Before this moment, or to the end of this day.
    #[serde(alias = "createdAtTo")]
    to: Option<String>,
}

impl Period {
    /// From and to, as a query would say them.
    pub fn of(from: Option<String>, to: Option<String>) -> Self {
        Self { from, to }
    }

    /// Where it begins.
    ///
    /// # Errors
    /// `invalid_query`.
    pub fn from(&self) -> AppResult<Option<OffsetDateTime>> {
        parse_bound(self.from.as_deref(), business_day::begin)
    }

    /// Where it ends; that moment is outside.
    ///
    /// # Errors
    /// `invalid_query`.
    pub fn to(&self) -> AppResult<Option<OffsetDateTime>> {
        parse_bound(self.to.as_deref(), business_day::end)
    }
}

fn parse_bound(
    text: Option<&str>,
    moment: fn(&str) -> Option<OffsetDateTime>,
) -> AppResult<Option<OffsetDateTime>> {
    text.filter(|text| !text.trim().is_empty())
        .map(|text| moment(text).ok_or_else(|| AppError::new(Code::InvalidQuery)))
        .transpose()
}
