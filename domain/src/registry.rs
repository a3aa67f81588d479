//! Registry of all aggregates and record kinds: listed once; names, replay, decoding and titles are generated from the list.

use cqrs_es::Aggregate;
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::{Error, Value};

use crate::event::EventNames;
use crate::record::{Record, RecordEvent, RecordKind, Resource, UniqueCode};

/// Hash of this crate's sources: changes whenever any rule may have changed. Snapshots with another fingerprint are ignored.
pub const SCHEMA_FINGERPRINT: &str = env!("DOMAIN_RULES");

/// Calls the macro `$callback` with every aggregate, under the name of its variant in event enums, and with every record kind: those with
/// code of their own in the console, and those that are declared whole ([`DeclaredRecord`](crate::record::DeclaredRecord)).
///
/// The only such list: names, replay, decoding, samples, titles, and the registrations of projections, verification, audit and
/// console are generated from it.
#[macro_export]
macro_rules! registered {
    ($callback:ident) => {
        $callback! {
            aggregates {
                Alarm: $crate::alarm::WithdrawnAlarm,
                BulkGrant: $crate::bulk_grant::BulkGrant,
                Campaign: $crate::coupon::Campaign,
                CategoryTree: $crate::catalogue::tree::CategoryTree,
                CodeBatch: $crate::coupon::CodeBatch,
                Deadline: $crate::deadline::Deadline,
                File: $crate::file::File,
                IssuedCoupon: $crate::coupon::IssuedCoupon,
                Member: $crate::member::Member,
                Message: $crate::message::Message,
                Order: $crate::order::Order,
                Payment: $crate::payment::Payment,
                Points: $crate::points::Points,
                Raffle: $crate::raffle::Raffle,
                RaffleEntry: $crate::raffle::RaffleEntry,
                Sending: $crate::sending::Sending,
                Stock: $crate::stock::Stock,
                UserPayment: $crate::user_payment::UserPayment,
            }
            records {
                $crate::catalogue::Product,
                $crate::shipping::ShippingGroup,
                $crate::shipping::Island,
                $crate::coupon::Coupon,
                $crate::storefront::Brand,
                $crate::storefront::ProductDisplay,
                $crate::storefront::Showroom,
                $crate::storefront::Store,
                $crate::storefront::Banner,
                $crate::storefront::BandBanner,
                $crate::storefront::BannerAdvertisement,
                $crate::storefront::Popup,
                $crate::storefront::shop_event::ShopEvent,
                $crate::storefront::Terms,
                $crate::site::SiteSetting,
                $crate::site::Level,
                $crate::holiday::Holiday,
                $crate::center::Faq,
                $crate::center::Notice,
                $crate::center::CenterQuestion,
                $crate::center::Contact,
                $crate::center::InquiryForm,
                $crate::center::Inquiry,
                $crate::review::Review,
                $crate::inquire::Inquire,
            }
            declared {
                $crate::center::AnswerTemplate,
                $crate::message::MessageTemplate,
                $crate::storefront::category_detail::CategoryDetail,
                $crate::storefront::exhibition::Exhibition,
                $crate::storefront::main_link::MainLink,
                $crate::storefront::material::Material,
                $crate::storefront::review_display::ReviewDisplay,
                $crate::storefront::shop_code::ShopCode,
                $crate::storefront::tag_event::TagEvent,
            }
        }
    };
}

macro_rules! registry {
    (
        aggregates { $($name:ident: $state:ty,)+ }
        records { $($record:ty,)+ }
        declared { $($declared:ty,)+ }
    ) => {
        /// Every kind of stream.
        pub const KINDS: &[&str] = &[
            $(<$state as Aggregate>::TYPE,)+
            $(<$record as Resource>::KIND,)+
            $(<$declared as Resource>::KIND,)+
        ];

        /// Every record kind.
        pub const RECORD_KINDS: &[RecordKind] = &[
            $(RecordKind::of::<$record>(),)+
            $(RecordKind::of::<$declared>(),)+
        ];

        /// Korean titles by event type, one list per aggregate and record kind.
        const TITLES: &[&[(&str, &str)]] = &[
            $(<<$state as Aggregate>::Event as EventNames>::TITLES,)+
            $(<RecordEvent<$record> as EventNames>::TITLES,)+
            $(<RecordEvent<$declared> as EventNames>::TITLES,)+
        ];

        /// Types and versions of events, by stream kind.
        const NAMES: &[(&str, &[(&str, &str)])] = &[
            $((<$state as Aggregate>::TYPE, <<$state as Aggregate>::Event as EventNames>::NAMES),)+
            $((<$record as Resource>::KIND, <RecordEvent<$record> as EventNames>::NAMES),)+
            $((<$declared as Resource>::KIND, <RecordEvent<$declared> as EventNames>::NAMES),)+
        ];

        /// Applies `events` (payloads upcast to the newest versions) to `base`, the preceding state of a stream of this kind, or to
        /// the initial state. None for an unknown kind.
        ///
        /// # Errors
        /// A state or event that does not deserialise; a state that does not survive a round trip through JSON.
        pub fn replay(kind: &str, base: Option<&Value>, events: &[Value]) -> Option<Result<Value, Error>> {
            match kind {
                $(<$state as Aggregate>::TYPE => Some(replayed::<$state>(base, events)),)+
                $(<$record as Resource>::KIND => Some(replayed::<Record<$record>>(base, events)),)+
                $(<$declared as Resource>::KIND => Some(replayed::<Record<$declared>>(base, events)),)+
                _ => None,
            }
        }
    };
}

registered!(registry);

/// The unique code of records whose reservations have this scope.
pub fn unique_code(scope: &str) -> Option<UniqueCode> {
    let mut codes = RECORD_KINDS.iter().filter_map(|record| record.unique);
    codes.find(|unique| unique.scope == scope)
}

/// Whether this build knows the event type and version in streams of this kind. None for an unknown kind.
pub fn knows(kind: &str, event_type: &str, event_version: &str) -> Option<bool> {
    let names = NAMES.iter().find(|(known, _)| *known == kind);
    names.map(|(_, names)| names.contains(&(event_type, event_version)))
}

/// The Korean title of an event type; the type itself if it is unknown.
pub fn event_title(event_type: &str) -> &str {
    let mut titles = TITLES.iter().copied().flatten();
    titles
        .find(|(known, _)| *known == event_type)
        .map_or(event_type, |(_, title)| title)
}

fn replayed<A: Aggregate + PartialEq>(
    base: Option<&Value>,
    events: &[Value],
) -> Result<Value, Error> {
    let mut state = match base {
        Some(base) => A::deserialize(base)?,
        None => A::default(),
    };
    for event in events {
        state.apply(A::Event::deserialize(event)?);
    }
    let kept = serde_json::to_value(&state)?;
    if A::deserialize(&kept)? != state {
        return Err(Error::custom(
            "what is written of this state is not all of it",
        ));
    }
    Ok(kept)
}
