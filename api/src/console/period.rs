//! Periods of lists: `from` and `to` as moments, or as Seoul days (`to` included).

use domain::seoul;
use serde::Deserialize;
use time::format_description::well_known::{Iso8601, Rfc3339};
use time::{Date, Duration, OffsetDateTime};
use utoipa::IntoParams;

use crate::http::{ApiError, ApiResult, Code};

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
    pub fn from(&self) -> ApiResult<Option<OffsetDateTime>> {
        moment(self.from.as_deref(), Duration::ZERO)
    }

    /// Where it ends; that moment is outside.
    ///
    /// # Errors
    /// `invalid_query`.
    pub fn to(&self) -> ApiResult<Option<OffsetDateTime>> {
        moment(self.to.as_deref(), Duration::DAY)
    }
}

fn moment(text: Option<&str>, of_a_day: Duration) -> ApiResult<Option<OffsetDateTime>> {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else {
        return Ok(None);
    };
    if let Ok(at) = OffsetDateTime::parse(text, &Rfc3339) {
        return Ok(Some(at));
    }
    let day = Date::parse(text, &Iso8601::DATE).map_err(|_| ApiError::new(Code::InvalidQuery))?;
    Ok(Some(day.midnight().assume_offset(seoul::OFFSET) + of_a_day))
}
