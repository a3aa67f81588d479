//! Orders, purchases, payments and deadlines, told from the log in the specification's codes.

use std::collections::{BTreeMap, BTreeSet};

use domain::deadline::DeadlineEvent;
use domain::member::{MemberEvent, statutory_until};
use domain::order::{Buyer, CancelReason, Order, OrderEvent, OrderTerms};
use domain::payment::{Payment, PaymentEvent};
use event_store::StoredEvent;
use serde_json::{Map, Value, json};
use time::{Duration, OffsetDateTime};

use super::catalogue::pieces;
use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError, bad};

/// Where a purchase is.
#[derive(Clone)]
struct Line {
    order: &'static str,
    claim: &'static str,
    purchase: &'static str,
    courier: Option<String>,
    invoice_no: Option<String>,
    confirm_on: Option<String>,
    claimed: Option<(String, CancelReason)>,
    /// Its claim was neither granted nor refused.
    is_asked: bool,
    /// Its claim is on goods of several sellers.
    is_shared: bool,
    /// What was said when its claim was refused.
    refusal: Option<String>,
}

struct OneOrder {
    terms: Box<OrderTerms>,
    lines: BTreeMap<String, Line>,
    claims: BTreeMap<String, Vec<String>>,
    placed_at: OffsetDateTime,
    paid_at: Option<OffsetDateTime>,
    pay_by: OffsetDateTime,
    /// A virtual account is open.
    deposit_open: bool,
    state: Order,
    version: u64,
    position: i64,
}

impl OneOrder {
    fn line(&mut self, purchase_no: &str, change: impl FnOnce(&mut Line)) {
        if let Some(line) = self.lines.get_mut(purchase_no) {
            change(line);
        }
    }

    fn claimed(&mut self, claim: &str, change: impl Fn(&mut Line)) {
        for no in self.claims.get(claim).cloned().unwrap_or_default() {
            self.line(&no, &change);
        }
    }

    fn take(&mut self, event: &OrderEvent, when: OffsetDateTime) {
        match event {
            OrderEvent::OrderPlaced(_) => {}
            OrderEvent::OrderPaid { .. } => {
                self.paid_at = Some(when);
                self.deposit_open = false;
                for line in self.lines.values_mut() {
                    line.order = "ORDER_PAYMENT";
                    line.purchase = "PURCHASE_AWAITING";
                }
            }
            OrderEvent::DepositAwaited { until, .. } => {
                self.pay_by = *until;
                self.deposit_open = true;
            }
            OrderEvent::DepositWaitEnded { .. } => self.deposit_open = false,
            OrderEvent::OrderCanceled { .. } => {
                self.deposit_open = false;
                for line in self.lines.values_mut() {
                    line.order = "ORDER_CANCELED";
                    line.purchase = "PURCHASE_CANCELED";
                }
            }
            OrderEvent::PurchasePrepared { purchase_no } => {
                self.line(purchase_no, |line| line.order = "ORDER_CONFIRM");
            }
            OrderEvent::PurchaseShipped {
                purchase_no,
                courier,
                invoice_no,
            } => self.line(purchase_no, |line| {
                line.order = "SHIPPING_CONFIRM";
                line.courier = Some(courier.clone());
                line.invoice_no = Some(invoice_no.clone());
            }),
            OrderEvent::InvoiceCorrected {
                purchase_no,
                courier,
                invoice_no,
            } => self.line(purchase_no, |line| {
                line.courier = Some(courier.clone());
                line.invoice_no = Some(invoice_no.clone());
            }),
            OrderEvent::PurchaseDelayed { purchase_no, .. } => {
                self.line(purchase_no, |line| line.order = "SHIPPING_DELAYED");
            }
            OrderEvent::PurchaseDelivered {
                purchase_no,
                confirm_on,
            } => self.line(purchase_no, |line| {
                line.order = "DELIVERY_COMPLETE";
                line.purchase = "PURCHASE_SCHEDULE";
                line.confirm_on = Some(day(*confirm_on));
            }),
            OrderEvent::PurchaseCompleted { purchase_no, .. } => {
                self.line(purchase_no, |line| line.purchase = "PURCHASE_COMPLETE");
            }
            OrderEvent::CancelRequested {
                claim,
                purchase_nos,
                reason,
                ..
            } => {
                let claim = claim.to_string();
                let is_of_it = |no: &String| purchase_nos.contains(no);
                let lines = self.terms.purchases.iter();
                let sellers: BTreeSet<_> = lines
                    .filter(|line| is_of_it(&line.purchase_no))
                    .map(|line| line.seller)
                    .collect();
                self.claims.insert(claim.clone(), purchase_nos.clone());
                self.claimed(&claim, |line| {
                    line.claim = "CANCEL_REQUESTED";
                    line.claimed = Some((claim.clone(), reason.clone()));
                    line.is_asked = true;
                    line.is_shared = sellers.len() > 1;
                    line.refusal = None;
                });
            }
            OrderEvent::CancelApproved { claim, .. } => {
                self.claimed(&claim.to_string(), |line| line.is_asked = false);
            }
            OrderEvent::CancelRejected { claim, reason } => {
                self.claimed(&claim.to_string(), |line| {
                    line.claim = "CANCEL_REJECTED";
                    line.is_asked = false;
                    line.refusal = Some(reason.clone());
                });
            }
            OrderEvent::CancelCompleted { claim } => self.claimed(&claim.to_string(), |line| {
                line.claim = "CANCEL_COMPLETED";
                line.order = "ORDER_CANCELED";
                line.purchase = "PURCHASE_CANCELED";
            }),
            OrderEvent::GuestRecordsErased {} => {}
        }
    }

    /// The least far of what is not canceled.
    fn status(&self) -> &'static str {
        const WAY: [&str; 6] = [
            "ORDER_NONPAYMENT",
            "ORDER_PAYMENT",
            "ORDER_CONFIRM",
            "SHIPPING_DELAYED",
            "SHIPPING_CONFIRM",
            "DELIVERY_COMPLETE",
        ];
        let at = |code: &&str| self.lines.values().any(|line| line.order == *code);
        WAY.iter().copied().find(at).unwrap_or("ORDER_CANCELED")
    }
}

fn day(day: time::Date) -> String {
    format!(
        "{:04}-{:02}-{:02}",
        day.year(),
        u8::from(day.month()),
        day.day()
    )
}

impl Line {
    fn is_complete(&self) -> bool {
        self.purchase == "PURCHASE_COMPLETE"
    }

    fn is_refused(&self) -> bool {
        self.claim.ends_with("_REJECTED")
    }

    fn group(&self) -> Option<&'static str> {
        ["CANCEL", "EXCHANGE", "RETURN"]
            .into_iter()
            .zip(["cancel", "exchange", "return"])
            .find(|(word, _)| self.claim.starts_with(word))
            .map(|(_, group)| group)
    }

    fn tab(&self) -> &'static str {
        match (self.is_complete(), self.is_refused(), self.group()) {
            (true, ..) => "complete",
            (false, false, Some(group)) => group,
            _ => match self.order {
                "ORDER_NONPAYMENT" => "nonpayment",
                "ORDER_PAYMENT" => "payment",
                "ORDER_CANCELED" => "cancel",
                _ => "delivery",
            },
        }
    }

    fn list(&self) -> Option<&'static str> {
        if self.group().is_some() && !self.is_refused() && !self.is_complete() {
            return None;
        }
        Some(match self.order {
            "SHIPPING_CONFIRM" | "SHIPPING_DELAYED" => "shipped",
            "DELIVERY_COMPLETE" => "delivered",
            "ORDER_CANCELED" => "canceled",
            _ => "processing",
        })
    }

    fn claim_group(&self) -> Option<&'static str> {
        if self.is_complete() {
            return None;
        }
        let unpaid = (self.order == "ORDER_CANCELED").then_some("cancel");
        self.group().or(unpaid)
    }
}

/// One attempt to pay.
struct Attempt {
    row: Map<String, Value>,
    /// What came, once it did.
    amount: i64,
    approved: bool,
    over: bool,
    refunded: i64,
    state: Payment,
}

#[derive(Default)]
pub(super) struct OrdersFold {
    orders: BTreeMap<String, OneOrder>,
    attempts: BTreeMap<String, Attempt>,
}

impl OrdersFold {
    fn order(&mut self, told: &DecodedEvent, event: &OrderEvent) -> Result<(), VerifyError> {
        let when = told.metadata.occurred_at;
        if let OrderEvent::OrderPlaced(terms) = event {
            let line = Line {
                order: "ORDER_NONPAYMENT",
                claim: "NONE",
                purchase: "PURCHASE_PENDING",
                courier: None,
                invoice_no: None,
                confirm_on: None,
                claimed: None,
                is_asked: false,
                is_shared: false,
                refusal: None,
            };
            let lines = terms
                .purchases
                .iter()
                .map(|terms| (terms.purchase_no.clone(), line.clone()))
                .collect();
            let order = OneOrder {
                terms: terms.clone(),
                lines,
                claims: BTreeMap::new(),
                placed_at: when,
                paid_at: None,
                pay_by: terms.pay_by,
                deposit_open: false,
                state: Order::default(),
                version: 0,
                position: 0,
            };
            self.orders.insert(told.stream.id.clone(), order);
        }
        let order = self
            .orders
            .get_mut(&told.stream.id)
            .ok_or_else(|| bad(told, "an order nobody placed"))?;
        order.take(event, when);
        order.state.evolve(event.clone());
        order.version = told.version;
        order.position = told.position;
        Ok(())
    }

    fn payment(&mut self, told: &DecodedEvent, event: &PaymentEvent) -> Result<(), VerifyError> {
        let id = &told.stream.id;
        let when = moment(told.metadata.occurred_at);
        if let PaymentEvent::PaymentStarted {
            order,
            order_no,
            attempt,
            gateway_order_id,
            amount,
            method,
            member,
        } = event
        {
            let row = json!({
                "id": id, "order_id": order, "order_no": order_no, "member": member, "attempt": attempt,
                "gateway_order_id": gateway_order_id, "method": method, "amount": amount,
                "approved_at": null, "receipt_url": null, "started_at": when,
            });
            let attempt = Attempt {
                row: row.as_object().cloned().unwrap_or_default(),
                amount: 0,
                approved: false,
                over: false,
                refunded: 0,
                state: Payment::default(),
            };
            self.attempts.insert(id.clone(), attempt);
        }
        let attempt = self
            .attempts
            .get_mut(id)
            .ok_or_else(|| bad(told, "a payment nobody started"))?;
        let mut say = |column: &str, value: Value| {
            attempt.row.insert(column.to_owned(), value);
        };
        say("version", told.version.into());
        say("position", told.position.into());
        match event {
            PaymentEvent::PaymentApproved {
                amount,
                receipt_url,
                ..
            } => {
                say("approved_at", when);
                say("receipt_url", json!(receipt_url));
                attempt.amount = amount.hundredths();
                attempt.approved = true;
                attempt.over = false;
            }
            PaymentEvent::DepositReceived { amount, .. } => {
                say("approved_at", when);
                attempt.amount = amount.hundredths();
                attempt.approved = true;
                attempt.over = false;
            }
            PaymentEvent::PaymentRefused { .. }
            | PaymentEvent::PaymentNetCanceled { .. }
            | PaymentEvent::PaymentAbandoned { .. }
            | PaymentEvent::AccountCloseRequested { .. }
            | PaymentEvent::VirtualAccountClosed { .. } => attempt.over = true,
            PaymentEvent::RefundCompleted { amount, .. } => {
                attempt.refunded += amount.hundredths();
            }
            _ => {}
        }
        attempt.state.evolve(event.clone());
        Ok(())
    }

    fn order_row(id: &str, order: &OneOrder) -> Value {
        let terms = &order.terms;
        let (buyer, contact_hash) = match &terms.buyer {
            Buyer::Member { id } => (json!(id), Value::Null),
            Buyer::Guest { contact_hash } => (Value::Null, json!(contact_hash)),
        };
        json!({
            "id": id, "order_no": terms.order_no, "buyer": buyer, "contact_hash": contact_hash,
            "status": order.status(), "payable": terms.totals.payable,
            "payment_method": terms.payment_method, "pay_by": moment(order.pay_by),
            "created_at": moment(order.placed_at), "paid_at": order.paid_at.map(moment),
            "sender": terms.sender, "receiver": terms.receiver,
            "state": order.state, "version": order.version, "position": order.position,
        })
    }

    fn purchase_rows(id: &str, order: &OneOrder) -> Vec<Value> {
        let buyer = match &order.terms.buyer {
            Buyer::Member { id } => json!(id),
            Buyer::Guest { .. } => Value::Null,
        };
        let mut place = 0_i64;
        let row = |terms: &domain::order::PurchaseTerms| {
            place += 1;
            let line = order.lines.get(&terms.purchase_no)?;
            let names: Vec<&str> = [
                Some(terms.name.as_str()),
                terms.option_name.as_deref(),
                Some(terms.code.as_str()),
            ]
            .into_iter()
            .flatten()
            .collect();
            Some(json!({
                "purchase_no": terms.purchase_no, "order_id": id, "line": place,
                "order_no": order.terms.order_no, "buyer": buyer, "product": terms.product,
                "option": terms.option, "seller": terms.seller, "code": terms.code, "name": terms.name,
                "option_name": terms.option_name, "thumb": terms.thumb, "quantity": terms.quantity,
                "unit_price": terms.unit_price, "paid": terms.paid, "order_status": line.order,
                "claim_status": line.claim, "purchase_status": line.purchase,
                "collection_status": "NONE", "tab": line.tab(), "list": line.list(),
                "claim_group": line.claim_group(), "courier": line.courier,
                "invoice_no": line.invoice_no, "confirm_on": line.confirm_on,
                "claim": line.claimed.as_ref().map(|(claim, _)| claim),
                "claim_reason": line.claimed.as_ref().map(|(_, reason)| reason),
                "claim_pending": line.is_asked, "claim_for_staff": line.is_shared,
                "claim_rejection": line.refusal,
                "awaits_deposit": order.deposit_open,
                "pieces": pieces(&names), "created_at": moment(order.placed_at),
                "paid_at": order.paid_at.map(moment), "position": order.position,
            }))
        };
        order.terms.purchases.iter().filter_map(row).collect()
    }
}

impl OrdersFold {
    /// Orders, and purchases by their tabs, as soon as there is an order.
    fn counts(&self) -> Vec<Value> {
        if self.orders.is_empty() {
            return Vec::new();
        }
        let lines: Vec<&str> = self
            .orders
            .values()
            .flat_map(|order| order.lines.values().map(Line::tab))
            .collect();
        let in_tab = |tab: &str| lines.iter().filter(|found| **found == tab).count();
        [
            "nonpayment",
            "payment",
            "delivery",
            "cancel",
            "exchange",
            "return",
            "complete",
        ]
        .into_iter()
        .map(|tab| (tab, in_tab(tab)))
        .chain([("order", self.orders.len())])
        .map(|(kind, live)| json!({ "kind": kind, "live": live }))
        .collect()
    }
}

impl Fold for OrdersFold {
    fn name(&self) -> &'static str {
        "orders"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["order", "payment"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        match told.event()? {
            Event::Order(event) => self.order(told, event),
            Event::Payment(event) => self.payment(told, event),
            _ => Ok(()),
        }
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let payments = self.attempts.values().map(|attempt| {
            let mut row = attempt.row.clone();
            let status = if attempt.over || (attempt.approved && attempt.refunded >= attempt.amount)
            {
                "PAYMENT_CANCELED"
            } else if attempt.approved {
                "PAYMENT_COMPLETED"
            } else {
                "PAYMENT_AWAITING"
            };
            row.insert("status".to_owned(), status.into());
            row.insert("refunded".to_owned(), attempt.refunded.into());
            row.insert("state".to_owned(), json!(attempt.state));
            Value::Object(row)
        });
        let orders = self.orders.iter();
        let purchases = self.orders.iter();
        Ok(vec![
            ExpectedRows {
                view: "orders_counts",
                key: &["kind"],
                rows: self.counts(),
            },
            ExpectedRows {
                view: "orders",
                key: &["id"],
                rows: orders
                    .map(|(id, order)| Self::order_row(id, order))
                    .collect(),
            },
            ExpectedRows {
                view: "orders_purchases",
                key: &["purchase_no"],
                rows: purchases
                    .flat_map(|(id, order)| Self::purchase_rows(id, order))
                    .collect(),
            },
            ExpectedRows {
                view: "orders_payments",
                key: &["id"],
                rows: payments.collect(),
            },
        ])
    }
}

/// Everything that waits for its time.
#[derive(Default)]
pub(super) struct DeadlinesFold {
    waiting: BTreeMap<(&'static str, String), (String, OffsetDateTime, i64)>,
    /// Whose records each order and payment keeps: the kind of deadline, the member or guest's order, and where it began.
    keeps: BTreeMap<String, (&'static str, String, i64)>,
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
            } => {
                // midnight in Seoul is three in the afternoon of the day before in UTC
                let due = confirm_on.midnight().assume_utc() - Duration::hours(9);
                let row = (order, due, position);
                let purchase = ("confirm-purchase", purchase_no.clone());
                self.waiting.insert(purchase, row);
            }
            OrderEvent::PurchaseCompleted { purchase_no, .. } => {
                let purchase = ("confirm-purchase", purchase_no.clone());
                self.waiting.remove(&purchase);
            }
            _ => {}
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
        Ok(vec![
            ExpectedRows {
                view: "deadlines",
                key: &["kind", "id"],
                rows,
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
