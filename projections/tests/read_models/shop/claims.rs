//! Claims: purchases canceled and returned, in full or in part, and their refunds.

use std::collections::BTreeSet;

use domain::checkout;
use domain::ids::{ClaimId, ClaimPictureId, MemberId, OrderId, PaymentId, RefundId};
use domain::order::{
    Action, Buyer, CancelReason, CancelRequest, CanceledBy, Claim, ClaimAnswer, ClaimIds,
    ClaimKind, ClaimPieces, ClaimState, CollectionStatus, EarnedPoints, Fault, Invoice, Order,
    OrderCommand, OrderEvent, ParcelRules, Purchase, PurchaseStatus, Reader, RefundTerms,
    ReturnRequest,
};
use domain::payment::{Payment, PaymentCommand, PaymentStage, RefundStage};
use domain::shipping::{ChargeType, PriceStep, ShippingOption};
use domain::{Amount, Decider, Purpose};

use super::{Draft, Shop, sealed, way};

impl Shop {
    /// The shipping methods of the parcels as agreed; some of them would cost more for fewer goods.
    pub(super) fn parcels(&mut self, order: OrderId) -> ParcelRules {
        let fares = self.orders[&order].terms().unwrap().fares.len();
        let by_price = ShippingOption {
            charge_type: ChargeType::PriceRange,
            prices_range: vec![
                PriceStep {
                    price: Amount::ZERO,
                    amount: Amount::new(700),
                },
                PriceStep {
                    price: Amount::new(5_000),
                    amount: Amount::new(300),
                },
            ],
            ..way()
        };
        let option = match self.random.one_in(2) {
            true => by_price,
            false => way(),
        };
        ParcelRules {
            options: (0..u32::try_from(fares).unwrap())
                .map(|place| (place, option.clone()))
                .collect(),
            recharges: self.random.one_in(2),
        }
    }

    /// All units of a purchase, or some.
    pub(super) fn pieces(&mut self, order: OrderId, purchase_no: &str) -> ClaimPieces {
        let all = self.orders[&order].purchase_terms(purchase_no).unwrap();
        let all = all.quantity as usize;
        ClaimPieces {
            purchase_no: purchase_no.to_owned(),
            quantity: (!self.random.one_in(3)).then(|| 1 + self.random.below(all) as u32),
        }
    }

    /// Pictures of the goods, or none.
    pub(super) fn pictures(&mut self) -> Vec<ClaimPictureId> {
        (0..self.random.below(3)).map(|_| self.id()).collect()
    }

    /// A buyer's own text, or one of staff.
    pub(super) fn reason(&self, order: OrderId, by: CanceledBy) -> CancelReason {
        match by {
            CanceledBy::Buyer => CancelReason::Sealed(sealed(order.0, Purpose::Statutory)),
            CanceledBy::Staff | CanceledBy::Deadline => CancelReason::plain("재고 없음"),
        }
    }

    pub(super) async fn request_cancel(&mut self) {
        let Some(order) = self.some_order() else {
            return;
        };
        if self.random.one_in(6) && self.claim_over_sellers(order).await {
            return;
        }
        let mut purchase_nos: Vec<String> = self.orders[&order]
            .purchases
            .iter()
            .map(|purchase| purchase.purchase_no.clone())
            .collect();
        // mostly one of them, so that it has a chance
        let first = self.random.below(purchase_nos.len());
        purchase_nos.rotate_left(first);
        purchase_nos.truncate(1 + self.random.below(3));
        let by = self
            .random
            .pick(&[CanceledBy::Buyer, CanceledBy::Buyer, CanceledBy::Staff])
            .unwrap();
        let request = CancelRequest {
            ids: ClaimIds {
                claim: self.claim_id(),
                refund: self.id(),
            },
            pieces: purchase_nos
                .iter()
                .map(|no| self.pieces(order, no))
                .collect(),
            by,
            reason: self.reason(order, by),
            parcels: self.parcels(order),
        };
        self.decide(|work| checkout::request_cancel(work, order, request.clone()))
            .await;
    }

    /// The id of a claim; the following ids are free for further claims of the same decision.
    pub(super) fn claim_id(&mut self) -> ClaimId {
        let id = self.id();
        self.ids += 8;
        id
    }

    /// A claim on goods of several sellers, as existed before each seller had one of their own.
    async fn claim_over_sellers(&mut self, order: OrderId) -> bool {
        let state = &self.orders[&order];
        let can = |action| state.purchases_for(Reader::Buyer, action);
        let purchase_nos = [can(Action::Cancel), can(Action::RequestCancel)].concat();
        let sellers: BTreeSet<MemberId> = purchase_nos
            .iter()
            .filter_map(|no| Some(state.purchase(no)?.seller))
            .collect();
        if sellers.len() < 2 {
            return false;
        }
        let event = OrderEvent::CancelRequested {
            claim: self.claim_id(),
            purchase_nos,
            by: CanceledBy::Buyer,
            reason: self.reason(order, CanceledBy::Buyer),
            refund: RefundTerms::default(),
        };
        self.write_event(order, event).await;
        true
    }

    /// A buyer requests the return of something that was sent, or staff find it wrong, also after its confirmation.
    pub(super) async fn request_return(&mut self) {
        // a long run includes a return after the confirmation
        let is_owed = self.deeds > 1_500 && !self.seen.contains("PointsRevoked");
        let (by, reader) = match is_owed || self.random.one_in(4) {
            true => (CanceledBy::Staff, Reader::Staff),
            false => (CanceledBy::Buyer, Reader::Buyer),
        };
        let can = |order: &Order| {
            let mut numbers = order.purchases_for(reader, Action::RequestReturn);
            if is_owed {
                numbers.retain(|no| order.confirmation(no).is_some());
            }
            numbers
        };
        let sent: Vec<(OrderId, String)> = self
            .orders
            .iter()
            .flat_map(|(id, order)| can(order).into_iter().map(|no| (*id, no)))
            .collect();
        let Some((order, purchase_no)) = self.random.pick(&sent) else {
            return;
        };
        let buyer = match self.orders[&order].buyer().unwrap() {
            Buyer::Member { id } => id.0,
            Buyer::Guest { .. } => order.0,
        };
        let request = ReturnRequest {
            claim: self.claim_id(),
            pieces: self.pieces(order, &purchase_no),
            by,
            reason: self.reason(order, by),
            fault: self.fault(),
            pickup: sealed(buyer, Purpose::Statutory),
            pictures: self.pictures(),
            parcels: self.parcels(order),
            earned: EarnedPoints::default(),
        };
        self.decide(|work| checkout::request_return(work, order, request.clone()))
            .await;
    }

    /// Splits a delivered purchase without the rest of the decision. Returns the two numbers.
    pub async fn only_split(&mut self) -> (String, String) {
        let is_waiting = |order: &Order, one: &Purchase| {
            let line = order.purchase_terms(&one.purchase_no);
            one.purchase_status == PurchaseStatus::Schedule && line.unwrap().quantity > 1
        };
        let waiting = self.orders.iter().find_map(|(id, order)| {
            let mut purchases = order.purchases.iter();
            let one = purchases.find(|one| is_waiting(order, one))?;
            Some((*id, one.purchase_no.clone()))
        });
        let (order, from) = waiting.unwrap();
        let request = OrderCommand::RequestReturn(Box::new(ReturnRequest {
            claim: self.claim_id(),
            pieces: ClaimPieces {
                purchase_no: from.clone(),
                quantity: Some(1),
            },
            by: CanceledBy::Staff,
            reason: self.reason(order, CanceledBy::Staff),
            fault: Fault::Seller,
            pickup: sealed(order.0, Purpose::Statutory),
            pictures: self.pictures(),
            parcels: ParcelRules::default(),
            earned: EarnedPoints::default(),
        }));
        let decided = self.orders[&order].decide(request, &self.context());
        let [split @ OrderEvent::PurchaseSplit { purchase_no, .. }, _] = &decided.unwrap()[..]
        else {
            panic!("a split and a request");
        };
        self.write_event(order, split.clone()).await;
        (from, purchase_no.clone())
    }

    /// Appends an event of an order without a decision.
    async fn write_event(&mut self, order: OrderId, event: OrderEvent) {
        let mut draft = Draft::default();
        self.stage::<Order>(&mut draft, order, std::slice::from_ref(&event));
        self.write(draft).await;
        self.orders.get_mut(&order).unwrap().evolve(event);
    }

    pub(super) fn fault(&mut self) -> Fault {
        match self.random.one_in(2) {
            true => Fault::Buyer,
            false => Fault::Seller,
        }
    }

    pub(super) fn invoice(&self) -> Invoice {
        Invoice {
            courier: "kr.hanjin".to_owned(),
            invoice_no: format!("{:010}", self.ids % 10_000_000_000),
        }
    }

    /// The claims of this kind that wait for their next step.
    pub(super) fn waiting(&self, kind: ClaimKind) -> Vec<(OrderId, Claim)> {
        let claims = |state: &Order| state.claims.clone();
        self.orders
            .iter()
            .flat_map(|(order, state)| claims(state).into_iter().map(|claim| (*order, claim)))
            .filter(|(_, claim)| claim.kind() == kind && claim.is_open())
            .collect()
    }

    /// Staff, or the seller of its goods.
    pub(super) fn keeper(&mut self, order: OrderId, claim: &Claim) -> Reader {
        let first = self.orders[&order].purchase(&claim.purchase_nos[0]);
        match self.random.one_in(2) {
            true => Reader::Staff,
            false => Reader::Seller(first.unwrap().seller),
        }
    }

    async fn order_act(&mut self, order: OrderId, act: OrderCommand) {
        let mut state = self.orders.remove(&order).unwrap();
        self.act(order, &mut state, act).await;
        self.orders.insert(order, state);
    }

    async fn grant_claim(&mut self, order: OrderId, claim: &Claim) {
        let answer = ClaimAnswer {
            claim: claim.id,
            refund: self.id(),
            by: self.keeper(order, claim),
            parcels: self.parcels(order),
            earned: EarnedPoints::default(),
        };
        self.decide(|work| checkout::approve_claim(work, order, answer.clone()))
            .await;
    }

    async fn reject(&mut self, order: OrderId, claim: &Claim, invoice: Option<Invoice>) {
        let act = OrderCommand::RejectClaim {
            claim: claim.id,
            reason: "이미 포장함".to_owned(),
            invoice,
            by: self.keeper(order, claim),
        };
        self.order_act(order, act).await;
    }

    async fn withdraw(&mut self, order: OrderId, claim: &Claim) {
        let claim = claim.id;
        self.order_act(order, OrderCommand::WithdrawClaim { claim })
            .await;
    }

    pub(super) async fn answer_cancel(&mut self) {
        let open = self.waiting(ClaimKind::Cancel);
        let Some((order, claim)) = self.random.pick(&open) else {
            return;
        };
        // a long run includes every answer
        let is_long = self.deeds > 1_500;
        let owes_rejection = is_long && !self.seen.contains("CancelRejected");
        let owes_withdrawal = is_long && !self.has_withdrawn_cancel();
        match self.random.below(5) {
            0 | 1 => self.reject(order, &claim, None).await,
            _ if owes_rejection => self.reject(order, &claim, None).await,
            2 => self.withdraw(order, &claim).await,
            _ if owes_withdrawal => self.withdraw(order, &claim).await,
            _ => self.grant_claim(order, &claim).await,
        }
    }

    fn has_withdrawn_cancel(&self) -> bool {
        let mut claims = self.orders.values().flat_map(|order| &order.claims);
        claims.any(|one| one.kind() == ClaimKind::Cancel && one.state == ClaimState::Withdrawn)
    }

    /// Advances a return: picked up, inspected, answered.
    pub(super) async fn handle_return(&mut self) {
        let open = self.waiting(ClaimKind::Return);
        let Some((order, claim)) = self.random.pick(&open) else {
            return;
        };
        let purchase = self.orders[&order].purchase(&claim.purchase_nos[0]);
        let at = purchase.unwrap().collection_status;
        match (at, self.random.below(6)) {
            (CollectionStatus::Pending, 0) => self.withdraw(order, &claim).await,
            (CollectionStatus::Pending, 1) => self.reject(order, &claim, None).await,
            (CollectionStatus::Pending, dice) => self.pick_up(order, &claim, dice > 3).await,
            // the invoice number comes later
            (CollectionStatus::Progress, 0) => self.pick_up(order, &claim, true).await,
            (CollectionStatus::Complete, 2..) => self.grant_claim(order, &claim).await,
            (CollectionStatus::Progress, 2..) => self.inspect(order, &claim).await,
            _ => {
                let back = self.invoice();
                self.reject(order, &claim, Some(back)).await;
            }
        }
    }

    async fn pick_up(&mut self, order: OrderId, claim: &Claim, numbered: bool) {
        let act = OrderCommand::PickUpGoods {
            claim: claim.id,
            invoice: numbered.then(|| self.invoice()),
            by: self.keeper(order, claim),
        };
        self.order_act(order, act).await;
    }

    async fn inspect(&mut self, order: OrderId, claim: &Claim) {
        let act = self.inspection(order, claim);
        self.order_act(order, act).await;
    }

    /// Refunds approved claims; claims whose refund arrived are completed.
    pub(super) async fn settle(&mut self) {
        let approved: Vec<(OrderId, ClaimId)> = self
            .orders
            .iter()
            .flat_map(|(order, state)| state.claims.iter().map(|claim| (*order, claim)))
            .filter_map(|(order, claim)| match claim.state {
                ClaimState::Approved { .. } => Some((order, claim.id)),
                _ => None,
            })
            .collect();
        let Some((order, claim)) = self.random.pick(&approved) else {
            return;
        };
        let paid = self.orders[&order].paid.and_then(|paid| paid.payment);
        let state = self.orders[&order].claim(claim).unwrap().state.clone();
        let ClaimState::Approved { refund } = state else {
            return;
        };
        // Claims of one decision share the refund with the order's payment; the others are of one claim.
        let refunds = |claim: &Claim| claim.refunds(refund, paid).collect::<Vec<_>>();
        for (id, refund) in refunds(self.orders[&order].claim(claim).unwrap()) {
            let mut payment = self.payments.remove(&id).unwrap();
            assert_eq!(payment.stage, PaymentStage::Approved);
            let is_made = payment.refund(refund).unwrap().stage == RefundStage::Completed;
            if !is_made {
                self.give_back(id, &mut payment, refund).await;
            }
            self.payments.insert(id, payment);
        }
        let is_made = |(id, refund): (PaymentId, RefundId)| {
            let made = self.payments[&id].refund(refund);
            made.unwrap().stage == RefundStage::Completed
        };
        let claims = self.orders[&order].claims.clone();
        let settled = claims.iter().filter(|claim| claim.state == state);
        let settled = settled.filter(|claim| refunds(claim).into_iter().all(is_made));
        let settled: Vec<ClaimId> = settled.map(|claim| claim.id).collect();
        for claim in settled {
            self.order_act(order, OrderCommand::CompleteClaim { claim })
                .await;
        }
    }

    /// Whether the money was refunded: by the gateway, or by bank transfer if the gateway refused before.
    async fn give_back(&mut self, id: PaymentId, payment: &mut Payment, refund: RefundId) -> bool {
        let made = payment.refund(refund).unwrap();
        let amount = made.amount;
        // decided by its id, not by the random generator, as for payments
        if made.stage == RefundStage::Refused && refund.0.as_u128().is_multiple_of(2) {
            let reference = format!("b-{refund}");
            let act = PaymentCommand::RecordTransfer { refund, reference };
            return self.act(id, payment, act).await;
        }
        let act = PaymentCommand::RequestRefund {
            refund,
            amount,
            reason: "취소".to_owned(),
        };
        self.act(id, payment, act).await;
        let refused = payment.refund(refund).unwrap().stage == RefundStage::Refused;
        !refused && self.finish_refund(id, payment, refund, amount).await
    }
}
