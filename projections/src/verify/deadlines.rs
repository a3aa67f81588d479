//! What waits for its time, told from the log.

use std::collections::BTreeMap;

use domain::deadline::DeadlineEvent;
use domain::member::{MemberEvent, statutory_until};
use domain::order::{Buyer, OrderEvent};
use domain::payment::PaymentEvent;
use event_store::StoredEvent;
use serde_json::{Value, json};
use time::{Date, Duration, OffsetDateTime};

use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError};

/// Everything that waits for its time.
#[derive(Default)]
pub(super) struct DeadlinesFold {
    waiting: BTreeMap<(&'static str, String), (String, OffsetDateTime, i64)>,
    /// Whose records each order and payment keeps: the kind of deadline, the member or guest's order, and where it began.
    keeps: BTreeMap<String, (&'static str, String, i64)>,
    /// Order, purchase and beginning of each return or exchange.
    returns: BTreeMap<String, (String, String, i64)>,
    /// Refused ones somebody had tried again, as they are to be read.
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
            OrderEvent::PurchaseDelivered {
                purchase_no,
                confirm_on,
            } => self.confirms(recorded, purchase_no, Some(*confirm_on)),
            OrderEvent::PurchaseCompleted { purchase_no, .. } => self.settled(purchase_no),
            OrderEvent::PurchaseSplit {
                from, purchase_no, ..
            } => {
                // delivered pieces wait for their day under whichever number
                let whole = ("confirm-purchase", from.clone());
                if let Some((_, due, _)) = self.waiting.get(&whole) {
                    let part = ("confirm-purchase", purchase_no.clone());
                    self.waiting.insert(part, (order, *due, position));
                }
            }
            OrderEvent::ReturnRequested {
                claim, purchase_no, ..
            }
            | OrderEvent::ExchangeRequested {
                claim, purchase_no, ..
            } => {
                let row = (order, purchase_no.clone(), position);
                self.returns.insert(claim.to_string(), row);
                self.settled(purchase_no);
            }
            OrderEvent::GoodsInspected {
                missing: Some(missing),
                ..
            } => self.confirms(recorded, &missing.purchase_no, missing.confirm_on),
            OrderEvent::ReturnRejected {
                claim, confirm_on, ..
            }
            | OrderEvent::ExchangeRejected {
                claim, confirm_on, ..
            }
            | OrderEvent::ClaimWithdrawn { claim, confirm_on } => {
                self.claim_ended(recorded, &claim.to_string(), *confirm_on);
            }
            OrderEvent::ExchangeCompleted { claim, confirm_on } => {
                self.claim_ended(recorded, &claim.to_string(), Some(*confirm_on));
            }
            _ => {}
        }
    }

    /// The purchase of a return or exchange goes on to its confirmation.
    fn claim_ended(&mut self, recorded: &StoredEvent, claim: &str, on: Option<Date>) {
        let of = self.returns.get(claim);
        if let Some(purchase_no) = of.map(|(_, purchase_no, _)| purchase_no.clone()) {
            self.confirms(recorded, &purchase_no, on);
        }
    }

    /// Delivered goods confirm themselves on a day.
    fn confirms(&mut self, recorded: &StoredEvent, purchase_no: &str, on: Option<Date>) {
        if let Some(day) = on {
            // midnight in Seoul is three in the afternoon of the day before in UTC
            let due = day.midnight().assume_utc() - Duration::hours(9);
            let purchase = ("confirm-purchase", purchase_no.to_owned());
            let row = (recorded.stream.id.clone(), due, recorded.position);
            self.waiting.insert(purchase, row);
        }
    }

    fn settled(&mut self, purchase_no: &str) {
        let purchase = ("confirm-purchase", purchase_no.to_owned());
        self.waiting.remove(&purchase);
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

    /// Whatever happens to somebody's order or payment keeps who they were for longer, until nobody can read it any more.
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

impl Fold for DeadlinesFold {
    fn name(&self) -> &'static str {
        "deadlines"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["order", "payment", "member", "deadline"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
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
                    .map(|(claim, (stream, no, position))| json!({"claim": claim, "stream": stream, "purchase_no": no, "position": position}))
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
