//! Sales statistics: `from` and `to` are days in Seoul, by default the last thirty. A seller sees their own.

pub mod sales;

use domain::business_day;
use domain::validation::FieldError;
use projections::orders::SalesFilter;
use serde::{Serialize, Serializer};
use time::{Date, Duration};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::app::AppState;
use crate::console::period::Period;
use crate::http::routes;
use crate::http::{AppError, AppResult, Code, RowScope};

/// Default period.
const USUAL: Duration = Duration::days(30);
/// Maximum period.
const MOST: Duration = Duration::days(366);

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(sales::daily))
        .routes(routes!(sales::monthly))
        .routes(routes!(sales::weekdays))
        .routes(routes!(sales::products))
}

/// The evaluated period, both days included.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
pub struct Days {
    /// Its first day.
    #[serde(serialize_with = "text")]
    #[schema(value_type = String, example = "2026-11-01")]
    from: Date,
    /// Its last day.
    #[serde(serialize_with = "text")]
    #[schema(value_type = String, example = "2026-11-30")]
    to: Date,
}

/// A day as `2026-11-21`.
fn text<S: Serializer>(day: &Date, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(day)
}

impl Days {
    /// All days of the period.
    fn each(self) -> impl Iterator<Item = Date> {
        std::iter::successors(Some(self.from), |day| day.next_day())
            .take_while(move |day| *day <= self.to)
    }
}

/// The period, and the filter for the caller.
///
/// # Errors
/// `invalid_query`: a malformed period, one that ends before it begins, or one longer than a year.
fn days_and_filter(
    app: &AppState,
    rows: RowScope,
    period: &Period,
) -> AppResult<(Days, SalesFilter)> {
    let tomorrow = business_day::day(app.clock.now() + Duration::DAY);
    let to = match period.to()? {
        Some(to) => to,
        None => tomorrow.midnight().assume_offset(business_day::OFFSET),
    };
    let from = match period.from()? {
        Some(from) => from,
        None => to - USUAL,
    };
    let wrong = |code: &str, message: &str| {
        let complaint = FieldError::new("from", code, message);
        Err(AppError::new(Code::InvalidQuery).with_fields(vec![complaint]))
    };
    if from >= to {
        return wrong("out_of_order", "시작일은 종료일보다 늦을 수 없습니다.");
    }
    if to - from > MOST {
        return wrong("too_long", "기간은 1년을 넘을 수 없습니다.");
    }
    let days = Days {
        from: business_day::day(from),
        to: business_day::day(to - Duration::NANOSECOND),
    };
    let filter = SalesFilter {
        from,
        to,
        seller: rows.seller(),
    };
    Ok((days, filter))
}
