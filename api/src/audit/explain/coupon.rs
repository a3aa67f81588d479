//! Explains whether a coupon can be used, and what is left of a limited campaign.

use domain::coupon::{Campaign, CampaignEvent, CouponStatus, IssuedCoupon, IssuedCouponEvent};
use event_store::{StoredEvent, StreamId};
use time::OffsetDateTime;

use super::ledger::Line;
use super::{Book, Explanation, Moment, NamedAmount, Unit, unknown, words};
use crate::app::AppState;
use crate::http::AppResult;

/// An issued coupon, or a campaign.
pub struct CouponBox {
    events: Vec<StoredEvent>,
    now: OffsetDateTime,
    is_campaign: bool,
}

const LEFT: &str = "left";

/// A limit of a campaign: name, label, unit, limit, and the quantity used.
type Limit = (
    &'static str,
    &'static str,
    Unit,
    fn(&Campaign) -> Option<i64>,
    fn(&Campaign) -> i64,
);

const LIMITS: [Limit; 3] = [
    (
        "drawsLeft",
        words::DRAWS_LEFT,
        Unit::Coupons,
        |campaign| campaign.draws.map(i64::from),
        |campaign| count(campaign.drawn),
    ),
    (
        "usesLeft",
        words::USES_LEFT,
        Unit::Coupons,
        |campaign| campaign.uses.map(i64::from),
        |campaign| count(campaign.used),
    ),
    (
        "amountLeft",
        words::AMOUNT_LEFT,
        Unit::Amount,
        |campaign| campaign.amount.map(domain::Amount::hundredths),
        |campaign| campaign.taken_off.hundredths(),
    ),
];

fn count(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl CouponBox {
    pub async fn open(app: &AppState, id: &str, moment: Moment) -> AppResult<Self> {
        for (stream, is_campaign) in [
            (StreamId::of::<IssuedCoupon>(id), false),
            (StreamId::of::<Campaign>(id), true),
        ] {
            let mut events = app.store.read_stream(&stream).await?;
            events.retain(|event| event.position <= moment.position);
            if !events.is_empty() {
                return Ok(Self {
                    events,
                    now: moment.time,
                    is_campaign,
                });
            }
        }
        unknown()
    }

    pub fn names(&self) -> Vec<String> {
        if !self.is_campaign {
            return vec![LEFT.to_owned()];
        }
        let campaign = self.campaign().unwrap_or_default();
        let limited = LIMITS
            .iter()
            .filter(|(_, _, _, limit, _)| limit(&campaign).is_some());
        limited.map(|(name, ..)| (*name).to_owned()).collect()
    }

    fn campaign(&self) -> AppResult<Campaign> {
        let mut campaign = Campaign::default();
        for recorded in &self.events {
            campaign.evolve(recorded.event::<Campaign>()?);
        }
        Ok(campaign)
    }

    pub fn explain(&self, name: &str) -> AppResult<Explanation> {
        match (self.is_campaign, name) {
            (false, LEFT) => self.left(),
            (true, name) => self.limit(name),
            _ => unknown(),
        }
    }

    fn left(&self) -> AppResult<Explanation> {
        let usable = |coupon: &IssuedCoupon| {
            i64::from(coupon.held.is_some() && coupon.used_on.is_none() && !coupon.taken)
        };
        let mut book = Book::default();
        let coupon =
            book.write_fold::<IssuedCoupon>(&self.events, usable, |event, coupon| match event {
                IssuedCouponEvent::CouponIssued { terms, .. } => words::issued(&terms.name),
                IssuedCouponEvent::CouponUsed { amount, .. } => {
                    let held = coupon.held.as_ref();
                    words::used(*amount, held.is_none_or(|held| held.terms.returnable))
                }
                IssuedCouponEvent::CouponReturned { .. } => words::COUPON_RETURNED.to_owned(),
                IssuedCouponEvent::CouponRoundPassed { round, .. } => words::round_passed(*round),
                IssuedCouponEvent::CouponTaken { memo } => words::coupon_taken(memo),
                IssuedCouponEvent::CouponBroughtBack { memo } => words::coupon_brought_back(memo),
                IssuedCouponEvent::CouponPeriodChanged { ends_at, memo } => {
                    words::period_changed(*ends_at, memo)
                }
            })?;
        let status = coupon.status(self.now);
        if let (Some(CouponStatus::Expired), Some(ends_at)) = (
            status,
            coupon.held.as_ref().and_then(|held| held.terms.ends_at),
        ) {
            book.write(Line {
                text: words::over(ends_at),
                amount: -1,
                source: self.events.first(),
                ..Line::default()
            })?;
        }
        book.close(NamedAmount {
            name: LEFT.to_owned(),
            label: words::COUPON_LEFT.to_owned(),
            unit: Unit::Coupons,
            value: i64::from(status == Some(CouponStatus::Held)),
            says: status.map(|status| words::status(status).to_owned()),
        })
    }

    fn limit(&self, name: &str) -> AppResult<Explanation> {
        let Some((name, label, unit, limit, gone)) =
            LIMITS.iter().find(|(known, ..)| *known == name)
        else {
            return unknown();
        };
        // Before the limit was set, the remaining quantity counts as zero.
        let left = |campaign: &Campaign| {
            limit(campaign).map_or(0, |limit| limit.saturating_sub(gone(campaign)))
        };
        let mut book = Book::default();
        let campaign =
            book.write_fold::<Campaign>(&self.events, left, |event, campaign| match event {
                CampaignEvent::CampaignLimited { .. } => {
                    words::limited(*unit, limit(campaign), gone(campaign))
                }
                CampaignEvent::CouponDrawn { .. } => words::COUPON_DRAWN.to_owned(),
                CampaignEvent::CouponUseCounted { .. } => words::USE_COUNTED.to_owned(),
                CampaignEvent::CouponUseReturned { .. } => words::USE_RETURNED.to_owned(),
            })?;
        if limit(&campaign).is_none() {
            return unknown();
        }
        book.close(NamedAmount {
            name: (*name).to_owned(),
            label: (*label).to_owned(),
            unit: *unit,
            value: left(&campaign),
            says: None,
        })
    }
}
