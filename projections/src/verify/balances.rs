//! Stock, coupons and points, folded from the log.

use std::collections::BTreeMap;

use domain::coupon::{CampaignEvent, CouponTerms, IssuedCouponEvent};
use domain::ids::{LotId, OrderId};
use domain::points::PointsEvent;
use domain::stock::StockEvent;
use serde_json::{Value, json};
use time::{Date, Duration, OffsetDateTime, UtcOffset};

use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError, bad};

#[derive(Default)]
struct Pile {
    product: Option<String>,
    counts: Vec<(i64, i64)>,
    taken: Vec<i64>,
    given_back: Vec<i64>,
    written_off: Vec<i64>,
    available: i64,
    version: u64,
    position: i64,
}

/// Every movement of every stock, added up at the end.
#[derive(Default)]
pub(super) struct StockFold {
    piles: BTreeMap<String, Pile>,
}

impl Fold for StockFold {
    fn name(&self) -> &'static str {
        "stock"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["stock"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::Stock(event) = told.event()? else {
            return Ok(());
        };
        let pile = self.piles.entry(told.stream.id.clone()).or_default();
        match *event {
            StockEvent::StockCounted { product, quantity } => {
                pile.product = Some(product.to_string());
                pile.counts.push((pile.available, i64::from(quantity)));
                pile.available = i64::from(quantity);
            }
            StockEvent::StockTaken { quantity, .. } => {
                pile.taken.push(i64::from(quantity));
                pile.available -= i64::from(quantity);
            }
            StockEvent::StockGivenBack { quantity, .. } => {
                pile.given_back.push(i64::from(quantity));
                pile.available += i64::from(quantity);
            }
            StockEvent::StockWrittenOff { quantity, .. } => {
                pile.written_off.push(i64::from(quantity));
            }
        }
        pile.version = told.version;
        pile.position = told.position;
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let row = |(id, pile): (String, Pile)| {
            let counted: i64 = pile
                .counts
                .iter()
                .map(|(before, after)| after - before)
                .sum();
            let taken: i64 = pile.taken.iter().sum();
            let given_back: i64 = pile.given_back.iter().sum();
            let written_off: i64 = pile.written_off.iter().sum();
            json!({
                "id": id, "product": pile.product, "counted": counted, "taken": taken,
                "given_back": given_back, "written_off": written_off,
                "available": counted - taken + given_back,
                "sells": taken - given_back - written_off, "version": pile.version, "position": pile.position,
            })
        };
        Ok(vec![ExpectedRows {
            view: "stock",
            key: &["id"],
            rows: self.piles.into_iter().map(row).collect(),
        }])
    }
}

struct MemberCoupon {
    coupon: String,
    member: String,
    terms: CouponTerms,
    issued_at: Value,
    round: Option<u32>,
    occasion: Option<String>,
    /// What was said with it, first to last.
    memos: Vec<String>,
    /// How often it was taken, less how often it was brought back.
    takes: i64,
    /// The ends it had, first to last.
    ends: Vec<Value>,
    /// Order, amount and time of every use.
    uses: Vec<(String, i64, Value)>,
    returns: usize,
    position: i64,
}

#[derive(Default)]
struct Limits {
    draws: Option<u32>,
    uses: Option<u32>,
    amount: Option<i64>,
    face_value: Option<i64>,
    handed_out: i64,
    drawn: i64,
    counted: i64,
    returned: i64,
    position: i64,
}

#[derive(Default)]
pub(super) struct Coupons {
    boxed: BTreeMap<String, MemberCoupon>,
    entries: Vec<Value>,
    campaigns: BTreeMap<String, Limits>,
}

impl Coupons {
    fn issued(
        &mut self,
        told: &DecodedEvent,
        event: &IssuedCouponEvent,
    ) -> Result<(), VerifyError> {
        let id = &told.stream.id;
        let when = moment(told.metadata.occurred_at);
        if let IssuedCouponEvent::CouponIssued {
            coupon,
            member,
            terms,
            round,
            occasion,
            memo,
        } = event
        {
            let boxed = MemberCoupon {
                coupon: coupon.to_string(),
                member: member.to_string(),
                terms: CouponTerms::clone(terms),
                issued_at: when.clone(),
                round: *round,
                occasion: occasion.clone(),
                memos: memo.iter().cloned().collect(),
                takes: 0,
                ends: terms.ends_at.map(moment).into_iter().collect(),
                uses: Vec::new(),
                returns: 0,
                position: 0,
            };
            self.boxed.insert(id.clone(), boxed);
        }
        if matches!(event, IssuedCouponEvent::CouponRoundPassed { .. }) {
            return Ok(());
        }
        let boxed = self
            .boxed
            .get_mut(id)
            .ok_or_else(|| bad(told, "a coupon nobody issued"))?;
        let mut happened = |kind: &str, order: Option<&OrderId>, amount: i64| {
            self.entries.push(json!({
                "position": told.position, "id": id, "coupon": boxed.coupon, "kind": kind,
                "order_id": order, "amount": amount, "at": when,
            }));
        };
        match event {
            IssuedCouponEvent::CouponRoundPassed { .. } => {}
            IssuedCouponEvent::CouponIssued { .. } => happened("ISSUED", None, 0),
            IssuedCouponEvent::CouponUsed { order, amount } => {
                happened("USED", Some(order), amount.hundredths());
                let used = (order.to_string(), amount.hundredths(), when);
                boxed.uses.push(used);
            }
            IssuedCouponEvent::CouponReturned { order } => {
                let took = boxed.uses.get(boxed.returns).map_or(0, |used| used.1);
                happened("RETURNED", Some(order), -took);
                boxed.returns += 1;
            }
            IssuedCouponEvent::CouponTaken { memo } => {
                happened("TAKEN", None, 0);
                boxed.takes += 1;
                boxed.memos.push(memo.clone());
            }
            IssuedCouponEvent::CouponBroughtBack { memo } => {
                happened("BROUGHT_BACK", None, 0);
                boxed.takes -= 1;
                boxed.memos.push(memo.clone());
            }
            IssuedCouponEvent::CouponPeriodChanged { ends_at, memo } => {
                boxed.ends.push(moment(*ends_at));
                boxed.terms.ends_at = Some(*ends_at);
                boxed.memos.push(memo.clone());
            }
        }
        boxed.position = told.position;
        Ok(())
    }

    fn campaign(&mut self, told: &DecodedEvent, event: &CampaignEvent) {
        let limits = self.campaigns.entry(told.stream.id.clone()).or_default();
        match *event {
            CampaignEvent::CampaignLimited {
                draws,
                uses,
                amount,
                face_value,
            } => {
                limits.face_value = face_value.map(|amount| amount.hundredths());
                limits.draws = draws;
                limits.uses = uses;
                limits.amount = amount.map(|amount| amount.hundredths());
            }
            CampaignEvent::CouponDrawn { face_value, .. } => {
                limits.drawn += 1;
                limits.handed_out += face_value.map_or(0, |amount| amount.hundredths());
            }
            CampaignEvent::CouponUseCounted { .. } => limits.counted += 1,
            CampaignEvent::CouponUseReturned { .. } => limits.returned += 1,
        }
        limits.position = told.position;
    }
}

impl Fold for Coupons {
    fn name(&self) -> &'static str {
        "coupon_box"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["issued-coupon", "coupon-campaign"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        match told.event()? {
            Event::IssuedCoupon(event) => self.issued(told, event)?,
            Event::Campaign(event) => self.campaign(told, event),
            _ => {}
        }
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let boxed = |(id, boxed): (String, MemberCoupon)| {
            // in use if it was used once more often than it was given back
            let now = boxed.uses.get(boxed.returns);
            json!({
                "id": id, "coupon": boxed.coupon, "member": boxed.member, "terms": boxed.terms,
                "round": boxed.round, "occasion": boxed.occasion, "memo": boxed.memos.last(), "taken": boxed.takes > 0,
                "used": now.is_some(), "uses": boxed.uses.len(), "returns": boxed.returns,
                "order_id": now.map(|(order, ..)| order), "amount": now.map(|(_, amount, _)| amount),
                "used_at": now.map(|(.., when)| when), "issued_at": boxed.issued_at,
                "ends_at": boxed.ends.last(), "position": boxed.position,
            })
        };
        let limits = |(id, limits): (String, Limits)| {
            json!({
                "coupon": id, "draws": limits.draws, "uses": limits.uses, "amount": limits.amount,
                "face_value": limits.face_value, "handed_out": limits.handed_out,
                "drawn": limits.drawn, "counted": limits.counted, "returned": limits.returned,
                "used": limits.counted - limits.returned, "position": limits.position,
            })
        };
        Ok(vec![
            ExpectedRows {
                view: "coupon_box",
                key: &["id"],
                rows: self.boxed.into_iter().map(boxed).collect(),
            },
            ExpectedRows {
                view: "coupon_box_entries",
                key: &["position"],
                rows: self.entries,
            },
            ExpectedRows {
                view: "coupon_box_campaigns",
                key: &["coupon"],
                rows: self.campaigns.into_iter().map(limits).collect(),
            },
        ])
    }
}

struct Lot {
    row: Value,
    granted: i64,
    spent: i64,
    expired: i64,
    taken: i64,
    position: i64,
}

fn put(row: &mut Value, column: &str, value: Value) {
    if let Value::Object(fields) = row {
        fields.insert(column.to_owned(), value);
    }
}

/// Members are notified a week before the last day, which begins in Seoul nine hours before it begins in UTC.
fn announced_at(last_day: Date) -> Value {
    moment(last_day.midnight().assume_utc() - Duration::days(7) - Duration::hours(9))
}

/// The Seoul day of the last moment of points.
fn last_day_in_seoul(expires_at: OffsetDateTime) -> Date {
    let last = expires_at - Duration::MICROSECOND + Duration::hours(9);
    last.to_offset(UtcOffset::UTC).date()
}

/// Lots and entries of points.
#[derive(Default)]
pub(super) struct PointsFold {
    notices: Vec<Value>,
    lots: BTreeMap<String, Lot>,
    entries: Vec<Value>,
    /// Position of the previous event, and its index among those of that position.
    before: (i64, i64),
}

impl PointsFold {
    fn lot(&mut self, told: &DecodedEvent, lot: LotId) -> Result<&mut Lot, VerifyError> {
        let lot = self
            .lots
            .get_mut(&lot.to_string())
            .ok_or_else(|| bad(told, "points of a lot nobody granted"))?;
        lot.position = told.position;
        Ok(lot)
    }
}

impl Fold for PointsFold {
    fn name(&self) -> &'static str {
        "points_book"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["points"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::Points(event) = told.event()? else {
            return Ok(());
        };
        if let PointsEvent::PointsExpiryAnnounced { last_day, .. } = event {
            let (member, _) = told.stream.id.split_once(':').unwrap_or_default();
            self.notices.push(json!({
                "member": member, "notice_at": announced_at(*last_day), "position": told.position,
            }));
            return Ok(());
        }
        // events of one stored event all have this kind
        let part = match self.before {
            (before, part) if before == told.position => part + 1,
            _ => 0,
        };
        self.before = (told.position, part);
        let when = moment(told.metadata.occurred_at);
        let (member, _) = told
            .stream
            .id
            .split_once(':')
            .ok_or_else(|| bad(told, "points of nobody"))?;
        let mut entry = json!({
            "position": told.position, "part": part, "id": told.event_id, "member": member,
            "lot": null, "order_id": null, "created_at": when, "expires_at": null,
        });
        let mut say = |column: &str, value: Value| put(&mut entry, column, value);
        match event {
            PointsEvent::PointsGranted {
                member,
                lot,
                amount,
                reason,
                order,
                grant,
                expires_at,
            } => {
                say("kind", "INCREASE".into());
                say("amounts", amount.hundredths().into());
                say("reason", reason.clone().into());
                say("lot", json!(lot));
                say("order_id", json!(order));
                say("expires_at", moment(*expires_at));
                let by_operator = told.metadata.actor.get("kind") == Some(&"operator".into());
                let row = json!({
                    "id": lot, "member": member, "amount": amount, "reason": reason, "order_id": order,
                    "grant_id": grant, "by_staff": by_operator || grant.is_some(),
                    "granted_at": when, "expires_at": moment(*expires_at),
                    "notice_at": announced_at(last_day_in_seoul(*expires_at)),
                });
                let lot_id = lot.to_string();
                let lot = Lot {
                    row,
                    granted: amount.hundredths(),
                    spent: 0,
                    expired: 0,
                    taken: 0,
                    position: told.position,
                };
                self.lots.insert(lot_id, lot);
            }
            PointsEvent::PointsSpent { order, parts } => {
                let sum: i64 = parts.iter().map(|part| part.amount.hundredths()).sum();
                say("kind", "DECREASE".into());
                say("amounts", sum.into());
                say("reason", "주문에 사용".into());
                say("order_id", json!(order));
                for part in parts {
                    self.lot(told, part.lot)?.spent += part.amount.hundredths();
                }
            }
            PointsEvent::PointsRestored { order, parts, lost } => {
                let sum: i64 = parts.iter().map(|part| part.amount.hundredths()).sum();
                say("kind", "INCREASE".into());
                say("amounts", sum.into());
                say("reason", "주문 취소·반품으로 복원".into());
                say("order_id", json!(order));
                for part in parts.iter().chain(lost) {
                    self.lot(told, part.lot)?.spent -= part.amount.hundredths();
                }
                for part in lost {
                    self.lot(told, part.lot)?.expired += part.amount.hundredths();
                }
            }
            PointsEvent::PointsRevoked { order, parts } => {
                let sum: i64 = parts.iter().map(|part| part.amount.hundredths()).sum();
                say("kind", "DECREASE".into());
                say("amounts", sum.into());
                say("reason", "반품으로 회수".into());
                say("order_id", json!(order));
                for part in parts {
                    self.lot(told, part.lot)?.taken += part.amount.hundredths();
                }
            }
            PointsEvent::PointsExpired { lot, amount } => {
                say("kind", "DECREASE".into());
                say("amounts", amount.hundredths().into());
                say("reason", "유효기간 만료".into());
                say("lot", json!(lot));
                self.lot(told, *lot)?.expired += amount.hundredths();
            }
            PointsEvent::PointsTaken { lot, amount, memo } => {
                say("kind", "DECREASE".into());
                say("amounts", amount.hundredths().into());
                say("reason", memo.clone().into());
                say("lot", json!(lot));
                self.lot(told, *lot)?.taken += amount.hundredths();
            }
            PointsEvent::PointsLifeChanged {
                lot,
                expires_at,
                memo,
            } => {
                say("kind", "INCREASE".into());
                say("amounts", 0.into());
                say("reason", memo.clone().into());
                say("lot", json!(lot));
                say("expires_at", moment(*expires_at));
                let row = &mut self.lot(told, *lot)?.row;
                put(row, "expires_at", moment(*expires_at));
                put(
                    row,
                    "notice_at",
                    announced_at(last_day_in_seoul(*expires_at)),
                );
            }
            PointsEvent::PointsExpiryAnnounced { .. } => {}
        }
        self.entries.push(entry);
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let lots = self.lots.into_values().map(|lot| {
            let mut row = lot.row;
            let left = lot.granted - lot.spent - lot.expired - lot.taken;
            for (column, value) in [
                ("left", left),
                ("spent", lot.spent),
                ("expired", lot.expired),
                ("taken", lot.taken),
                ("position", lot.position),
            ] {
                put(&mut row, column, value.into());
            }
            row
        });
        Ok(vec![
            ExpectedRows {
                view: "points_book_lots",
                key: &["id"],
                rows: lots.collect(),
            },
            ExpectedRows {
                view: "points_book_notices",
                key: &["member", "notice_at"],
                rows: self.notices,
            },
            ExpectedRows {
                view: "points_book",
                key: &["position", "part"],
                rows: self.entries,
            },
        ])
    }
}
