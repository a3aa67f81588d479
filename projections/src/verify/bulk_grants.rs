//! Bulk grants, counted from the log: their rows, and that every receiver served got what was ordered, once.

use std::collections::{BTreeMap, BTreeSet};

use domain::bulk_grant::{Benefit, BulkGrantEvent};
use domain::coupon::IssuedCouponEvent;
use domain::ids::{BulkGrantId, CouponId, MemberId};
use domain::points::PointsEvent;
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use super::compare::{Checker, ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError, bad, id};

struct GrantOrder {
    row: Value,
    members: usize,
    served: u32,
    left_out: usize,
    refused: usize,
    stopped: bool,
    cleared: u32,
    note: String,
    position: i64,
}

/// The rows of bulk grants.
#[derive(Default)]
pub(super) struct BulkGrantsFold {
    grants: BTreeMap<String, GrantOrder>,
}

impl Fold for BulkGrantsFold {
    fn name(&self) -> &'static str {
        "bulk_grants"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["bulk-grant"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::BulkGrant(event) = told.event()? else {
            return Ok(());
        };
        let key = &told.stream.id;
        if let BulkGrantEvent::BulkGrantOrdered {
            benefit,
            members,
            memo,
        } = event
        {
            let row = json!({
                "id": key, "benefit": benefit, "memo": memo, "members": members.len(),
                "created_at": moment(told.metadata.occurred_at), "created_by": told.metadata.actor.get("id"),
            });
            let ordered = GrantOrder {
                row,
                members: members.len(),
                served: 0,
                left_out: 0,
                refused: 0,
                stopped: false,
                cleared: 0,
                note: String::new(),
                position: told.position,
            };
            self.grants.insert(key.clone(), ordered);
            return Ok(());
        }
        let nobody = || bad(told, "a bulk grant nobody ordered");
        let grant = self.grants.get_mut(key).ok_or_else(nobody)?;
        grant.position = told.position;
        match event {
            BulkGrantEvent::BulkGrantOrdered { .. } => {}
            BulkGrantEvent::BulkGrantPartGiven {
                served,
                left_out,
                refused,
            } => {
                grant.served = *served;
                grant.refused += refused.len();
                grant.left_out += left_out.len();
            }
            BulkGrantEvent::BulkGrantStopped { .. } => grant.stopped = true,
            BulkGrantEvent::BulkGrantPartTaken { cleared } => grant.cleared = *cleared,
            BulkGrantEvent::BulkGrantNoted { memo } => grant.note.clone_from(memo),
        }
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let rows = self.grants.into_values().map(|grant| {
            let open = match grant.stopped {
                true => grant.cleared != grant.served,
                false => usize::try_from(grant.served) != Ok(grant.members),
            };
            let mut row = grant.row;
            if let Value::Object(fields) = &mut row {
                for (column, value) in [
                    ("served", json!(grant.served)),
                    ("left_out", json!(grant.left_out)),
                    ("refused", json!(grant.refused)),
                    ("stopped", json!(grant.stopped)),
                    ("cleared", json!(grant.cleared)),
                    ("open", json!(open)),
                    ("note", json!(grant.note)),
                    ("position", json!(grant.position)),
                ] {
                    fields.insert(column.to_owned(), value);
                }
            }
            row
        });
        Ok(vec![ExpectedRows {
            view: "bulk_grants",
            key: &["id"],
            rows: rows.collect(),
        }])
    }
}

/// What a receiver gets or got: an amount of points, hundredths, or the coupons of a definition from one append.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum Given {
    Points(i64),
    Coupon(CouponId),
}

#[derive(Default)]
struct Receivers {
    /// What each gets.
    each: Option<Given>,
    members: Vec<MemberId>,
    served: usize,
    /// Those served who got nothing.
    without: BTreeSet<MemberId>,
    /// What each got.
    got: BTreeMap<MemberId, Vec<Given>>,
    /// The commands that gave coupons, by member: those of one command are one round.
    rounds: BTreeSet<(MemberId, Option<Uuid>)>,
}

/// Who is to receive what of each bulk grant, and who did.
#[derive(Default)]
pub(super) struct BulkGrants(BTreeMap<BulkGrantId, Receivers>);

impl BulkGrants {
    /// The next event of a bulk grant.
    pub fn grant(
        &mut self,
        told: &DecodedEvent,
        event: &BulkGrantEvent,
    ) -> Result<(), VerifyError> {
        let grant = self.0.entry(id(told)?).or_default();
        match event {
            BulkGrantEvent::BulkGrantOrdered {
                benefit, members, ..
            } => {
                grant.each = Some(match benefit {
                    Benefit::Points { amount, .. } => Given::Points(amount.hundredths()),
                    Benefit::Coupon { coupon, .. } => Given::Coupon(*coupon),
                });
                grant.members.clone_from(members);
            }
            BulkGrantEvent::BulkGrantPartGiven {
                served,
                left_out,
                refused,
            } => {
                grant.served = usize::try_from(*served)?;
                grant.without.extend(left_out);
                grant
                    .without
                    .extend(refused.iter().map(|refused| refused.member));
            }
            BulkGrantEvent::BulkGrantStopped { .. }
            | BulkGrantEvent::BulkGrantPartTaken { .. }
            | BulkGrantEvent::BulkGrantNoted { .. } => {}
        }
        Ok(())
    }

    /// The next event of a member's points.
    pub fn points(&mut self, event: &PointsEvent) {
        if let PointsEvent::PointsGranted {
            member,
            amount,
            grant: Some(grant),
            ..
        } = event
        {
            let grant = self.0.entry(*grant).or_default();
            let got = grant.got.entry(*member).or_default();
            got.push(Given::Points(amount.hundredths()));
        }
    }

    /// The next event of a coupon in a box.
    pub fn coupon(&mut self, told: &DecodedEvent, event: &IssuedCouponEvent) {
        if let IssuedCouponEvent::CouponIssued {
            coupon,
            member,
            grant: Some(grant),
            ..
        } = event
        {
            let grant = self.0.entry(*grant).or_default();
            if grant.rounds.insert((*member, told.metadata.command_id)) {
                let got = grant.got.entry(*member).or_default();
                got.push(Given::Coupon(*coupon));
            }
        }
    }

    /// Every receiver who was served and not left out got the ordered benefit once; no other member got anything.
    pub fn finish(self, checker: &mut Checker) {
        for (id, grant) in self.0 {
            let served = grant.members.iter().take(grant.served);
            let wanted: BTreeMap<MemberId, Vec<Given>> = served
                .filter(|member| !grant.without.contains(member))
                .map(|member| (*member, grant.each.iter().cloned().collect()))
                .collect();
            let all = wanted.keys().chain(grant.got.keys());
            let all: BTreeSet<MemberId> = all.copied().collect();
            for member in all {
                let (wanted, got) = (wanted.get(&member), grant.got.get(&member));
                let key = format!("{id} for {member}");
                checker.holds(wanted == got, "bulk grants", key, json!(wanted), json!(got));
            }
        }
    }
}
