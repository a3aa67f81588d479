//! Coupon codes, counted from the log: the rows of batches, and that each code gave one coupon to one member.

use std::collections::BTreeMap;

use domain::coupon::{CodeBatchEvent, IssuedCouponEvent};
use domain::ids::{CodeBatchId, CouponId, IssuedCouponId, MemberId};
use serde_json::{Map, Value, json};

use super::compare::{Checker, ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError, bad, id};

/// The rows of batches and of redeemed codes.
#[derive(Default)]
pub(super) struct CodeBatchesFold {
    batches: BTreeMap<String, Map<String, Value>>,
    redeemed: BTreeMap<(String, u32), Value>,
}

impl Fold for CodeBatchesFold {
    fn name(&self) -> &'static str {
        "coupon_codes"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["coupon-code-batch"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::CodeBatch(event) = told.event()? else {
            return Ok(());
        };
        let (key, at) = (&told.stream.id, moment(told.metadata.occurred_at));
        if let CodeBatchEvent::CouponCodesMade { .. } = event {
            self.batches.insert(key.clone(), Map::new());
        }
        let row = self.batches.get_mut(key);
        let row = row.ok_or_else(|| bad(told, "a batch of codes that was not made"))?;
        let columns = match event {
            CodeBatchEvent::CouponCodesMade {
                coupon,
                handle,
                count,
                memo,
            } => json!({
                "id": key, "coupon": coupon, "handle": handle, "count": count, "memo": memo, "redeemed": 0,
                "stopped_at": null, "stop_memo": null, "created_at": at,
                "created_by": told.metadata.actor.get("id"),
            }),
            CodeBatchEvent::CouponCodeRedeemed {
                number,
                member,
                issued,
            } => {
                let code = json!({
                    "batch": key, "number": number, "member": member, "issued": issued, "redeemed_at": at,
                    "position": told.position,
                });
                self.redeemed.insert((key.clone(), *number), code);
                let before = row.get("redeemed").and_then(Value::as_u64);
                json!({ "redeemed": before.unwrap_or_default() + 1 })
            }
            CodeBatchEvent::CouponCodesStopped { memo } => {
                json!({ "stopped_at": at, "stop_memo": memo })
            }
            CodeBatchEvent::CouponCodesDisclosed { .. } => json!({}),
        };
        if let Value::Object(columns) = columns {
            row.extend(columns);
        }
        row.insert("position".to_owned(), told.position.into());
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        Ok(vec![
            ExpectedRows {
                view: "coupon_codes",
                key: &["id"],
                rows: self.batches.into_values().map(Value::Object).collect(),
            },
            ExpectedRows {
                view: "coupon_codes_redeemed",
                key: &["batch", "number"],
                rows: self.redeemed.into_values().collect(),
            },
        ])
    }
}

struct Batch {
    coupon: CouponId,
    count: u32,
    redeemed: BTreeMap<u32, (MemberId, IssuedCouponId)>,
    stopped: bool,
}

/// The batches of codes, and the coupons that boxes hold.
#[derive(Default)]
pub(super) struct CouponCodes {
    batches: BTreeMap<CodeBatchId, Batch>,
    boxed: BTreeMap<IssuedCouponId, (CouponId, MemberId)>,
}

impl CouponCodes {
    /// The next event of a batch.
    pub fn batch(
        &mut self,
        told: &DecodedEvent,
        event: &CodeBatchEvent,
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        let batch: CodeBatchId = id(told)?;
        if let CodeBatchEvent::CouponCodesMade { coupon, count, .. } = event {
            let made = Batch {
                coupon: *coupon,
                count: *count,
                redeemed: BTreeMap::new(),
                stopped: false,
            };
            self.batches.insert(batch, made);
            return Ok(());
        }
        let codes = self.batches.get_mut(&batch);
        let codes = codes.ok_or_else(|| bad(told, "a batch of codes that was not made"))?;
        match event {
            CodeBatchEvent::CouponCodesMade { .. } => {}
            CodeBatchEvent::CouponCodesStopped { .. } => codes.stopped = true,
            CodeBatchEvent::CouponCodesDisclosed { first, last, .. } => {
                let exist = (1..=*last).contains(first) && *last <= codes.count;
                checker.rule(exist, "coupon codes", || {
                    let key = format!("{batch} {first}-{last}");
                    (key, "codes that were made".into(), "others".into())
                });
            }
            CodeBatchEvent::CouponCodeRedeemed {
                number,
                member,
                issued,
            } => {
                let exists = (1..=codes.count).contains(number) && !codes.stopped;
                let before = codes.redeemed.insert(*number, (*member, *issued));
                checker.rule(exists && before.is_none(), "coupon codes", || {
                    let key = format!("{batch} {number}");
                    (key, "redeemed once".into(), "again, or dead".into())
                });
            }
        }
        Ok(())
    }

    /// The next event of a coupon in a box.
    pub fn coupon(&mut self, issued: IssuedCouponId, event: &IssuedCouponEvent) {
        if let IssuedCouponEvent::CouponIssued { coupon, member, .. } = event {
            self.boxed.insert(issued, (*coupon, *member));
        }
    }

    /// Each redeemed code put a coupon of its batch into the box of its member, and no two the same.
    pub fn finish(self, checker: &mut Checker) {
        let mut seen = BTreeMap::new();
        for (id, batch) in self.batches {
            for (number, (member, issued)) in batch.redeemed {
                let key = format!("{id} {number}");
                let expected = (batch.coupon, member);
                let found = self.boxed.get(&issued).copied();
                let is_first = seen.insert(issued, number).is_none();
                let holds = is_first && found == Some(expected);
                checker.holds(holds, "coupon codes", key, json!(expected), json!(found));
            }
        }
    }
}
