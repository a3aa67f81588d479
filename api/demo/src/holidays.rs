//! Korea's public holidays of this and the next year.

use application::access::Session;
use domain::business_day;
use serde_json::json;

use crate::client::ApiClient;

/// Holidays with a fixed date.
const EVERY_YEAR: [(&str, &str); 10] = [
    ("01-01", "신정"),
    ("03-01", "삼일절"),
    ("05-01", "노동절"),
    ("05-05", "어린이날"),
    ("06-06", "현충일"),
    ("07-17", "제헌절"),
    ("08-15", "광복절"),
    ("10-03", "개천절"),
    ("10-09", "한글날"),
    ("12-25", "성탄절"),
];

/// Holidays of one year: by the lunar calendar, elections and substitutes, as far as they are known.
const MOVABLE: [(i32, &[(&str, &str)]); 3] = [
    (
        2026,
        &[
            ("02-16", "설날 연휴"),
            ("02-17", "설날"),
            ("02-18", "설날 연휴"),
            ("03-02", "대체공휴일(삼일절)"),
            ("05-24", "부처님오신날"),
            ("05-25", "대체공휴일(부처님오신날)"),
            ("06-03", "전국동시지방선거"),
            ("08-17", "대체공휴일(광복절)"),
            ("09-24", "추석 연휴"),
            ("09-25", "추석"),
            ("09-26", "추석 연휴"),
            ("10-05", "대체공휴일(개천절)"),
        ],
    ),
    (
        2027,
        &[
            ("02-06", "설날 연휴"),
            ("02-07", "설날"),
            ("02-08", "설날 연휴"),
            ("02-09", "대체공휴일(설날)"),
            ("05-03", "대체공휴일(노동절)"),
            ("05-13", "부처님오신날"),
            ("07-19", "대체공휴일(제헌절)"),
            ("08-16", "대체공휴일(광복절)"),
            ("09-14", "추석 연휴"),
            ("09-15", "추석"),
            ("09-16", "추석 연휴"),
            ("10-04", "대체공휴일(개천절)"),
            ("10-11", "대체공휴일(한글날)"),
            ("12-27", "대체공휴일(성탄절)"),
        ],
    ),
    (
        // Chuseok is on 3 October.
        2028,
        &[
            ("01-26", "설날 연휴"),
            ("01-27", "설날"),
            ("01-28", "설날 연휴"),
            ("04-12", "국회의원 선거"),
            ("05-02", "부처님오신날"),
            ("10-02", "추석 연휴"),
            ("10-04", "추석 연휴"),
            ("10-05", "대체공휴일(추석)"),
        ],
    ),
];

/// The days of a year, by date, and their names.
fn holidays_of(year: i32) -> Vec<(String, &'static str)> {
    let known = MOVABLE.iter().find(|(known, _)| *known == year);
    let movable = known.map_or(&[][..], |(_, days)| days);
    let days = EVERY_YEAR.iter().chain(movable);
    let mut days: Vec<_> = days
        .map(|(day, name)| (format!("{year}-{day}"), *name))
        .collect();
    days.sort_unstable();
    days
}

/// Creates the holidays of this and the next year.
pub(crate) async fn create(client: &mut ApiClient, operator: &Session) -> anyhow::Result<()> {
    let year = business_day::day(client.now).year();
    for (date, name) in [year, year + 1].into_iter().flat_map(holidays_of) {
        let holiday = json!({ "date": date, "name": name });
        client
            .post(Some(operator), "/api/console/shop/holidays", &holiday)
            .await?;
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use std::collections::BTreeSet;

    use domain::business_day::is_business_day;
    use time::Date;
    use time::format_description::well_known::Iso8601;

    use super::*;

    #[test]
    fn a_substitute_holiday_would_be_a_business_day() {
        for (year, count) in [(2026, 22), (2027, 24), (2028, 18), (2029, 10)] {
            let days: Vec<(Date, &str)> = holidays_of(year)
                .into_iter()
                .map(|(day, name)| (Date::parse(&day, &Iso8601::DATE).unwrap(), name))
                .collect();
            let dates: BTreeSet<Date> = days.iter().map(|(day, _)| *day).collect();
            assert_eq!((days.len(), dates.len()), (count, count), "{year}");
            for (day, _) in days.iter().filter(|(_, name)| name.starts_with("대체")) {
                let mut others = dates.clone();
                assert!(
                    others.remove(day) && is_business_day(*day, &others),
                    "{day}"
                );
            }
        }
    }
}
