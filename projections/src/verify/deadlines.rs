//! Deadlines, folded from the log.

use std::collections::BTreeMap;

use domain::deadline::DeadlineEvent;
use domain::member::{MemberEvent, statutory_until};
use domain::order::{Buyer, OrderEvent};
use domain::payment::PaymentEvent;
use event_store::StoredEvent;
use serde_json::{Value, json};
use time::{Date, Duration, OffsetDateTime, UtcOffset};

use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError};

/// All pending deadlines.
#[derive(Default)]
pub(super) struct DeadlinesFold {
    waiting: BTreeMap<(&'static str, String), (String, OffsetDateTime, i64)>,
    /// Retention deadline that each order and payment extends: its kind, the member or guest's order, and the position it started at.
    keeps: BTreeMap<String, (&'static str, String, i64)>,
    /// Order, purchase, original delivery day, and position of the request of each return or exchange.
    returns: BTreeMap<String, (String, String, Option<OffsetDateTime>, i64)>,
    /// Retries of refused deadlines, as rows.
    retried: Vec<Value>,
}

impl DeadlinesFold {
    fn order(&mut self, recorded: &StoredEvent, event: &OrderEvent) {
        let order = recorded.stream.id.clone();
        let position = recorded.position;
        if let OrderEvent::OrderPlaced(terms) = event {
            let member = match terms.buyer {
                Buyer::Member { id } => Some(id.to_string()),
                Buyer::Guest { .. } => {
                    let records = ("guest-statutory-period", order.clone());
                    let until = statutory_until(recorded.metadata.occurred_at);
                    self.waiting
                        .insert(records, (order.clone(), until, position));
                    None
                }
            };
            self.begins(recorded, member, order.clone());
        }
        self.keeps_records(recorded);
        match event {
            OrderEvent::GuestRecordsErased {} => {
                self.waiting.remove(&("guest-statutory-period", order));
            }
            OrderEvent::OrderPlaced(terms) => {
                let row = (order.clone(), terms.pay_by, position);
                self.waiting.insert(("unpaid-order", order), row);
            }
            OrderEvent::DepositAwaited { until, .. } => {
                let row = (order.clone(), *until, position);
                self.waiting.insert(("unpaid-order", order), row);
            }
            OrderEvent::OrderPaid { .. } | OrderEvent::OrderCanceled { .. } => {
                self.waiting.remove(&("unpaid-order", order));
            }
            OrderEvent::PurchaseShipped {
                purchase_no,
                deliver_by,
                ..
            } => {
                let week = day_in_seoul(recorded) + Duration::days(7);
                self.waits(
                    recorded,
                    "deliver-purchase",
                    purchase_no,
                    deliver_by.unwrap_or(week),
                );
            }
            OrderEvent::PurchaseDelivered {
                purchase_no,
                confirm_on,
            } => {
                self.settled(purchase_no);
                self.waits(recorded, "confirm-purchase", purchase_no, *confirm_on);
            }
            OrderEvent::PurchaseCompleted { purchase_no, .. } => self.settled(purchase_no),
            OrderEvent::PurchaseSplit {
                from, purchase_no, ..
            } => {
                // after a split, sent units have a deadline under each number
                for kind in ["deliver-purchase", "confirm-purchase"] {
                    if let Some((_, due, _)) = self.waiting.get(&(kind, from.clone())) {
                        let part = (kind, purchase_no.clone());
                        self.waiting.insert(part, (order.clone(), *due, position));
                    }
                }
            }
            OrderEvent::ReturnRequested {
                claim, purchase_no, ..
            }
            | OrderEvent::ExchangeRequested {
                claim, purchase_no, ..
            } => {
                let expected = ("deliver-purchase", purchase_no.clone());
                let day = self.waiting.get(&expected).map(|(_, due, _)| *due);
                let row = (order, purchase_no.clone(), day, position);
                self.returns.insert(claim.to_string(), row);
                self.settled(purchase_no);
            }
            OrderEvent::GoodsInspected {
                claim,
                missing: Some(missing),
                ..
            } => {
                let claim = claim.to_string();
                self.goes_on(
                    recorded,
                    &claim,
                    Some(&missing.purchase_no),
                    missing.confirm_on,
                );
            }
            OrderEvent::ReturnRejected {
                claim, confirm_on, ..
            }
            | OrderEvent::ExchangeRejected {
                claim, confirm_on, ..
            }
            | OrderEvent::ClaimWithdrawn { claim, confirm_on } => {
                self.goes_on(recorded, &claim.to_string(), None, *confirm_on);
            }
            OrderEvent::ReplacementShipped {
                claim, deliver_by, ..
            } => {
                if let Some(no) = self.returned(&claim.to_string()) {
                    self.waits(recorded, "deliver-purchase", &no, *deliver_by);
                }
            }
            OrderEvent::ReplacementDelayed { claim, .. } => {
                if let Some(no) = self.returned(&claim.to_string()) {
                    self.waiting.remove(&("deliver-purchase", no));
                }
            }
            OrderEvent::ExchangeCompleted { claim, confirm_on } => {
                if let Some(no) = self.returned(&claim.to_string()) {
                    self.waiting.remove(&("deliver-purchase", no));
                }
                self.goes_on(recorded, &claim.to_string(), None, *confirm_on);
            }
            _ => {}
        }
    }

    /// The purchase of a return or exchange.
    fn returned(&self, claim: &str) -> Option<String> {
        self.returns
            .get(claim)
            .map(|(_, purchase_no, ..)| purchase_no.clone())
    }

    /// Sets the day of automatic delivery or confirmation.
    fn waits(&mut self, recorded: &StoredEvent, kind: &'static str, purchase_no: &str, day: Date) {
        let purchase = (kind, purchase_no.to_owned());
        let row = (recorded.stream.id.clone(), midnight(day), recorded.position);
        self.waiting.insert(purchase, row);
    }

    /// Resumes the deadline of goods that do not come back, or of the split-off part of them: delivered ones are confirmed on this day,
    /// others count as delivered on their original day, tomorrow at the earliest.
    fn goes_on(
        &mut self,
        recorded: &StoredEvent,
        claim: &str,
        part: Option<&str>,
        confirm_on: Option<Date>,
    ) {
        let Some((_, whole, stopped, _)) = self.returns.get(claim) else {
            return;
        };
        let purchase_no = part.unwrap_or(whole).to_owned();
        let tomorrow = midnight(day_in_seoul(recorded) + Duration::days(1));
        let (kind, due) = match (confirm_on, *stopped) {
            (Some(day), _) => ("confirm-purchase", midnight(day)),
            (None, Some(due)) if due < tomorrow => ("deliver-purchase", tomorrow),
            (None, Some(due)) => ("deliver-purchase", due),
            (None, None) => return,
        };
        let row = (recorded.stream.id.clone(), due, recorded.position);
        self.waiting.insert((kind, purchase_no), row);
    }

    fn settled(&mut self, purchase_no: &str) {
        for kind in ["deliver-purchase", "confirm-purchase"] {
            self.waiting.remove(&(kind, purchase_no.to_owned()));
        }
    }

    fn payment(&mut self, recorded: &StoredEvent, event: &PaymentEvent) {
        let payment = recorded.stream.id.clone();
        let when = recorded.metadata.occurred_at;
        let mut wait = |kind, id, due| {
            let row = (recorded.stream.id.clone(), due, recorded.position);
            self.waiting.insert((kind, id), row);
        };
        match event {
            PaymentEvent::PaymentApprovalRequested { .. } => {
                wait("resolve-approval", payment, when + Duration::seconds(60));
            }
            PaymentEvent::PaymentApprovalUnknown { .. } => {
                wait("resolve-approval", payment, when);
            }
            PaymentEvent::RefundRequested { refund, .. } => {
                wait(
                    "resolve-refund",
                    refund.to_string(),
                    when + Duration::seconds(60),
                );
            }
            PaymentEvent::RefundUnknown { refund, .. } => {
                wait("resolve-refund", refund.to_string(), when);
            }
            PaymentEvent::AccountCloseRequested { .. } => wait("close-account", payment, when),
            PaymentEvent::VirtualAccountClosed { .. } => {
                self.waiting.remove(&("close-account", payment));
            }
            PaymentEvent::DepositReceived { .. } => {
                self.waiting.remove(&("resolve-approval", payment.clone()));
                self.waiting.remove(&("close-account", payment));
            }
            PaymentEvent::PaymentApproved { .. }
            | PaymentEvent::VirtualAccountIssued { .. }
            | PaymentEvent::PaymentRefused { .. }
            | PaymentEvent::PaymentNetCanceled { .. }
            | PaymentEvent::PaymentAbandoned { .. } => {
                self.waiting.remove(&("resolve-approval", payment));
            }
            PaymentEvent::RefundCompleted { refund, .. }
            | PaymentEvent::RefundTransferred { refund, .. }
            | PaymentEvent::RefundRefused { refund, .. } => {
                self.waiting.remove(&("resolve-refund", refund.to_string()));
            }
            PaymentEvent::PaymentStarted { .. }
            | PaymentEvent::NoticeDoubted { .. }
            | PaymentEvent::RefundAccountGiven { .. } => {}
        }
        if let PaymentEvent::PaymentStarted { order, member, .. } = event {
            let member = member.map(|member| member.to_string());
            self.begins(recorded, member, order.to_string());
        }
        self.keeps_records(recorded);
    }

    fn begins(&mut self, by: &StoredEvent, member: Option<String>, order: String) {
        let (kind, whose) = match member {
            Some(member) => ("statutory-period", member),
            None => ("guest-statutory-period", order),
        };
        let row = (kind, whose, by.position);
        self.keeps.insert(by.stream.id.clone(), row);
    }

    /// Every event of an order or payment extends the retention of its buyer's records, until they are erased.
    fn keeps_records(&mut self, recorded: &StoredEvent) {
        let whose = self.keeps.get(&recorded.stream.id);
        let records = whose.map(|(kind, id, _)| (*kind, id.clone()));
        if let Some(kept) = records.and_then(|records| self.waiting.get_mut(&records)) {
            let until = statutory_until(recorded.metadata.occurred_at);
            (kept.1, kept.2) = (until, recorded.position);
        }
    }
}

impl DeadlinesFold {
    fn member(&mut self, recorded: &StoredEvent, event: &MemberEvent) {
        let member = recorded.stream.id.clone();
        match event {
            MemberEvent::MemberLeft {
                statutory_until: Some(until),
                ..
            } => {
                let row = (member.clone(), *until, recorded.position);
                self.waiting.insert(("statutory-period", member), row);
            }
            MemberEvent::StatutoryDataErased {} => {
                self.waiting.remove(&("statutory-period", member));
            }
            _ => {}
        }
    }
}

impl DeadlinesFold {
    fn contact(&mut self, recorded: &StoredEvent) {
        let id = recorded.stream.id.clone();
        let kind = match recorded.stream.kind.as_str() {
            "contact" => "contact-period",
            _ => "inquiry-period",
        };
        let key = (kind, id.clone());
        match recorded.event_type.as_str() {
            "ContactCreated" | "InquiryCreated" => {
                let until = recorded.metadata.occurred_at + Duration::days(1_096);
                self.waiting.insert(key, (id, until, recorded.position));
            }
            "ContactRemoved" | "InquiryRemoved" => {
                self.waiting.remove(&key);
            }
            _ => {}
        }
    }
}

/// Midnight in Seoul is 15:00 UTC of the day before.
fn midnight(day: Date) -> OffsetDateTime {
    day.midnight().assume_utc() - Duration::hours(9)
}

fn day_in_seoul(recorded: &StoredEvent) -> Date {
    (recorded.metadata.occurred_at + Duration::hours(9))
        .to_offset(UtcOffset::UTC)
        .date()
}

impl Fold for DeadlinesFold {
    fn name(&self) -> &'static str {
        "deadlines"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[
            "order", "payment", "member", "deadline", "contact", "inquiry",
        ]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        if matches!(told.stream.kind.as_str(), "contact" | "inquiry") {
            self.contact(told);
            return Ok(());
        }
        match told.event()? {
            Event::Order(event) => self.order(told, event),
            Event::Payment(event) => self.payment(told, event),
            Event::Member(event) => self.member(told, event),
            Event::Deadline(DeadlineEvent::DeadlineRetried(refused)) => {
                let meta = &told.metadata;
                self.retried.push(json!({
                    "position": told.position, "kind": refused.kind, "id": refused.id, "set_by": refused.set_by,
                    "stream": refused.stream, "code": refused.code, "message": refused.message,
                    "refused_at": moment(refused.refused_at), "retried_at": moment(meta.occurred_at),
                    "retried_by": meta.actor.get("id"), "reason": meta.reason,
                }));
            }
            _ => {}
        }
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let rows = self
            .waiting
            .into_iter()
            .map(|((kind, id), (stream, due, position))| {
                json!({"kind": kind, "id": id, "stream": stream, "due_at": moment(due), "position": position})
            })
            .collect();
        let keeps = self.keeps.into_iter();
        let returns = self.returns.into_iter();
        Ok(vec![
            ExpectedRows {
                view: "deadlines",
                key: &["kind", "id"],
                rows,
            },
            ExpectedRows {
                view: "deadlines_returns",
                key: &["claim"],
                rows: returns
                    .map(|(claim, (stream, no, day, position))| json!({"claim": claim, "stream": stream, "purchase_no": no, "deliver_at": day.map(moment), "position": position}))
                    .collect(),
            },
            ExpectedRows {
                view: "deadlines_retries",
                key: &["position"],
                rows: self.retried,
            },
            ExpectedRows {
                view: "deadlines_keeps",
                key: &["stream"],
                rows: keeps
                    .map(|(stream, (kind, id, position))| json!({"stream": stream, "kind": kind, "id": id, "position": position}))
                    .collect(),
            },
        ])
    }
}
