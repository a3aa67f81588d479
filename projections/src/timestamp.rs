//! Format of timestamps and dates in rows and on the wire: RFC 3339 in whole microseconds (the precision of Postgres), dates as
//! `YYYY-MM-DD`.

use serde::{Deserialize, Deserializer, Serializer, de, ser};
use time::format_description::well_known::Rfc3339;
use time::{Date, OffsetDateTime, UtcOffset};

/// The timestamp in UTC, truncated to the precision of Postgres.
pub(crate) fn whole_micros(at: OffsetDateTime) -> OffsetDateTime {
    let at = at.to_offset(UtcOffset::UTC);
    at.replace_nanosecond(at.microsecond().saturating_mul(1000))
        .unwrap_or(at)
}

pub(crate) fn serialize<S: Serializer>(
    at: &OffsetDateTime,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let text = whole_micros(*at)
        .format(&Rfc3339)
        .map_err(ser::Error::custom)?;
    serializer.serialize_str(&text)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<OffsetDateTime, D::Error> {
    let text = String::deserialize(deserializer)?;
    OffsetDateTime::parse(&text, &Rfc3339)
        .map(|at| at.to_offset(UtcOffset::UTC))
        .map_err(de::Error::custom)
}

/// The same for an optional timestamp.
pub(crate) mod option {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(
        at: &Option<OffsetDateTime>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match at {
            Some(at) => super::serialize(at, serializer),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<OffsetDateTime>, D::Error> {
        #[derive(Deserialize)]
        struct Moment(#[serde(with = "super")] OffsetDateTime);
        Ok(Option::<Moment>::deserialize(deserializer)?.map(|moment| moment.0))
    }
}

/// An optional date.
pub(crate) mod day {
    use super::*;
    use time::macros::format_description;

    const FORMAT: &[time::format_description::BorrowedFormatItem<'_>] =
        format_description!("[year]-[month]-[day]");

    pub(crate) fn serialize<S: Serializer>(
        day: &Option<Date>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match day {
            Some(day) => serializer.serialize_str(&day.format(FORMAT).map_err(ser::Error::custom)?),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Date>, D::Error> {
        Option::<String>::deserialize(deserializer)?
            .map(|text| Date::parse(&text, FORMAT).map_err(de::Error::custom))
            .transpose()
    }
}
