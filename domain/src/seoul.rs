//! Days as the shop counts them: Seoul, nine hours ahead of UTC, without summer time.

use time::{Date, OffsetDateTime, UtcOffset, macros::offset};

/// Seoul's offset.
pub const OFFSET: UtcOffset = offset!(+9);

/// The day it is in Seoul at `moment`.
pub fn day(moment: OffsetDateTime) -> Date {
    moment.to_offset(OFFSET).date()
}
