//! Decisions of the shop: each is written to all of its streams, or not at all.

use domain::checkout::payments::{self, ReceivedPayment, StartError};
use domain::checkout::{self, CheckoutError, user_payments};
use domain::coupon::{CampaignCommand, IssuedCoupon, IssuedCouponCommand, IssuedCouponError};
use domain::ids::{ClaimId, LotId, MemberId, OrderId, PaymentId, RefundId};
use domain::order::{
    Buyer, ClaimState, EarnedPoints, LotPart, Order, OrderCommand, OrderError, OrderEvent,
    OrderTerms, Reader,
};
use domain::order::{CancelRequest, ClaimAnswer, ParcelRules, ReturnRequest};
use domain::payment::PaymentMethod;
use domain::payment::{PaymentCommand, PaymentError, PaymentTerms, VirtualAccount};
use domain::points::{self, Points, PointsCommand, PointsError, PointsEvent};
use domain::policies::purchase_points::{self, PointsRate};
use domain::rounding::RoundingStep;
use domain::site::PointsRules;
use domain::stock::{StockCommand, StockError};
use domain::unit_of_work::UnitOfWork;
use domain::{Amount, Decider};
use time::Duration;

use super::goods::{buyer, coupon_id, coupon_terms, issued_id, product_id, stock_of};
use super::{Basket, FIRST_COME, HELMET, SET, Shop, at};
use crate::given::id;

impl Shop {
    pub fn place(&mut self, order: OrderId, basket: &Basket) -> Result<(), CheckoutError> {
        let terms = self.terms(basket, order).unwrap();
        self.place_terms(order, terms)
    }

    pub fn place_terms(&mut self, order: OrderId, terms: OrderTerms) -> Result<(), CheckoutError> {
        let goods = self.goods.clone();
        self.decide(|work| checkout::place(work, order, terms.clone(), &goods))
    }

    /// Makes a decision on claims or a cancellation. The preview must equal what is written, and its lines must add up to it.
    fn claim(
        &mut self,
        id: OrderId,
        parcels: &ParcelRules,
        decide: impl Fn(&mut UnitOfWork) -> Result<(), CheckoutError>,
    ) -> Result<(), CheckoutError> {
        let (shown, order, issued, points) = self.decide(|work| {
            let shown = checkout::decide_with_preview(work, id, parcels, &decide)?;
            let order = work.state::<Order>(id);
            let mut issued = Vec::new();
            for used in &order.terms()?.coupons {
                if !work.events::<IssuedCoupon>(used.issued).is_empty() {
                    issued.push(used.issued);
                }
            }
            let points = match order.buyer() {
                Some(Buyer::Member { id }) => {
                    work.events::<Points>(points::stream_id(*id)).to_vec()
                }
                _ => vec![],
            };
            Ok::<_, CheckoutError>((shown, work.events::<Order>(id).to_vec(), issued, points))
        })?;
        let Some(shown) = shown else {
            assert_eq!((issued.len(), points.len()), (0, 0));
            let moves = |event: &OrderEvent| matches!(event, OrderEvent::CancelRequested { .. });
            assert!(!order.iter().any(moves));
            return Ok(());
        };
        let sum = |amounts: Vec<Amount>| Amount::total(amounts).unwrap();
        let fees = shown.fees.iter().map(|fee| fee.amount.negated().unwrap());
        let of_lines = shown.lines.iter().map(|line| line.money);
        let of_fares = shown.fares.iter().map(|fare| fare.money);
        let reclaimed = shown.reclaimed.unwrap_or_default();
        let off = reclaimed.money.negated().unwrap();
        let money = sum(of_lines.chain(of_fares).chain(fees).chain([off]).collect());
        let used = shown.lines.iter().map(|line| line.points);
        let used = sum(used
            .chain(shown.fares.iter().map(|fare| fare.points))
            .collect());
        assert_eq!(shown.refund.amount, money);
        assert_eq!(sum(vec![shown.points.amount, shown.points.expired]), used);
        let (mut requested, mut approved) = (vec![], vec![]);
        for event in &order {
            match event {
                OrderEvent::CancelRequested { refund, .. }
                | OrderEvent::ReturnRequested { refund, .. } => requested.push(refund.money),
                OrderEvent::CancelApproved { terms, .. }
                | OrderEvent::ReturnApproved { terms, .. } => approved.push(terms.money),
                OrderEvent::OrderCanceled { .. } => assert_eq!(money, Amount::ZERO),
                _ => {}
            }
        }
        if !requested.is_empty() {
            assert_eq!(sum(requested), money);
        }
        if shown.at_once && !approved.is_empty() {
            assert_eq!(sum(approved), money);
            let returned = shown.coupons.iter().filter(|coupon| coupon.returns);
            let returned: Vec<_> = returned.map(|coupon| coupon.issued).collect();
            assert_eq!(returned.len(), issued.len());
            assert!(issued.iter().all(|one| returned.contains(one)));
            let of = |parts: &[LotPart]| sum(parts.iter().map(|part| part.amount).collect());
            let (mut restored, mut revoked) = (vec![], vec![]);
            for event in &points {
                match event {
                    PointsEvent::PointsRestored { parts, .. } => restored.push(of(parts)),
                    PointsEvent::PointsRevoked { parts, .. } => revoked.push(of(parts)),
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!(sum(restored), shown.points.amount);
            assert_eq!(sum(revoked), reclaimed.points);
        }
        Ok(())
    }

    fn cancel(
        &mut self,
        id: OrderId,
        decide: impl Fn(&mut UnitOfWork) -> Result<(), CheckoutError>,
    ) -> Result<(), CheckoutError> {
        self.claim(id, &ParcelRules::default(), decide)
    }

    pub fn request_return(
        &mut self,
        order: OrderId,
        request: ReturnRequest,
    ) -> Result<(), CheckoutError> {
        let parcels = request.parcels.clone();
        self.claim(order, &parcels, |work| {
            checkout::request_return(work, order, request.clone())
        })
    }

    pub fn approve_claim(
        &mut self,
        order: OrderId,
        answer: ClaimAnswer,
    ) -> Result<(), CheckoutError> {
        let parcels = answer.parcels.clone();
        self.claim(order, &parcels, |work| {
            checkout::approve_claim(work, order, answer.clone())
        })
    }

    pub fn cancel_unpaid(
        &mut self,
        order: OrderId,
        by: domain::order::CanceledBy,
    ) -> Result<(), CheckoutError> {
        self.cancel(order, |work| checkout::cancel_unpaid(work, order, by, None))
    }

    pub fn request_cancel(
        &mut self,
        order: OrderId,
        request: CancelRequest,
    ) -> Result<(), CheckoutError> {
        let parcels = request.parcels.clone();
        self.claim(order, &parcels, |work| {
            checkout::request_cancel(work, order, request.clone())
        })
    }

    pub fn approve_cancel(
        &mut self,
        order: OrderId,
        claim: domain::ids::ClaimId,
        refund: RefundId,
    ) -> Result<(), CheckoutError> {
        let answer = ClaimAnswer {
            claim,
            refund,
            by: Reader::Staff,
            parcels: ParcelRules::default(),
            earned: EarnedPoints::default(),
        };
        self.approve_claim(order, answer)
    }

    /// Decides a command on a claim with the stock it moves.
    pub fn handle(&mut self, order: OrderId, act: OrderCommand) -> Result<(), CheckoutError> {
        self.decide(|work| checkout::decide_claim(work, order, act.clone()))
    }

    pub fn act(&mut self, order: OrderId, act: OrderCommand) -> Result<usize, OrderError> {
        let events = self.order(order).decide(act, &self.context())?;
        let count = events.len();
        self.write_order(order, events);
        Ok(count)
    }

    /// Starts a payment of an order.
    pub fn start_payment(
        &mut self,
        order: OrderId,
        method: PaymentMethod,
    ) -> Result<PaymentId, StartError> {
        self.decide(|work| payments::start(work, order, method, None))
    }

    /// Starts a payment of the fee of an exchange.
    pub fn start_fee(
        &mut self,
        order: OrderId,
        claim: ClaimId,
        method: PaymentMethod,
    ) -> Result<PaymentId, StartError> {
        self.decide(|work| user_payments::start(work, order, claim, method))
    }

    /// Records the intention to charge a payment.
    pub fn request_approval(
        &mut self,
        payment: PaymentId,
        tid: &str,
        amount: Amount,
    ) -> Result<(), CheckoutError> {
        self.decide(|work| payments::request_approval(work, payment, tid.to_owned(), amount))
    }

    /// The gateway charged a payment.
    pub fn charge(
        &mut self,
        payment: PaymentId,
        tid: &str,
        amount: Amount,
    ) -> Result<bool, CheckoutError> {
        let received = ReceivedPayment {
            tid: tid.to_owned(),
            amount,
            approve_no: None,
            receipt_url: None,
        };
        self.decide(|work| payments::record_charge(work, payment, &received))
    }

    /// The payments of the order alone.
    pub fn attempts(&mut self, order: OrderId) -> Vec<PaymentId> {
        let found = self.decide(|work| Ok::<_, CheckoutError>(payments::attempts(work, order)));
        found.unwrap()
    }

    /// The payments of the order and of its fees.
    pub fn all_attempts(&mut self, order: OrderId) -> Vec<PaymentId> {
        let found = self.decide(|work| Ok::<_, CheckoutError>(payments::all_attempts(work, order)));
        found.unwrap()
    }

    /// The gateway refunded a payment.
    pub fn refunded(&mut self, payment: PaymentId, refund: RefundId) -> Result<(), CheckoutError> {
        self.decide(|work| payments::record_refund(work, payment, refund, "canceled".to_owned()))
    }

    /// One payment from the window to the order: if the order is gone, the money is refunded at once.
    pub fn pay(&mut self, order: OrderId, payment: PaymentId) -> Result<(), OrderError> {
        let terms = self.order(order).terms()?.clone();
        let amount = terms.totals.payable;
        let tid = format!("tid-{payment}");
        let by_deposit = payment.0.as_u128().is_multiple_of(3);
        let account = VirtualAccount {
            bank_code: "088".to_owned(),
            bank_name: "신한은행".to_owned(),
            number: "56211105948400".to_owned(),
            expires_at: self.time(),
        };
        let money = if by_deposit {
            vec![
                PaymentCommand::IssueAccount {
                    tid: tid.clone(),
                    amount,
                    account,
                },
                PaymentCommand::RecordDeposit {
                    tid: tid.clone(),
                    amount,
                },
            ]
        } else {
            vec![PaymentCommand::RecordApproval {
                tid: tid.clone(),
                amount,
                approve_no: None,
                receipt_url: None,
            }]
        };
        let asked = [
            PaymentCommand::Start(PaymentTerms {
                order,
                order_no: terms.order_no,
                attempt: 1,
                amount,
                method: if by_deposit {
                    PaymentMethod::Vbank
                } else {
                    PaymentMethod::Card
                },
                member: None,
                user_payment: None,
            }),
            PaymentCommand::RequestApproval { tid, amount },
        ];
        for act in asked.into_iter().chain(money) {
            let waits = matches!(act, PaymentCommand::IssueAccount { .. });
            if self.act_payment(payment, act).is_err() {
                return Ok(());
            }
            if waits {
                let until = self.time() + Duration::hours(1);
                let _ = self.act(order, OrderCommand::AwaitDeposit { payment, until });
                // given up, but the deposit arrives nevertheless
                if payment.0.as_u128().is_multiple_of(2) {
                    let _ = self.act(order, OrderCommand::EndDepositWait { payment });
                }
            }
        }
        let paid = self.act(
            order,
            OrderCommand::Pay {
                payment: Some(payment),
                amount,
            },
        );
        if paid.is_err() {
            self.refund(payment, id(payment.0.as_u128() + 0xF000), amount)
                .unwrap();
        }
        paid.map(|_| ())
    }

    pub fn refund(
        &mut self,
        payment: PaymentId,
        refund: RefundId,
        amount: Amount,
    ) -> Result<(), PaymentError> {
        for act in [
            PaymentCommand::RequestRefund {
                refund,
                amount,
                reason: "취소".to_owned(),
            },
            PaymentCommand::RecordRefund {
                refund,
                amount,
                canceled_tid: "canceled".to_owned(),
            },
        ] {
            self.act_payment(payment, act)?;
        }
        Ok(())
    }

    /// Refunds an approved claim and completes it; repeating it changes nothing.
    pub fn settle_claim(
        &mut self,
        order: OrderId,
        claim: domain::ids::ClaimId,
    ) -> Result<(), String> {
        let state = self.order(order);
        let made = state.claim(claim).ok_or("no claim")?;
        let first = match made.state {
            ClaimState::Approved { refund } | ClaimState::Completed { refund } => refund,
            _ => None,
        };
        let of_order = state.paid.and_then(|paid| paid.payment);
        let refunds: Vec<_> = made.refunds(first, of_order).collect();
        for (payment, refund) in refunds {
            // claims of one decision share a refund
            let amount = self.payments[&payment].refund(refund).map(|one| one.amount);
            let amount = amount.map_err(|error| error.to_string())?;
            self.refund(payment, refund, amount)
                .map_err(|error| error.to_string())?;
        }
        self.act(order, OrderCommand::CompleteClaim { claim })
            .map(|_| ())
            .map_err(|error| error.to_string())
    }

    pub fn act_payment(
        &mut self,
        payment: PaymentId,
        act: PaymentCommand,
    ) -> Result<(), PaymentError> {
        let state = self.payments.entry(payment).or_default();
        let events = state.decide(act, &at(self.now))?;
        self.write_payment(payment, events);
        Ok(())
    }

    pub fn count(&mut self, product: usize, quantity: u32) -> Result<(), StockError> {
        let stock = stock_of(product);
        let act = StockCommand::Count {
            product: product_id(if product == SET { HELMET } else { product }),
            quantity,
        };
        let events = self
            .stock
            .get(&stock)
            .cloned()
            .unwrap_or_default()
            .decide(act, &self.context())?;
        self.write_stock(stock, events);
        Ok(())
    }

    pub fn grant(&mut self, number: usize, amount: i64, days: i64) -> Result<(), PointsError> {
        let lot = id::<LotId>(0x7000 + u128::try_from(self.tally.granted.len()).unwrap());
        self.act_points(
            buyer(number),
            PointsCommand::Grant {
                member: buyer(number),
                lot,
                amount: Amount::new(amount),
                reason: "적립".to_owned(),
                order: None,
                grant: None,
                expires_at: self.time() + Duration::days(days),
            },
        )
    }

    /// Grants the points a confirmed purchase earns, as the policy does.
    pub fn earn(&mut self, order: OrderId, purchase_no: &str) {
        let rate = PointsRate {
            percent: 10,
            step: RoundingStep::default(),
        };
        let state = self.order(order).clone();
        let confirmed = (PointsRules::default(), self.time());
        let earned = purchase_points::grant((order, &state), purchase_no, rate, confirmed);
        let earned = earned.unwrap();
        if let (Some(grant), Some(Buyer::Member { id })) = (earned, state.buyer()) {
            self.act_points(*id, grant).unwrap();
        }
    }

    pub fn act_points(&mut self, member: MemberId, act: PointsCommand) -> Result<(), PointsError> {
        let events = self
            .points
            .get(&member)
            .cloned()
            .unwrap_or_default()
            .decide(act, &self.context())?;
        self.write_points(member, events);
        Ok(())
    }

    pub fn limit(&mut self, uses: Option<u32>) {
        let coupon = coupon_id(FIRST_COME);
        let act = CampaignCommand::Limit {
            draws: None,
            uses,
            amount: None,
            face_value: None,
        };
        let events = self
            .campaigns
            .entry(coupon)
            .or_default()
            .decide(act, &at(self.now))
            .unwrap();
        self.write_campaign(coupon, events);
    }

    pub fn issue(&mut self, coupon: usize, number: usize) {
        let act = IssuedCouponCommand::Issue {
            coupon: coupon_id(coupon),
            member: buyer(number),
            terms: Box::new(coupon_terms(coupon)),
            round: 1,
            occasion: None,
            memo: None,
            grant: None,
        };
        self.act_issued((coupon, number), act).unwrap();
    }

    pub fn act_issued(
        &mut self,
        (coupon, number): (usize, usize),
        act: IssuedCouponCommand,
    ) -> Result<(), IssuedCouponError> {
        let issued = issued_id(coupon, number);
        let state = self.issued.entry(issued).or_default();
        let events = state.decide(act, &at(self.now))?;
        self.write_issued(issued, events);
        Ok(())
    }
}
