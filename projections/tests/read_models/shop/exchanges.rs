//! Exchanges: goods that come back, and their replacement.

use domain::Amount;
use domain::Purpose;
use domain::checkout::payments::{self, ReceivedPayment};
use domain::checkout::{self, user_payments};
use domain::ids::{ClaimId, OptionId, OrderId, RefundId, derived_id};
use domain::order::{
    Action, Buyer, CanceledBy, Claim, ClaimKind, ClaimStatus, CollectionStatus, EarnedPoints,
    ExchangeRequest, Inspection, Order, OrderCommand, Reader, Replacement,
};
use domain::payment::{PaymentMethod, RefundStage};
use domain::user_payment::exchange_fee_id;
use time::Duration;

use super::{Shop, sealed};

impl Shop {
    /// A buyer requests an exchange of delivered goods.
    pub(super) async fn request_exchange(&mut self) {
        let can = |order: &Order| order.purchases_for(Reader::Buyer, Action::RequestExchange);
        let delivered: Vec<(OrderId, String)> = self
            .orders
            .iter()
            .flat_map(|(id, order)| can(order).into_iter().map(|no| (*id, no)))
            .collect();
        let Some((order, purchase_no)) = self.random.pick(&delivered) else {
            return;
        };
        let buyer = match self.orders[&order].buyer().unwrap() {
            Buyer::Member { id } => id.0,
            Buyer::Guest { .. } => order.0,
        };
        let by = CanceledBy::Buyer;
        let claim = self.claim_id();
        let request = ExchangeRequest {
            claim,
            pieces: self.pieces(order, &purchase_no),
            replacement: self.replacement(claim, order, &purchase_no),
            by,
            reason: self.reason(order, by),
            fault: self.fault(),
            pickup: sealed(buyer, Purpose::Statutory),
            pictures: self.pictures(),
            parcels: self.parcels(order),
        };
        self.handle(order, OrderCommand::RequestExchange(Box::new(request)))
            .await;
    }

    /// The same option again, or another option of the product, which may be dearer, or cheaper: by a little, or by more than anything costs.
    fn replacement(&mut self, claim: ClaimId, order: OrderId, purchase_no: &str) -> Replacement {
        let line = self.orders[&order].purchase_terms(purchase_no).unwrap();
        let is_other = |option: OptionId| line.option.is_some() && line.option != Some(option);
        let others: Vec<OptionId> = self
            .stock
            .iter()
            .filter(|(_, stock)| stock.product == Some(line.product))
            .map(|(id, _)| OptionId(id.0))
            .filter(|option| is_other(*option))
            .collect();
        match self.random.pick(&others) {
            Some(option) if !self.random.one_in(4) => Replacement::Other {
                option,
                name: "파랑".to_owned(),
                stock: domain::ids::StockId(option.0),
                // decided by its id, not by the random generator
                difference: Amount::new(match claim.0.as_u128() / 4 % 6 {
                    0 => 0,
                    1 => -50,
                    2 => -3_001,
                    3 => 70,
                    4 => 4_003,
                    _ => -1_000_000,
                }),
            },
            _ => Replacement::Same,
        }
    }

    /// Advances an exchange: accepted, picked up, inspected, paid, sent, delivered, or ended early.
    pub(super) async fn handle_exchange(&mut self) {
        let open = self.waiting(ClaimKind::Exchange);
        let Some((order, claim)) = self.random.pick(&open) else {
            return;
        };
        let purchase = self.orders[&order].purchase(&claim.purchase_nos[0]);
        let purchase = purchase.unwrap();
        let (at, goods) = (purchase.claim_status, purchase.collection_status);
        let act = match (at, goods, self.random.below(8)) {
            (ClaimStatus::ExchangeRequested, _, 0)
            | (ClaimStatus::ExchangePending, CollectionStatus::Pending, 0) => {
                OrderCommand::WithdrawClaim { claim: claim.id }
            }
            (
                ClaimStatus::ExchangeRequested
                | ClaimStatus::ExchangePending
                | ClaimStatus::ExchangeDelayed,
                _,
                1,
            ) => OrderCommand::RejectClaim {
                claim: claim.id,
                reason: "사용한 흔적이 있음".to_owned(),
                invoice: Some(self.invoice()),
                by: self.keeper(order, &claim),
            },
            (ClaimStatus::ExchangeRequested, ..) => OrderCommand::AcceptExchange {
                claim: claim.id,
                by: self.keeper(order, &claim),
            },
            (_, CollectionStatus::Pending, _) => OrderCommand::PickUpGoods {
                claim: claim.id,
                invoice: None,
                by: self.keeper(order, &claim),
            },
            (_, CollectionStatus::Progress, _) => self.inspection(order, &claim),
            (ClaimStatus::ExchangePending, ..) if !claim.fee_due().is_zero() => {
                return self.fee(order, &claim).await;
            }
            (ClaimStatus::ExchangePending | ClaimStatus::ExchangeShipping, _, 2) => {
                OrderCommand::DelayReplacement {
                    claim: claim.id,
                    reason: "입고가 늦음".to_owned(),
                    by: self.keeper(order, &claim),
                }
            }
            (ClaimStatus::ExchangeShipping, _, 3..) => OrderCommand::CompleteExchange {
                claim: claim.id,
                auto_confirm_days: 8,
                by: self.keeper(order, &claim),
            },
            _ => OrderCommand::ShipReplacement {
                claim: claim.id,
                invoice: self.invoice(),
                auto_deliver_days: 7,
                by: self.keeper(order, &claim),
                earned: EarnedPoints::default(),
            },
        };
        self.handle(order, act).await;
        self.refund_difference(order, claim.id).await;
    }

    /// The gateway makes half of the refunds of differences and fees at once.
    async fn refund_difference(&mut self, order: OrderId, claim: ClaimId) {
        let id = RefundId(derived_id(&format!("difference {claim}")));
        let state = &self.orders[&order];
        let paid = state.paid.and_then(|paid| paid.payment);
        let made = state.claim(claim);
        let Some(made) = made.filter(|_| claim.0.as_u128().is_multiple_of(8)) else {
            return;
        };
        let Some(exchange) = made.exchange() else {
            return;
        };
        let fee = exchange.fee_payment.zip(exchange.fee_refund);
        let sent = exchange.invoice.is_some();
        let sent = sent.then(|| made.refunds(Some(id), paid));
        let refunds: Vec<_> = sent.into_iter().flatten().chain(fee).collect();
        for (payment, id) in refunds {
            let mut state = self.payments.remove(&payment).unwrap();
            let refund = state.refunds.iter().find(|refund| refund.id == id);
            if let Some(refund) = refund
                .filter(|one| one.stage == RefundStage::Requested)
                .copied()
            {
                self.finish_refund(payment, &mut state, id, refund.amount)
                    .await;
            }
            self.payments.insert(payment, state);
        }
    }

    /// The fee is transferred or paid by card; the card may be charged when the fee is no longer due. A difference is paid by card, after
    /// most fees were waived.
    async fn fee(&mut self, order: OrderId, claim: &Claim) {
        let is_dearer = !claim.exchange_price().is_zero();
        let may_be_waived = is_dearer && !claim.exchange_fee().is_zero();
        if may_be_waived && !claim.id.0.as_u128().is_multiple_of(3) {
            let waive = OrderCommand::WaiveFee {
                claim: claim.id,
                reason: "단골".to_owned(),
                by: self.keeper(order, claim),
            };
            return self.handle(order, waive).await;
        }
        let amount = claim.fee_due();
        let transfer = OrderCommand::ReceiveFee {
            claim: claim.id,
            amount,
            reference: format!("b-{}", claim.id),
            payment: None,
        };
        let reject = OrderCommand::RejectClaim {
            claim: claim.id,
            reason: "사용한 흔적이 있음".to_owned(),
            invoice: Some(self.invoice()),
            by: Reader::Staff,
        };
        // decided by the number of deeds, not by the random generator
        let way = match self.deeds / 4 % 4 {
            0 | 2 if is_dearer => 1,
            way => way,
        };
        if way == 0 {
            // some of these are waived instead
            let turn = self.deeds % 4;
            if turn == 0 {
                let waive = OrderCommand::WaiveFee {
                    claim: claim.id,
                    reason: "단골".to_owned(),
                    by: self.keeper(order, claim),
                };
                return self.handle(order, waive).await;
            }
            self.handle(order, transfer).await;
            // some of these turn out to be sold out
            if turn < 3 {
                self.handle(order, reject).await;
                self.send_fee_back(order, claim.id).await;
            }
            return;
        }
        let card = PaymentMethod::Card;
        self.decide(|work| user_payments::start(work, order, claim.id, card))
            .await;
        let payment = user_payments::payment_id(exchange_fee_id(claim.id), 1);
        self.now += Duration::seconds(5);
        let tid = format!("tid-{payment}");
        self.decide(|work| payments::request_approval(work, payment, tid.clone(), amount))
            .await;
        match way {
            2 => self.handle(order, transfer).await,
            3 => self.handle(order, reject.clone()).await,
            _ => {}
        }
        let received = ReceivedPayment {
            tid: tid.clone(),
            amount,
            approve_no: None,
            receipt_url: Some("https://pay.example/receipt".to_owned()),
        };
        self.decide(|work| payments::record_charge(work, payment, &received))
            .await;
        // some turn out to be sold out after the payment
        if way == 1 && (claim.id.0.as_u128() / 4).is_multiple_of(2) {
            self.handle(order, reject).await;
        }
        let mut state = self.payments.remove(&payment).unwrap();
        for refund in state.refunds.clone() {
            self.finish_refund(payment, &mut state, refund.id, amount)
                .await;
        }
        self.payments.insert(payment, state);
    }

    /// Most buyers name an account, some of them twice; staff send most of these refunds.
    async fn send_fee_back(&mut self, order: OrderId, claim: ClaimId) {
        let way = claim.0.as_u128() / 64 % 4;
        let buyer = match self.orders[&order].buyer().unwrap() {
            Buyer::Member { id } => id.0,
            Buyer::Guest { .. } => order.0,
        };
        for _ in 0..way.min(2) {
            let account = sealed(buyer, Purpose::Statutory);
            self.decide(|work| payments::give_refund_account(work, order, &account))
                .await;
        }
        let made = self.orders[&order].claim(claim);
        let Some((refund, _)) = made.and_then(Claim::fee_to_transfer).filter(|_| way > 0) else {
            return;
        };
        let reference = format!("f-{claim}");
        self.decide(|work| payments::transfer_fee(work, order, (refund, &reference)))
            .await;
    }

    /// Some units may be missing, and some broken.
    pub(super) fn inspection(&mut self, order: OrderId, claim: &Claim) -> OrderCommand {
        let line = self.orders[&order].purchase_terms(&claim.purchase_nos[0]);
        let claimed = line.unwrap().quantity as usize;
        let arrived = 1 + self.random.below(claimed);
        OrderCommand::InspectGoods {
            claim: claim.id,
            inspection: Inspection {
                arrived: arrived as u32,
                resellable: self.random.below(arrived + 1) as u32,
                fault: self.fault(),
            },
            by: self.keeper(order, claim),
        }
    }

    /// A command on a claim with the stock it moves.
    async fn handle(&mut self, order: OrderId, act: OrderCommand) {
        self.decide(|work| checkout::decide_claim(work, order, act.clone()))
            .await;
    }
}
