//! Every aggregate and kind of record, listed once, and what follows from the list alone.

use cqrs_es::Aggregate;
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::{Error, Value};

use crate::event::EventNames;
use crate::record::{Record, RecordEvent, Resource, UniqueCode};

/// Fingerprint of this crate's sources: a snapshot of other rules is not read.
pub const SCHEMA_FINGERPRINT: &str = env!("DOMAIN_RULES");

/// Calls the macro `$callback` with every aggregate, under the name of its variant in enums of events, and with every kind of record.
///
/// The one list there is: names, replay, decoding, samples, titles, and what projections, verification, audit and console walk come
/// from it.
#[macro_export]
macro_rules! registered {
    ($callback:ident) => {
        $callback! {
            aggregates {
                Campaign: $crate::coupon::Campaign,
                CategoryTree: $crate::catalogue::tree::CategoryTree,
                Deadline: $crate::deadline::Deadline,
                File: $crate::file::File,
                IssuedCoupon: $crate::coupon::IssuedCoupon,
                Member: $crate::member::Member,
                Order: $crate::order::Order,
                Payment: $crate::payment::Payment,
                Points: $crate::points::Points,
                Stock: $crate::stock::Stock,
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
                $crate::storefront::Terms,
                $crate::site::SiteSetting,
                $crate::site::Level,
                $crate::review::Review,
                $crate::inquire::Inquire,
            }
        }
    };
}

/// What the registry knows about a kind of record.
#[derive(Clone, Copy, Debug)]
pub struct RecordKind {
    /// Stream kind.
    pub kind: &'static str,
    /// Its stored event types: created, revised, removed.
    pub event_types: [&'static str; 3],
    /// What keeps its code unique.
    pub unique: Option<UniqueCode>,
}

macro_rules! registry {
    (
        aggregates { $($name:ident: $state:ty,)+ }
        records { $($record:ty,)+ }
    ) => {
        /// Every kind of stream.
        pub const KINDS: &[&str] = &[
            $(<$state as Aggregate>::TYPE,)+
            $(<$record as Resource>::KIND,)+
        ];

        /// Every kind of record.
        pub const RECORD_KINDS: &[RecordKind] = &[
            $(RecordKind {
                kind: <$record as Resource>::KIND,
                event_types: <$record as Resource>::EVENT_TYPES,
                unique: <$record as Resource>::UNIQUE,
            },)+
        ];

        /// Korean titles by event type, a list each aggregate and kind of record.
        const TITLES: &[&[(&str, &str)]] = &[
            $(<<$state as Aggregate>::Event as EventNames>::TITLES,)+
            $(<RecordEvent<$record> as EventNames>::TITLES,)+
        ];

        /// Types and versions of events, by stream kind.
        const NAMES: &[(&str, &[(&str, &str)])] = &[
            $((<$state as Aggregate>::TYPE, <<$state as Aggregate>::Event as EventNames>::NAMES),)+
            $((<$record as Resource>::KIND, <RecordEvent<$record> as EventNames>::NAMES),)+
        ];

        /// The state that `events` (payloads upcast to the newest versions) make of `base`, the state of a stream of this kind before
        /// them, or of the default state. None: the kind is unknown.
        ///
        /// # Errors
        /// A state or event of another shape; a state that is not read again as it was written.
        pub fn replay(kind: &str, base: Option<&Value>, events: &[Value]) -> Option<Result<Value, Error>> {
            match kind {
                $(<$state as Aggregate>::TYPE => Some(replayed::<$state>(base, events)),)+
                $(<$record as Resource>::KIND => Some(replayed::<Record<$record>>(base, events)),)+
                _ => None,
            }
        }
    };
}

registered!(registry);

/// Whether these rules know events of this type and version in streams of this kind. None: the kind is unknown.
pub fn knows(kind: &str, event_type: &str, event_version: &str) -> Option<bool> {
    let names = NAMES.iter().find(|(known, _)| *known == kind);
    names.map(|(_, names)| names.contains(&(event_type, event_version)))
}

/// The Korean title of an event type; an unknown type is its own title.
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
