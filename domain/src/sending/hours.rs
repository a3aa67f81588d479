//! Hours in which advertising may be sent, and how it is marked (Act on Promotion of Information and Communications Network Utilization,
//! art. 50).

use time::{OffsetDateTime, Time, macros::time};

use crate::business_day;

/// Advertising is sent from this time of day in Seoul on.
const FROM: Time = time!(08:00);
/// And before this one.
const UNTIL: Time = time!(21:00);

/// Put at the front of the title of advertising.
pub const ADVERTISING_MARK: &str = "(광고)";

/// Code of the consent to advertising, an [`AgreedTerm`](crate::storefront::AgreedTerm) given by joining.
pub const ADVERTISING_CONSENT: &str = "ads";

/// Code of the consent to advertising by text, given in the member's own settings.
pub const ADVERTISING_TEXT_CONSENT: &str = "ads-sms";

/// Whether advertising may be sent at a moment without consent to messages at night.
pub fn is_advertising_hour(moment: OffsetDateTime) -> bool {
    let local = moment.to_offset(business_day::OFFSET).time();
    (FROM..UNTIL).contains(&local)
}

/// The first moment from this one on at which advertising may be sent.
pub fn next_advertising_hour(moment: OffsetDateTime) -> OffsetDateTime {
    if is_advertising_hour(moment) {
        return moment;
    }
    let local = moment.to_offset(business_day::OFFSET);
    let today = local.replace_time(FROM);
    match local < today {
        true => today,
        false => business_day::ends(local.date()).replace_time(FROM),
    }
}

/// The end of the hours of advertising on the day of a moment.
pub fn end_of_advertising_hours(moment: OffsetDateTime) -> OffsetDateTime {
    moment.to_offset(business_day::OFFSET).replace_time(UNTIL)
}

/// The title as receivers read it: advertising is marked at the front, once.
pub fn marked_title(title: &str, advertising: bool) -> String {
    let title = title.trim();
    if !advertising {
        return title.to_owned();
    }
    let bare = title.trim_start_matches(ADVERTISING_MARK).trim_start();
    format!("{ADVERTISING_MARK} {bare}")
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn advertising_waits_for_eight_in_seoul_and_ends_before_nine_in_the_evening() {
        for (moment, next) in [
            (
                datetime!(2026-11-27 07:59:59 +9),
                datetime!(2026-11-27 08:00 +9),
            ),
            (
                datetime!(2026-11-27 08:00 +9),
                datetime!(2026-11-27 08:00 +9),
            ),
            (
                datetime!(2026-11-27 20:59:59 +9),
                datetime!(2026-11-27 20:59:59 +9),
            ),
            (
                datetime!(2026-11-27 21:00 +9),
                datetime!(2026-11-28 08:00 +9),
            ),
            (
                datetime!(2026-11-27 14:00 UTC),
                datetime!(2026-11-28 08:00 +9),
            ),
        ] {
            assert_eq!(next_advertising_hour(moment), next, "{moment}");
        }
        let end = end_of_advertising_hours(datetime!(2026-11-27 03:00 UTC));
        assert_eq!(end, datetime!(2026-11-27 21:00 +9));
    }

    #[test]
    fn advertising_is_marked_once() {
        assert_eq!(marked_title(" 봄 세일 ", true), "(광고) 봄 세일");
        assert_eq!(marked_title("(광고)봄 세일", true), "(광고) 봄 세일");
        assert_eq!(marked_title("점검 안내", false), "점검 안내");
    }
}
