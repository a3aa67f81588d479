//! Exchanges of delivered purchases: the goods come back, and a replacement is sent.
//!
//! | claim status | goods | next |
//! |---|---|---|
//! | `EXCHANGE_REQUESTED` | with the buyer | accepted (the replacement is taken from stock), rejected, withdrawn |
//! | `EXCHANGE_PENDING` | to be picked up, on their way, inspected | replacement sent or delayed; rejected; withdrawn until picked up |
//! | `EXCHANGE_SHIPPING`, `EXCHANGE_DELAYED` | inspected | each other; delivered; rejected if it was delayed before it was sent |
//! | `EXCHANGE_COMPLETED` | - | another claim; confirmation, after all days |
//!
//! Where the replacement costs less than the goods, the difference goes back once it is sent; where it costs more, the buyer pays the
//! difference before ([`super::difference`]). The buyer at fault also pays the fares of both ways before the replacement is sent.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use time::Date;

use super::actions::Reader;
use super::aggregate::Order;
use super::cancel_reason::CancelReason;
use super::claims::{Claim, ClaimKind, ClaimPieces, ClaimState, Collection, Draft};
use super::earned_points::EarnedPoints;
use super::error::OrderError;
use super::events::{CanceledBy, Fault, OrderEvent, RefundTerms};
use super::purchase::{Invoice, Purchase};
use super::refund::ParcelRules;
use super::status::{ClaimStatus, CollectionStatus};
use super::terms::{Goods, PurchaseTerms, StockTaken};
use crate::business_day;
use crate::event::Context;
use crate::ids::{ClaimId, ClaimPictureId, OptionId, PaymentId, RefundId, StockId};
use crate::money::Amount;
use crate::personal::{BankAccount, Party, Sealed};

/// The replacement of an exchange.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Exchange {
    /// The replacement; its stock is taken as long as the claim is accepted.
    pub replacement: Goods,
    /// Option value of the goods that come back; none for goods without options, and in states that were stored before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned_option_name: Option<String>,
    /// Price of the replacement less that of the goods, per piece, hundredths.
    #[serde(default, skip_serializing_if = "super::difference::is_none")]
    pub difference: Amount,
    /// What the buyer pays for the difference of all pieces, hundredths; zero unless the replacement is dearer.
    #[serde(default, skip_serializing_if = "super::difference::is_none")]
    pub price: Amount,
    /// The difference was given back, or came to count, after the purchase was confirmed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub after_confirmation: bool,
    /// The fee the buyer paid, hundredths; zero where only the difference was to be paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_received: Option<Amount>,
    /// The difference the buyer paid with it, hundredths.
    #[serde(default, skip_serializing_if = "super::difference::is_none")]
    pub price_received: Amount,
    /// The payment both were paid with; none for a bank transfer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_payment: Option<PaymentId>,
    /// The refund of both, where the exchange was rejected after the payment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_refund: Option<RefundId>,
    /// The buyer's account for that refund, where the fee was paid by bank transfer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_refund_account: Option<Sealed<BankAccount>>,
    /// The bank's reference of that refund, once staff sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fee_refund_reference: Option<String>,
    /// The fee is not charged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fee_waived: bool,
    /// The parcel of the replacement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invoice: Option<Invoice>,
    /// The Seoul day on which it counts as delivered, once it is sent.
    #[serde(default, with = "business_day::day_text::option")]
    pub deliver_by: Option<Date>,
    /// Reason of its delay.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_reason: Option<String>,
}

/// Replacement goods for a purchase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// The same goods.
    Same,
    /// Another option of the product.
    Other {
        /// The option.
        option: OptionId,
        /// Its value.
        name: String,
        /// Its stock.
        stock: StockId,
        /// Its price less that of the goods, per piece, hundredths.
        difference: Amount,
    },
}

/// A request to exchange a delivered purchase.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExchangeRequest {
    /// Id of the claim to create.
    pub claim: ClaimId,
    /// What to exchange.
    pub pieces: ClaimPieces,
    /// The replacement.
    pub replacement: Replacement,
    /// The party that requests it.
    pub by: CanceledBy,
    /// The reason.
    pub reason: CancelReason,
    /// The party at fault, as claimed.
    pub fault: Fault,
    /// Address the goods are picked up from and the replacement is sent to.
    pub pickup: Sealed<Party>,
    /// Pictures of the goods, at most [`super::CLAIM_PICTURES_MOST`].
    pub pictures: Vec<ClaimPictureId>,
    /// Shipping options of the parcels.
    pub parcels: ParcelRules,
}

impl Claim {
    /// The replacement; none unless it is an exchange.
    pub fn exchange(&self) -> Option<&Exchange> {
        self.collection.as_ref()?.exchange.as_ref()
    }

    pub(super) fn change_exchange(&mut self, change: impl FnOnce(&mut Exchange)) {
        let goods = self.collection.as_mut();
        if let Some(exchange) = goods.and_then(|goods| goods.exchange.as_mut()) {
            change(exchange);
        }
    }
}

impl Goods {
    /// These goods for `left` of `pieces` units.
    fn of_pieces(&self, pieces: u32, left: u32) -> Self {
        let stock = self.stock.iter();
        Self {
            stock: stock.map(|taken| taken.of_pieces(pieces, left)).collect(),
            ..self.clone()
        }
    }
}

impl From<&PurchaseTerms> for Goods {
    fn from(line: &PurchaseTerms) -> Self {
        Self {
            option: line.option,
            option_name: line.option_name.clone(),
            stock: line.stock.clone(),
        }
    }
}

impl PurchaseTerms {
    /// Makes it a purchase of these goods.
    pub(super) fn replace(&mut self, goods: Goods) {
        self.option = goods.option;
        self.option_name = goods.option_name;
        self.stock = goods.stock;
    }
}

impl Order {
    /// What a buyer at fault pays to exchange a purchase: the fares of both ways, hundredths.
    ///
    /// # Errors
    /// An overflow.
    pub fn fee_of_exchange(
        &self,
        purchase_no: &str,
        parcels: &ParcelRules,
    ) -> Result<Amount, OrderError> {
        Ok(self.return_fare(purchase_no, parcels)?.times(2)?)
    }

    pub(super) fn request_exchange(
        &self,
        request: ExchangeRequest,
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        if self.claim(request.claim).is_some() {
            return Ok(vec![]);
        }
        if request.reason.is_missing() {
            return Err(OrderError::ReasonRequired);
        }
        let purchase = self.known(&request.pieces.purchase_no)?;
        purchase.may_be_claimed(request.by, Purchase::may_be_exchanged)?;
        self.may_show(&request.pictures)?;
        let days_left = purchase.days_left(context);
        let mut draft = Draft::of(self);
        let purchase_no = draft.isolate(&request.pieces)?;
        let fee = draft
            .order
            .fee_of_exchange(&purchase_no, &request.parcels)?;
        let line = draft.order.purchase_terms(&purchase_no);
        let line = line.ok_or_else(|| OrderError::UnknownPurchase(purchase_no.clone()))?;
        let (replacement, difference) = match request.replacement {
            Replacement::Same => (Goods::from(line), Amount::ZERO),
            Replacement::Other {
                option,
                name,
                stock,
                difference,
            } => {
                let goods = Goods {
                    option: Some(option),
                    option_name: Some(name),
                    stock: vec![StockTaken {
                        stock,
                        quantity: line.quantity,
                    }],
                };
                (goods, difference)
            }
        };
        line.bears_more(difference, fee)?;
        draft.add(OrderEvent::ExchangeRequested {
            claim: request.claim,
            purchase_no,
            by: request.by,
            reason: request.reason,
            fault: request.fault,
            pickup: request.pickup,
            fee,
            days_left,
            replacement,
            difference,
            pictures: request.pictures,
        });
        Ok(draft.events)
    }

    pub(super) fn accept_exchange(
        &self,
        claim: ClaimId,
        by: Reader,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.exchange(claim, by)?;
        match made.state {
            ClaimState::Requested => Ok(vec![OrderEvent::ExchangeAccepted { claim }]),
            ClaimState::Accepted => Ok(vec![]),
            _ => Err(OrderError::ClaimClosed),
        }
    }

    /// An exchange can be rejected until its replacement is sent. What was paid for it goes back.
    pub(super) fn may_be_refused(&self, claim: &Claim) -> Result<(), OrderError> {
        let is_unsent = claim.exchange().is_some_and(|its| its.invoice.is_none());
        match self.claim_status_of(claim) {
            ClaimStatus::ExchangeRequested
            | ClaimStatus::ExchangePending
            | ClaimStatus::ExchangeDelayed
                if is_unsent =>
            {
                Ok(())
            }
            _ => Err(OrderError::ClaimClosed),
        }
    }

    pub(super) fn ship_replacement(
        &self,
        claim: ClaimId,
        (invoice, auto_deliver_days): (Invoice, u32),
        (by, earned): (Reader, EarnedPoints),
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.exchange(claim, by)?;
        let Invoice {
            courier,
            invoice_no,
        } = invoice.checked()?;
        let is_sent = |exchange: &Exchange| {
            let sent = exchange.invoice.as_ref();
            sent.is_some_and(|sent| sent.courier == courier && sent.invoice_no == invoice_no)
        };
        let is_on_its_way = self.claim_status_of(made) == ClaimStatus::ExchangeShipping;
        if is_on_its_way && made.exchange().is_some_and(is_sent) {
            return Ok(vec![]);
        }
        self.may_be_replaced(made)?;
        let sent = OrderEvent::ReplacementShipped {
            claim,
            courier,
            invoice_no,
            deliver_by: business_day::after(context.now, auto_deliver_days),
        };
        let back = self.give_difference(made, earned)?;
        Ok([Some(sent), back].into_iter().flatten().collect())
    }

    pub(super) fn delay_replacement(
        &self,
        claim: ClaimId,
        (reason, by): (String, Reader),
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.exchange(claim, by)?;
        if reason.trim().is_empty() {
            return Err(OrderError::ReasonRequired);
        }
        self.may_be_replaced(made)?;
        let said = made
            .exchange()
            .and_then(|exchange| exchange.delay_reason.as_ref());
        if self.claim_status_of(made) == ClaimStatus::ExchangeDelayed && said == Some(&reason) {
            return Ok(vec![]);
        }
        Ok(vec![OrderEvent::ReplacementDelayed { claim, reason }])
    }

    pub(super) fn complete_exchange(
        &self,
        claim: ClaimId,
        (auto_confirm_days, by): (u32, Reader),
        context: &Context,
    ) -> Result<Vec<OrderEvent>, OrderError> {
        let made = self.exchange(claim, by)?;
        if made.state == ClaimState::Exchanged {
            return Ok(vec![]);
        }
        if self.claim_status_of(made) != ClaimStatus::ExchangeShipping {
            return Err(OrderError::ReplacementNotSent);
        }
        let first = made.purchase_nos.first();
        let is_confirmed = first.is_some_and(|no| self.confirmation(no).is_some());
        let confirm_on =
            (!is_confirmed).then(|| business_day::after(context.now, auto_confirm_days));
        Ok(vec![OrderEvent::ExchangeCompleted { claim, confirm_on }])
    }

    /// The replacement in transit for this purchase, once its delivery day has come; none if there is no such parcel.
    pub(super) fn replacement_due(
        &self,
        purchase_no: &str,
        context: &Context,
    ) -> Option<Result<ClaimId, OrderError>> {
        let claim = self.open_claim(purchase_no)?;
        let day = claim.exchange()?.deliver_by?;
        if self.claim_status_of(claim) != ClaimStatus::ExchangeShipping {
            return None;
        }
        Some(match business_day::day(context.now) >= day {
            true => Ok(claim.id),
            false => Err(OrderError::NotDue),
        })
    }

    /// An exchange that `by` may handle.
    pub(super) fn exchange(&self, claim: ClaimId, by: Reader) -> Result<&Claim, OrderError> {
        let made = self.claim(claim).ok_or(OrderError::UnknownClaim)?;
        self.may_answer(by, made)?;
        match made.kind() {
            ClaimKind::Exchange => Ok(made),
            ClaimKind::Cancel | ClaimKind::Return => Err(OrderError::UnknownClaim),
        }
    }

    /// Whether the replacement of an exchange may be sent or reported as delayed.
    fn may_be_replaced(&self, claim: &Claim) -> Result<(), OrderError> {
        self.is_inspected(claim)?;
        match claim.fee_due() {
            due if due.is_zero() => Ok(()),
            due => Err(OrderError::FeeDue { due }),
        }
    }

    pub(super) fn is_inspected(&self, claim: &Claim) -> Result<(), OrderError> {
        match claim.state {
            ClaimState::Requested | ClaimState::Accepted => {
                self.goods_are_at(claim, &[CollectionStatus::Complete])
            }
            _ => Err(OrderError::ClaimClosed),
        }
    }

    fn claim_status_of(&self, claim: &Claim) -> ClaimStatus {
        let first = claim.purchase_nos.first();
        let purchase = first.and_then(|no| self.purchase(no));
        purchase.map_or(ClaimStatus::None, |purchase| purchase.claim_status)
    }

    /// Stock reserved by its exchanges in addition to that of its purchases: replacements that are not sent.
    pub fn reserved(&self) -> impl Iterator<Item = &StockTaken> {
        self.claims
            .iter()
            .filter(|claim| claim.state == ClaimState::Accepted)
            .filter_map(Claim::exchange)
            .filter(|exchange| exchange.invoice.is_none())
            .flat_map(|exchange| &exchange.replacement.stock)
    }

    /// All stock that its purchases and exchanges hold, by stock aggregate, ignoring approved claims.
    pub fn held_stock(&self) -> BTreeMap<StockId, u32> {
        let terms = self.terms.as_deref();
        let lines = terms.into_iter().flat_map(|terms| &terms.purchases);
        let mut held = BTreeMap::new();
        for taken in lines.flat_map(|line| &line.stock).chain(self.reserved()) {
            let so_far: &mut u32 = held.entry(taken.stock).or_default();
            *so_far = so_far.saturating_add(taken.quantity);
        }
        held
    }

    /// Limits the replacement to the units that arrived: those of another purchase are not replaced.
    pub(super) fn reserve_less(&mut self, claim: ClaimId, missing: &str) {
        let pieces = |no: &str| self.purchase_terms(no).map_or(0, |line| line.quantity);
        let Some(made) = self.claim(claim) else {
            return;
        };
        let arrived = made.purchase_nos.first().map_or(0, |no| pieces(no));
        let claimed = arrived.saturating_add(pieces(missing));
        self.change_claim(claim, |made, _| {
            made.change_exchange(|exchange| {
                exchange.replacement = exchange.replacement.of_pieces(claimed, arrived);
                exchange.price = super::difference::price_of(exchange.difference, arrived);
            });
        });
    }

    /// Applies an event of an exchange.
    pub(super) fn evolve_exchange(&mut self, event: OrderEvent) {
        match event {
            OrderEvent::ExchangeRequested {
                claim,
                purchase_no,
                by,
                reason,
                fault,
                pickup,
                fee,
                days_left,
                replacement,
                difference,
                pictures,
            } => {
                let line = self.purchase_terms(&purchase_no);
                let exchange = Exchange {
                    price: super::difference::price_of(
                        difference,
                        line.map_or(0, |line| line.quantity),
                    ),
                    returned_option_name: line.and_then(|line| line.option_name.clone()),
                    replacement,
                    difference,
                    after_confirmation: false,
                    fee_received: None,
                    price_received: Amount::ZERO,
                    fee_payment: None,
                    fee_refund: None,
                    fee_refund_account: None,
                    fee_refund_reference: None,
                    fee_waived: false,
                    invoice: None,
                    deliver_by: None,
                    delay_reason: None,
                };
                let goods = Collection {
                    exchange: Some(exchange),
                    ..Collection::to_come(fault, pickup, fee, days_left, pictures)
                };
                let refund = RefundTerms::default();
                self.start_claim(claim, purchase_no, (by, reason), refund, goods);
            }
            OrderEvent::ExchangeAccepted { claim } => {
                self.change_claim(claim, |made, purchases| {
                    made.state = ClaimState::Accepted;
                    for purchase in purchases {
                        purchase.claim_status = ClaimStatus::ExchangePending;
                        purchase.collection_status = CollectionStatus::Pending;
                    }
                })
            }
            OrderEvent::ExchangeRejected {
                claim,
                reason,
                confirm_on,
            } => self.change_claim(claim, |made, purchases| {
                made.state = ClaimState::Rejected { reason };
                for purchase in purchases {
                    purchase.claim_status = ClaimStatus::ExchangeRejected;
                    purchase.collection_status = CollectionStatus::None;
                    purchase.resume_confirmation(confirm_on);
                }
            }),
            OrderEvent::ReplacementShipped {
                claim,
                courier,
                invoice_no,
                deliver_by,
            } => {
                let parcel = Invoice {
                    courier,
                    invoice_no,
                };
                self.take_replacement(claim, parcel, deliver_by);
            }
            OrderEvent::PriceDifferenceRefunded { claim, terms, .. } => {
                self.take_difference(claim, terms);
            }
            OrderEvent::ReplacementDelayed { claim, reason } => {
                self.change_claim(claim, |made, purchases| {
                    made.change_exchange(|exchange| exchange.delay_reason = Some(reason));
                    for purchase in purchases {
                        purchase.claim_status = ClaimStatus::ExchangeDelayed;
                    }
                });
            }
            OrderEvent::ExchangeCompleted { claim, confirm_on } => {
                self.change_claim(claim, |made, purchases| {
                    made.state = ClaimState::Exchanged;
                    for purchase in purchases {
                        purchase.claim_status = ClaimStatus::ExchangeCompleted;
                        purchase.collection_status = CollectionStatus::None;
                        purchase.resume_confirmation(confirm_on);
                    }
                });
            }
            event => self.evolve_fee(event),
        }
    }

    /// Sends the replacement: the first time, the purchase becomes one of these goods.
    fn take_replacement(&mut self, claim: ClaimId, invoice: Invoice, deliver_by: Date) {
        let mut sent = None;
        self.change_claim(claim, |made, purchases| {
            let purchase_no = made.purchase_nos.first().cloned();
            made.change_exchange(|exchange| {
                if exchange.invoice.is_none() {
                    let goods = (exchange.replacement.clone(), exchange.difference);
                    sent = purchase_no.zip(Some(goods));
                }
                exchange.invoice = Some(invoice);
                exchange.deliver_by = Some(deliver_by);
            });
            for purchase in purchases {
                purchase.claim_status = ClaimStatus::ExchangeShipping;
            }
        });
        let Some((purchase_no, (goods, difference))) = sent else {
            return;
        };
        self.take_price(claim, &purchase_no);
        let lines = self.terms.as_deref_mut().map(|terms| &mut terms.purchases);
        let line =
            lines.and_then(|lines| lines.iter_mut().find(|of| of.purchase_no == purchase_no));
        let Some(line) = line else {
            return;
        };
        let ordered = Goods::from(&*line);
        line.replace(goods);
        self.change(&purchase_no, |purchase| {
            purchase.ordered.get_or_insert_with(|| Box::new(ordered));
            purchase.difference = [purchase.difference, difference].into_iter().sum();
        });
    }
}

impl Purchase {
    /// The goods as ordered, for some of its units.
    pub(super) fn ordered_of(&self, pieces: u32, some: u32) -> Option<Box<Goods>> {
        let ordered = self.ordered.as_ref()?;
        Some(Box::new(ordered.of_pieces(pieces, some)))
    }
}
