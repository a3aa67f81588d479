//! Public holidays, one record a day. Nothing computes them: substitute holidays, elections and days declared at short notice follow
//! no rule that lasts.

use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};
use time::Date;
use time::macros::date;
use utoipa::ToSchema;

use crate::business_day::day_text;
use crate::record::{Resource, UniqueCode};
use crate::resource_names;
use crate::validation::{FieldError, RecordErrors};

/// Scope of the reservation of a holiday's date: a day has one record.
pub const DATE_SCOPE: &str = "holiday-date";

/// Accepted days: the shop is younger than the first, and the last is that of every date (spec V151).
const DATES: RangeInclusive<Date> = date!(2000 - 01 - 01)..=date!(2999 - 12 - 31);

/// A holiday record (kind `holiday`): a day that is not a business day, whatever its weekday.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Holiday {
    /// The Seoul day, e.g. `2026-09-25`.
    #[serde(with = "day_text")]
    #[schema(value_type = String, format = Date)]
    pub date: Date,
    /// Display name.
    pub name: String,
}

impl Resource for Holiday {
    resource_names!("holiday", "Holiday", "공휴일");
    const UNIQUE: Option<UniqueCode> = Some(UniqueCode {
        scope: DATE_SCOPE,
        fields: &["date"],
        taken: "이미 등록한 날짜입니다.",
    });
    type Data = Self;

    fn validate(data: &Self) -> Result<(), Vec<FieldError>> {
        let mut errors = RecordErrors::default();
        errors.require(
            DATES.contains(&data.date),
            "date",
            "out_of_range",
            "2000-01-01에서 2999-12-31 사이의 날짜를 입력해 주세요.",
        );
        errors.name(
            "name",
            &data.name,
            "공휴일 이름을 두 글자 이상 입력해 주세요.",
        );
        errors.finish()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn dates_no_list_could_sort_are_refused() {
        let holiday = |date| Holiday {
            date,
            name: "추석".to_owned(),
        };
        for (date, fine) in [
            (date!(1999 - 12 - 31), false),
            (date!(2000 - 01 - 01), true),
            (date!(2999 - 12 - 31), true),
            (date!(3000 - 01 - 01), false),
            (date!(-0001 - 01 - 01), false),
        ] {
            let errors = Holiday::validate(&holiday(date)).err().unwrap_or_default();
            let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
            assert_eq!(fields.is_empty(), fine, "{date}");
            assert!(fields.iter().all(|field| *field == "date"), "{date}");
        }
    }

    #[test]
    fn only_a_day_of_the_calendar_is_a_date() {
        let read = |date: &str| -> Result<Holiday, _> {
            serde_json::from_value(json!({ "date": date, "name": "추석" }))
        };
        assert_eq!(read("2026-09-25").unwrap().date, date!(2026 - 09 - 25));
        for wrong in [
            "2026-02-29",
            "2026-9-25",
            "20260925",
            "2026-09-25T00:00:00Z",
            "",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
