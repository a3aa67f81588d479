//! Days as the shop counts them: Seoul, nine hours ahead of UTC, without summer time.

use time::{Date, OffsetDateTime, UtcOffset, macros::offset};

/// Seoul's offset.
pub const OFFSET: UtcOffset = offset!(+9);

// Days on the wire and in the log: `2026-11-29`, whatever features of `time` a build switches on.
time::serde::format_description!(pub(crate) day_text, Date, "[year]-[month]-[day]");

/// The day it is in Seoul at `moment`.
pub fn day(moment: OffsetDateTime) -> Date {
    moment.to_offset(OFFSET).date()
}
