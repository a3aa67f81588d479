//! One order with its purchases and claims, folded from its events.

use std::collections::BTreeSet;

use domain::Sealed;
use domain::order::{
    Buyer, CancelReason, Fault, Goods, MissingPieces, Order, OrderEvent, OrderTerms, PurchasePart,
};
use domain::personal::Party;
use serde_json::{Value, json};
use time::OffsetDateTime;

use super::claim_days::ClaimDays;
use super::line::{Instead, Line, day};
use super::parcels::{ParcelContents, Parcels};
use crate::verify::catalogue::pieces;
use crate::verify::compare::moment;

/// Outcome of a claim.
enum Answer {
    Awaited,
    Granted,
    Refused(String),
    Withdrawn,
}

struct Claim {
    id: String,
    kind: &'static str,
    purchase_nos: Vec<String>,
    reason: CancelReason,
    answer: Answer,
    fault: Option<Fault>,
    exchange: Option<Instead>,
}

impl Claim {
    fn fee(&self) -> &'static str {
        match (&self.answer, &self.exchange) {
            (Answer::Awaited, Some(exchange)) if exchange.paid => "received",
            (Answer::Awaited, Some(exchange)) if exchange.dearer => "dueWithPrice",
            (Answer::Awaited, Some(exchange))
                if self.fault == Some(Fault::Buyer) && exchange.fee > 0 =>
            {
                "due"
            }
            _ => "none",
        }
    }
}

pub(super) struct OneOrder {
    terms: Box<OrderTerms>,
    /// As placed, then those split off.
    pub lines: Vec<Line>,
    /// Oldest first.
    claims: Vec<Claim>,
    placed_at: OffsetDateTime,
    paid_at: Option<OffsetDateTime>,
    pay_by: OffsetDateTime,
    /// A virtual account is open.
    deposit_open: bool,
    receiver: Sealed<Party>,
    parcels: Parcels,
    claim_days: ClaimDays,
    pub state: Order,
    pub version: u64,
    pub position: i64,
}

impl OneOrder {
    pub fn placed(terms: Box<OrderTerms>, when: OffsetDateTime) -> Self {
        let lines = terms.purchases.iter().enumerate();
        let lines = lines.map(|(placed, line)| Line {
            no: line.purchase_no.clone(),
            placed,
            split_from: None,
            quantity: i64::from(line.quantity),
            paid: line.paid.hundredths(),
            price: line.unit_price.hundredths() * i64::from(line.quantity),
            order: "ORDER_NONPAYMENT",
            claim: "NONE",
            purchase: "PURCHASE_PENDING",
            collection: "NONE",
            courier: None,
            invoice_no: None,
            confirm_on: None,
            is_final: false,
            goods: None,
        });
        Self {
            lines: lines.collect(),
            claims: Vec::new(),
            placed_at: when,
            paid_at: None,
            pay_by: terms.pay_by,
            deposit_open: false,
            receiver: terms.receiver.clone(),
            parcels: Parcels::default(),
            claim_days: ClaimDays::default(),
            state: Order::default(),
            version: 0,
            position: 0,
            terms,
        }
    }

    fn line(&mut self, purchase_no: &str, change: impl FnOnce(&mut Line)) {
        if let Some(line) = self.lines.iter_mut().find(|line| line.no == purchase_no) {
            change(line);
        }
    }

    /// Applies an answer to a claim and its purchases.
    fn answered(&mut self, id: impl ToString, answer: Answer, change: impl Fn(&mut Line)) {
        let id = id.to_string();
        let Some(claim) = self.claims.iter_mut().find(|claim| claim.id == id) else {
            return;
        };
        claim.answer = answer;
        self.claimed(&id, change);
    }

    fn claimed(&mut self, id: &str, change: impl Fn(&mut Line)) {
        let Some(claim) = self.claims.iter().find(|claim| claim.id == id) else {
            return;
        };
        let its = |line: &&mut Line| claim.purchase_nos.contains(&line.no);
        self.lines.iter_mut().filter(its).for_each(change);
    }

    pub fn take(
        &mut self,
        event: &OrderEvent,
        (when, position): (OffsetDateTime, i64),
    ) -> Result<(), String> {
        self.claim_days.take(event, when);
        self.ship(event, (when, position))?;
        match event {
            OrderEvent::OrderPlaced(_)
            | OrderEvent::GuestRecordsErased {}
            | OrderEvent::ReceiverDisclosed { .. }
            | OrderEvent::StaffNoteWritten { .. } => {}
            OrderEvent::ReceiverCorrected { receiver } => self.receiver = receiver.clone(),
            OrderEvent::OrderPaid { .. } => {
                self.paid_at = Some(when);
                self.deposit_open = false;
                for line in &mut self.lines {
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
                for line in &mut self.lines {
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
                ..
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
                self.line(purchase_no, |line| {
                    line.purchase = "PURCHASE_COMPLETE";
                    line.is_final = true;
                });
            }
            OrderEvent::PurchaseSplit {
                from,
                purchase_no,
                part,
            } => self.split(from, purchase_no, part)?,
            event => self.take_of_claim(event),
        }
        Ok(())
    }

    /// Passes an event that sends or delivers goods to the parcels, with the goods.
    fn ship(
        &mut self,
        event: &OrderEvent,
        (when, position): (OffsetDateTime, i64),
    ) -> Result<(), String> {
        let goods_of =
            |purchase_no: &str, instead: Option<&Goods>| -> Result<ParcelContents, String> {
                let line = self.lines.iter().find(|line| line.no == purchase_no);
                let line = line.ok_or_else(|| format!("nothing of {purchase_no} can be sent"))?;
                let terms = self.terms.purchases.get(line.placed);
                let terms = terms.ok_or_else(|| format!("{purchase_no} was never placed"))?;
                let option_name = match (instead, &line.goods) {
                    (Some(instead), _) => instead.option_name.clone(),
                    (None, Some((_, replaced))) => replaced.clone(),
                    (None, None) => terms.option_name.clone(),
                };
                Ok(ParcelContents {
                    purchase_no: purchase_no.to_owned(),
                    order_no: self.terms.order_no.clone(),
                    seller: terms.seller,
                    product: terms.product,
                    name: terms.name.clone(),
                    thumb: terms.thumb.clone(),
                    option_name,
                    quantity: line.quantity,
                })
            };
        let of_claim = |id: &str, replaces: bool| -> Result<ParcelContents, String> {
            let claim = self.claims.iter().find(|claim| claim.id == id);
            let claim = claim.ok_or_else(|| format!("a parcel for the unknown claim {id}"))?;
            let [purchase_no] = claim.purchase_nos.as_slice() else {
                return Err(format!("a parcel for several purchases of claim {id}"));
            };
            let instead = claim.exchange.as_ref().map(|exchange| &exchange.goods);
            goods_of(purchase_no, instead.filter(|_| replaces))
        };
        let claims_on = |purchase_no: &str| -> Vec<String> {
            let is_on = |claim: &&Claim| claim.purchase_nos.iter().any(|no| no == purchase_no);
            let on = self.claims.iter().filter(is_on);
            on.map(|claim| claim.id.clone()).collect()
        };
        let mut parcels = std::mem::take(&mut self.parcels);
        let goods = |purchase_no: &str| goods_of(purchase_no, None);
        parcels.take(event, (when, position), &goods, &of_claim, &claims_on)?;
        self.parcels = parcels;
        Ok(())
    }

    /// The new purchase has the same statuses as the one it is split off.
    fn split(&mut self, from: &str, no: &str, part: &PurchasePart) -> Result<(), String> {
        let whole = self.lines.iter_mut().find(|line| line.no == from);
        let whole = whole.ok_or_else(|| format!("{no} is split off no purchase"))?;
        let new = whole.split(no, part);
        self.lines.push(new);
        Ok(())
    }

    fn take_of_claim(&mut self, event: &OrderEvent) {
        match event {
            OrderEvent::CancelRequested {
                claim,
                purchase_nos,
                reason,
                ..
            } => {
                let id = claim.to_string();
                self.claims.push(Claim {
                    id: id.clone(),
                    kind: "CANCEL",
                    purchase_nos: purchase_nos.clone(),
                    reason: reason.clone(),
                    answer: Answer::Awaited,
                    fault: None,
                    exchange: None,
                });
                self.claimed(&id, |line| line.claim = "CANCEL_REQUESTED");
            }
            OrderEvent::ReturnRequested {
                claim,
                purchase_no,
                reason,
                fault,
                ..
            } => {
                let id = claim.to_string();
                self.claims.push(Claim {
                    id: id.clone(),
                    kind: "RETURN",
                    purchase_nos: vec![purchase_no.clone()],
                    reason: reason.clone(),
                    answer: Answer::Awaited,
                    fault: Some(*fault),
                    exchange: None,
                });
                self.claimed(&id, |line| {
                    line.claim = "RETURN_REQUESTED";
                    line.collection = "COLLECTION_PENDING";
                    line.stops();
                });
            }
            OrderEvent::GoodsPickedUp { claim, .. } => self.claimed(&claim.to_string(), |line| {
                line.collection = "COLLECTION_PROGRESS";
            }),
            OrderEvent::GoodsInspected {
                claim,
                missing,
                fault,
                ..
            } => {
                let id = claim.to_string();
                if let Some(claim) = self.claims.iter_mut().find(|claim| claim.id == id) {
                    claim.fault = Some(*fault);
                }
                self.claimed(&id, |line| line.collection = "COLLECTION_COMPLETE");
                if let Some(missing) = missing {
                    self.missing(&id, missing);
                }
            }
            OrderEvent::CancelApproved { claim, .. } | OrderEvent::ReturnApproved { claim, .. } => {
                self.answered(claim, Answer::Granted, |_| {});
            }
            OrderEvent::CancelRejected { claim, reason } => {
                self.answered(claim, Answer::Refused(reason.clone()), |line| {
                    line.claim = "CANCEL_REJECTED";
                });
            }
            OrderEvent::ReturnRejected {
                claim,
                reason,
                confirm_on,
            } => self.answered(claim, Answer::Refused(reason.clone()), |line| {
                line.claim = "RETURN_REJECTED";
                // nothing has to be collected any more
                line.collection = "NONE";
                line.goes_on(*confirm_on);
            }),
            OrderEvent::ClaimWithdrawn { claim, confirm_on } => {
                self.answered(claim, Answer::Withdrawn, |line| {
                    line.claim = "NONE";
                    line.collection = "NONE";
                    line.goes_on(*confirm_on);
                });
            }
            OrderEvent::CancelCompleted { claim } => self.claimed(&claim.to_string(), |line| {
                line.claim = "CANCEL_COMPLETED";
                line.order = "ORDER_CANCELED";
                line.purchase = "PURCHASE_CANCELED";
            }),
            // delivered goods keep their order status
            OrderEvent::ReturnCompleted { claim } => self.claimed(&claim.to_string(), |line| {
                line.claim = "RETURN_COMPLETED";
                line.purchase = "PURCHASE_CANCELED";
            }),
            event => self.take_of_exchange(event),
        }
    }

    fn take_of_exchange(&mut self, event: &OrderEvent) {
        match event {
            OrderEvent::ExchangeRequested {
                claim,
                purchase_no,
                reason,
                fault,
                fee,
                replacement,
                difference,
                ..
            } => {
                let id = claim.to_string();
                self.claims.push(Claim {
                    id: id.clone(),
                    kind: "EXCHANGE",
                    purchase_nos: vec![purchase_no.clone()],
                    reason: reason.clone(),
                    answer: Answer::Awaited,
                    fault: Some(*fault),
                    exchange: Some(Instead {
                        goods: replacement.clone(),
                        fee: fee.hundredths(),
                        dearer: difference.hundredths() > 0,
                        paid: false,
                        price: 0,
                        sent: false,
                    }),
                });
                self.claimed(&id, |line| {
                    line.claim = "EXCHANGE_REQUESTED";
                    line.stops();
                });
            }
            OrderEvent::ExchangeAccepted { claim } => self.claimed(&claim.to_string(), |line| {
                line.claim = "EXCHANGE_PENDING";
                line.collection = "COLLECTION_PENDING";
            }),
            OrderEvent::ExchangeRejected {
                claim,
                reason,
                confirm_on,
            } => self.answered(claim, Answer::Refused(reason.clone()), |line| {
                line.claim = "EXCHANGE_REJECTED";
                line.collection = "NONE";
                line.goes_on(*confirm_on);
            }),
            OrderEvent::ExchangeFeeReceived { claim, price, .. } => {
                self.exchange(&claim.to_string(), |exchange| {
                    exchange.paid = true;
                    exchange.price = price.hundredths();
                });
            }
            OrderEvent::ExchangeFeeRefunded { claim, .. } => {
                self.exchange(&claim.to_string(), |exchange| {
                    exchange.paid = false;
                    exchange.price = 0;
                });
            }
            OrderEvent::ExchangeFeeWaived { claim, .. } => {
                self.exchange(&claim.to_string(), |exchange| exchange.fee = 0);
            }
            OrderEvent::ReplacementShipped { claim, .. } => {
                let id = claim.to_string();
                let mut goods = None;
                self.exchange(&id, |exchange| {
                    if !std::mem::replace(&mut exchange.sent, true) {
                        goods = Some((exchange.goods.clone(), exchange.price));
                    }
                });
                self.claimed(&id, |line| {
                    line.claim = "EXCHANGE_SHIPPING";
                    // from now on the replacement counts as the goods ordered
                    if let Some((goods, price)) = &goods {
                        line.costs_more(*price);
                        line.goods = Some((goods.option, goods.option_name.clone()));
                    }
                });
            }
            OrderEvent::PriceDifferenceRefunded {
                purchase_no, terms, ..
            } => self.line(purchase_no, |line| line.costs_less(terms)),
            OrderEvent::ReplacementDelayed { claim, .. } => {
                self.claimed(&claim.to_string(), |line| line.claim = "EXCHANGE_DELAYED");
            }
            OrderEvent::ExchangeCompleted { claim, confirm_on } => {
                self.answered(claim, Answer::Granted, |line| {
                    line.claim = "EXCHANGE_COMPLETED";
                    line.collection = "NONE";
                    line.goes_on(*confirm_on);
                });
            }
            _ => {}
        }
    }

    fn exchange(&mut self, id: &str, change: impl FnOnce(&mut Instead)) {
        let claim = self.claims.iter_mut().find(|claim| claim.id == id);
        if let Some(exchange) = claim.and_then(|claim| claim.exchange.as_mut()) {
            change(exchange);
        }
    }

    /// The units that did not arrive were split off before; their claim, with the same reason, is rejected.
    fn missing(&mut self, arrived: &str, missing: &MissingPieces) {
        let of = self.claims.iter().find(|claim| claim.id == arrived);
        let Some((reason, kind, fault)) =
            of.map(|claim| (claim.reason.clone(), claim.kind, claim.fault))
        else {
            return;
        };
        self.claims.push(Claim {
            id: missing.claim.to_string(),
            kind,
            purchase_nos: vec![missing.purchase_no.clone()],
            reason,
            answer: Answer::Refused(missing.reason.clone()),
            fault,
            exchange: None,
        });
        self.line(&missing.purchase_no, |line| {
            line.claim = match kind {
                "EXCHANGE" => "EXCHANGE_REJECTED",
                _ => "RETURN_REJECTED",
            };
            line.collection = "NONE";
            line.goes_on(missing.confirm_on);
        });
    }

    /// The least advanced status of all purchases that are not canceled.
    fn status(&self) -> &'static str {
        const WAY: [&str; 6] = [
            "ORDER_NONPAYMENT",
            "ORDER_PAYMENT",
            "ORDER_CONFIRM",
            "SHIPPING_DELAYED",
            "SHIPPING_CONFIRM",
            "DELIVERY_COMPLETE",
        ];
        let at = |code: &&str| self.lines.iter().any(|line| line.order == *code);
        WAY.iter().copied().find(at).unwrap_or("ORDER_CANCELED")
    }

    pub fn parcel_rows(&self, id: &str) -> Vec<Value> {
        self.parcels.rows(id)
    }

    pub fn row(&self, id: &str) -> Value {
        let terms = &self.terms;
        let (buyer, contact_hash) = match &terms.buyer {
            Buyer::Member { id } => (json!(id), Value::Null),
            Buyer::Guest { contact_hash } => (Value::Null, json!(contact_hash)),
        };
        json!({
            "id": id, "order_no": terms.order_no, "buyer": buyer, "contact_hash": contact_hash,
            "status": self.status(), "payable": terms.totals.payable,
            "payment_method": terms.payment_method, "pay_by": moment(self.pay_by),
            "created_at": moment(self.placed_at), "paid_at": self.paid_at.map(moment),
            "sender": terms.sender, "receiver": self.receiver,
            "state": self.state, "claim_times": self.claim_days.told(), "version": self.version, "position": self.position,
        })
    }

    /// Whether a claim covers goods of several sellers.
    fn is_shared(&self, claim: &Claim) -> bool {
        let its = self
            .lines
            .iter()
            .filter(|line| claim.purchase_nos.contains(&line.no));
        let sellers = its.filter_map(|line| Some(self.terms.purchases.get(line.placed)?.seller));
        sellers.collect::<BTreeSet<_>>().len() > 1
    }

    pub fn purchase_rows(&self, id: &str) -> Vec<Value> {
        let rows = (1_i64..).zip(&self.lines);
        rows.filter_map(|(place, line)| self.purchase_row(id, place, line))
            .collect()
    }

    fn purchase_row(&self, id: &str, place: i64, line: &Line) -> Option<Value> {
        let buyer = match &self.terms.buyer {
            Buyer::Member { id } => json!(id),
            Buyer::Guest { .. } => Value::Null,
        };
        let terms = self.terms.purchases.get(line.placed)?;
        let (option, option_name) = match &line.goods {
            Some((option, name)) => (*option, name.as_deref()),
            None => (terms.option, terms.option_name.as_deref()),
        };
        let names: Vec<&str> = [
            Some(terms.name.as_str()),
            option_name,
            Some(terms.code.as_str()),
        ]
        .into_iter()
        .flatten()
        .collect();
        let is_shown = |claim: &&Claim| {
            claim.purchase_nos.contains(&line.no) && !matches!(claim.answer, Answer::Withdrawn)
        };
        let claim = self.claims.iter().rfind(is_shown);
        let (awaited, refusal) = match claim.map(|claim| &claim.answer) {
            Some(Answer::Awaited) => (true, None),
            Some(Answer::Refused(reason)) => (false, Some(reason)),
            Some(Answer::Granted | Answer::Withdrawn) | None => (false, None),
        };
        Some(json!({
            "purchase_no": line.no, "order_id": id, "line": place,
            "order_no": self.terms.order_no, "buyer": buyer, "split_from": line.split_from,
            "product": terms.product, "option": option, "seller": terms.seller,
            "code": terms.code, "name": terms.name, "option_name": option_name,
            "thumb": terms.thumb, "quantity": line.quantity, "unit_price": line.price.checked_div(line.quantity).unwrap_or_default(),
            "paid": line.paid, "order_status": line.order, "claim_status": line.claim,
            "purchase_status": line.purchase, "collection_status": line.collection,
            "tab": line.tab(), "list": line.list(), "claim_group": line.claim_group(),
            "courier": line.courier, "invoice_no": line.invoice_no, "confirm_on": line.confirm_on,
            "claim": claim.map(|claim| &claim.id), "claim_kind": claim.map(|claim| claim.kind),
            "claim_reason": claim.map(|claim| &claim.reason), "claim_pending": awaited,
            "claim_fee": claim.map_or("none", Claim::fee),
            "claim_for_staff": claim.is_some_and(|claim| self.is_shared(claim)),
            "claim_fault": claim.and_then(|claim| claim.fault),
            "claim_rejection": refusal, "awaits_deposit": self.deposit_open,
            "pieces": pieces(&names), "created_at": moment(self.placed_at),
            "paid_at": self.paid_at.map(moment), "position": self.position,
        }))
    }
}
