//! The state of any stream, for those who know only its kind: what checks snapshots.

use cqrs_es::Aggregate;
use serde::Deserialize;
use serde::de::Error as _;
use serde_json::{Error, Value};

use crate::catalogue::Product;
use crate::catalogue::tree::CategoryTree;
use crate::coupon::{Campaign, Coupon, IssuedCoupon};
use crate::deadline::Deadline;
use crate::event::EventNames;
use crate::file::File;
use crate::inquire::Inquire;
use crate::member::Member;
use crate::order::Order;
use crate::payment::Payment;
use crate::points::Points;
use crate::record::Record;
use crate::review::Review;
use crate::shipping::{Island, ShippingGroup};
use crate::site::{Level, SiteSetting};
use crate::stock::Stock;
use crate::storefront::{
    BandBanner, Banner, BannerAdvertisement, Brand, Popup, ProductDisplay, Showroom, Store, Terms,
};

/// Who folds: other as soon as anything in this crate is.
pub const SCHEMA_FINGERPRINT: &str = env!("DOMAIN_RULES");

macro_rules! kinds {
    ($($state:ty),+ $(,)?) => {
        /// Every kind of stream.
        pub const KINDS: &[&str] = &[$(<$state as Aggregate>::TYPE),+];

        /// What `events` (payloads in the newest words) make of `base`, the state of a stream of this kind before them, or of
        /// nothing. None: nobody knows the kind.
        ///
        /// # Errors
        /// A state or event of another shape; a state that is not read again as it was written.
        pub fn replay(kind: &str, base: Option<&Value>, events: &[Value]) -> Option<Result<Value, Error>> {
            match kind {
                $(<$state as Aggregate>::TYPE => Some(replayed::<$state>(base, events)),)+
                _ => None,
            }
        }

        /// Whether these rules know events of this type and version in streams of this kind. None: nobody knows the kind.
        pub fn knows(kind: &str, event_type: &str, event_version: &str) -> Option<bool> {
            let names = match kind {
                $(<$state as Aggregate>::TYPE => <<$state as Aggregate>::Event as EventNames>::NAMES,)+
                _ => return None,
            };
            Some(names.contains(&(event_type, event_version)))
        }
    };
}

kinds!(
    Campaign,
    CategoryTree,
    Deadline,
    File,
    IssuedCoupon,
    Member,
    Order,
    Payment,
    Points,
    Stock,
    Record<BandBanner>,
    Record<Banner>,
    Record<BannerAdvertisement>,
    Record<Brand>,
    Record<Coupon>,
    Record<Inquire>,
    Record<Island>,
    Record<Level>,
    Record<Popup>,
    Record<Product>,
    Record<ProductDisplay>,
    Record<Review>,
    Record<ShippingGroup>,
    Record<Showroom>,
    Record<SiteSetting>,
    Record<Store>,
    Record<Terms>,
);

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
