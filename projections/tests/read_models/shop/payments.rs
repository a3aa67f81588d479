//! Payments and refunds.

use domain::ids::{OrderId, PaymentId, RefundId};
use domain::order::{Order, OrderCommand};
use domain::payment::PaymentMethod;
use domain::payment::{Doubt, Payment, PaymentCommand, PaymentTerms, VirtualAccount};
use domain::{Amount, Decider, Purpose};
use time::Duration;

use super::{Draft, Shop, sealed};

impl Shop {
    /// The number of the next payment of an order.
    fn next_attempt(&self, order: OrderId) -> u32 {
        let of_order = |payment: &&Payment| {
            payment
                .started
                .as_ref()
                .is_some_and(|one| one.order == order && one.user_payment.is_none())
        };
        1 + self.payments.values().filter(of_order).count() as u32
    }

    /// One payment, with any outcome.
    pub(super) async fn pay(&mut self) {
        let Some(order) = self.some_order() else {
            return;
        };
        let terms = self.orders.get(&order).unwrap().terms().unwrap().clone();
        if terms.totals.payable.is_zero() {
            return;
        }
        let id: PaymentId = self.id();
        let attempt = self.next_attempt(order);
        let mut payment = Payment::default();
        let amount = terms.totals.payable;
        let tid = format!("tid-{id}");
        // decided by its id, not by the random generator: what is paid, and when, stays the same
        let by_deposit = attempt.is_multiple_of(2) || id.0.as_u128().is_multiple_of(4);
        let start = PaymentCommand::Start(PaymentTerms {
            order,
            order_no: terms.order_no.clone(),
            attempt,
            amount,
            method: if by_deposit {
                PaymentMethod::Vbank
            } else {
                PaymentMethod::Card
            },
            member: self.member_of(order),
            user_payment: None,
        });
        self.act(id, &mut payment, start).await;
        let ends = self.random.below(12);
        if ends == 0 {
            let reason = "창을 닫음".to_owned();
            self.act(id, &mut payment, PaymentCommand::Abandon { reason })
                .await;
        } else {
            self.now += Duration::seconds(5);
            let tid = tid.clone();
            self.act(
                id,
                &mut payment,
                PaymentCommand::RequestApproval { tid, amount },
            )
            .await;
        }
        match ends {
            0 | 1 => {}
            2 => {
                let act = PaymentCommand::RecordRefusal {
                    code: "3011".to_owned(),
                    message: "한도 초과".to_owned(),
                };
                self.act(id, &mut payment, act).await;
            }
            3 | 4 => {
                let act = PaymentCommand::RecordUnknown {
                    tid: tid.clone(),
                    why: "timeout".to_owned(),
                };
                self.act(id, &mut payment, act).await;
                if ends == 3 {
                    self.act(id, &mut payment, PaymentCommand::RecordNetCancel { tid })
                        .await;
                }
            }
            _ if by_deposit => {
                std::mem::swap(&mut self.random, &mut self.talking);
                self.issue_account(id, order, &mut payment, &tid, amount)
                    .await;
                std::mem::swap(&mut self.random, &mut self.talking);
                let deposit = PaymentCommand::RecordDeposit { tid, amount };
                self.approve(id, order, &mut payment, deposit, amount).await;
            }
            _ => {
                let approval = PaymentCommand::RecordApproval {
                    tid,
                    amount,
                    approve_no: None,
                    receipt_url: Some("https://pay.example/receipt".to_owned()),
                };
                self.approve(id, order, &mut payment, approval, amount)
                    .await;
            }
        }
        self.payments.insert(id, payment);
    }

    /// Issues the virtual account of a payment, which the order waits for if it can.
    async fn issue_account(
        &mut self,
        id: PaymentId,
        order: OrderId,
        payment: &mut Payment,
        tid: &str,
        amount: Amount,
    ) {
        let until = self.now + Duration::hours(72);
        let account = VirtualAccount {
            bank_code: "088".to_owned(),
            bank_name: "신한은행".to_owned(),
            number: format!("56{:012}", id.0.as_u128() % 1_000_000_000_000),
            expires_at: until,
        };
        let issue = PaymentCommand::IssueAccount {
            tid: tid.to_owned(),
            amount,
            account,
        };
        self.act(id, payment, issue).await;
        let wait = OrderCommand::AwaitDeposit { payment: id, until };
        let mut state = self.orders.remove(&order).unwrap();
        self.act(order, &mut state, wait).await;
        // given up, also decided by its id; a deposit may arrive nevertheless
        if (id.0.as_u128() / 4).is_multiple_of(2) {
            let end = OrderCommand::EndDepositWait { payment: id };
            self.act(order, &mut state, end).await;
        }
        self.orders.insert(order, state);
    }

    /// The account of an order that needs no money any more: closed, still closing, in doubt, or paid into nevertheless.
    pub(super) async fn deposit_astray(&mut self) {
        let closed: Vec<OrderId> = self
            .orders
            .iter()
            .filter(|(_, order)| {
                order.paid.is_some_and(|paid| paid.payment.is_some()) || order.canceled.is_some()
            })
            .map(|(id, _)| *id)
            .collect();
        let Some(order) = self.random.pick(&closed) else {
            return;
        };
        let terms = self.orders.get(&order).unwrap().terms().unwrap().clone();
        let amount = terms.totals.payable;
        if amount.is_zero() {
            return;
        }
        let id: PaymentId = self.id();
        let tid = format!("tid-{id}");
        let attempt = self.next_attempt(order);
        let mut payment = Payment::default();
        let start = PaymentCommand::Start(PaymentTerms {
            order,
            order_no: terms.order_no,
            attempt,
            amount,
            method: PaymentMethod::Vbank,
            member: self.member_of(order),
            user_payment: None,
        });
        self.act(id, &mut payment, start).await;
        let ask = PaymentCommand::RequestApproval {
            tid: tid.clone(),
            amount,
        };
        self.act(id, &mut payment, ask).await;
        self.issue_account(id, order, &mut payment, &tid, amount)
            .await;
        let doubt = PaymentCommand::DoubtNotice(Doubt {
            tid: tid.clone(),
            amount: Amount::new(1),
            why: "amount".to_owned(),
        });
        let reason = "주문 취소".to_owned();
        let close = PaymentCommand::CloseAccount {
            reason: reason.clone(),
        };
        let account = sealed(id.0, Purpose::Statutory);
        match self.random.below(5) {
            0 => drop(self.act(id, &mut payment, doubt).await),
            1 => drop(self.act(id, &mut payment, close).await),
            2 => {
                self.act(id, &mut payment, close).await;
                self.act(id, &mut payment, PaymentCommand::RecordClosed { reason })
                    .await;
            }
            late => {
                self.act(id, &mut payment, close).await;
                self.act(id, &mut payment, PaymentCommand::GiveRefundAccount(account))
                    .await;
                let came = if late == 3 { amount } else { Amount::new(777) };
                let deposit = PaymentCommand::RecordDeposit { tid, amount: came };
                self.approve(id, order, &mut payment, deposit, came).await;
            }
        }
        self.payments.insert(id, payment);
    }

    /// Approval and paid order in one append; money for an order that cannot accept it is refunded.
    async fn approve(
        &mut self,
        id: PaymentId,
        order: OrderId,
        payment: &mut Payment,
        approval: PaymentCommand,
        amount: Amount,
    ) {
        let context = self.context();
        let Ok(approved) = payment.decide(approval, &context) else {
            return;
        };
        let pay = OrderCommand::Pay {
            payment: Some(id),
            amount,
        };
        let paid = self.orders.get(&order).unwrap().decide(pay, &context);
        let mut draft = Draft::default();
        self.stage::<Payment>(&mut draft, id, &approved);
        if let Ok(events) = &paid {
            self.stage::<Order>(&mut draft, order, events);
        }
        self.write(draft).await;
        for event in approved {
            payment.evolve(event);
        }
        match paid {
            Ok(events) => {
                for event in events {
                    self.orders.get_mut(&order).unwrap().evolve(event);
                }
            }
            Err(_) => {
                let refund: RefundId = self.id();
                let act = PaymentCommand::RequestRefund {
                    refund,
                    amount,
                    reason: "주문이 없음".to_owned(),
                };
                self.act(id, payment, act).await;
                self.finish_refund(id, payment, refund, amount).await;
            }
        }
    }

    pub(super) async fn finish_refund(
        &mut self,
        id: PaymentId,
        payment: &mut Payment,
        refund: RefundId,
        amount: Amount,
    ) -> bool {
        match self.random.below(6) {
            0 => {
                let why = "timeout".to_owned();
                self.act(
                    id,
                    payment,
                    PaymentCommand::RecordRefundUnknown { refund, why },
                )
                .await;
                false
            }
            1 => {
                let act = PaymentCommand::RecordRefundRefusal {
                    refund,
                    code: "2013".to_owned(),
                    message: "취소 불가".to_owned(),
                };
                self.act(id, payment, act).await;
                false
            }
            2 => false,
            _ => {
                let act = PaymentCommand::RecordRefund {
                    refund,
                    amount,
                    canceled_tid: format!("c-{refund}"),
                };
                self.act(id, payment, act).await
            }
        }
    }
}
