//! Orders: placed, delivered and canceled unpaid.

use std::collections::BTreeMap;

use domain::catalogue::Product;
use domain::checkout;
use domain::coupon::Stage;
use domain::deadline::{self, DeadlineCommand, Refusal};
use domain::ids::{IssuedCouponId, MemberId, OptionId, OrderId, ProductId, ShippingId};
use domain::order::{Buyer, CanceledBy, DisclosurePurpose, OrderCommand, OrderTerms, number};
use domain::payment::PaymentMethod;
use domain::personal::Party;
use domain::policies::purchase_points::{self, PointsRate};
use domain::pricing::{CouponToUse, Line, Request, quote};
use domain::rounding::RoundingStep;
use domain::shipping::Area;
use domain::site::PointsRules;
use domain::{Amount, Purpose, Sealed, business_day};
use time::Duration;

use super::{SECRET, Shop, keys, sealed, way};

/// Number of actions after which staff correct an order.
pub(super) const CORRECTED_EVERY: u32 = 15;

impl Shop {
    /// A retry of a refused deadline is requested; for some of them a second time.
    pub(super) async fn retry(&mut self) {
        let id = format!("NO-SUCH-{}", self.random.below(3));
        let stream = deadline::stream_id("confirm-purchase", &id);
        let mut state = self.retried.remove(&stream).unwrap_or_default();
        let refusal = Refusal {
            kind: "confirm-purchase".to_owned(),
            id,
            stream: "an order".to_owned(),
            set_by: self.last_position,
            code: "not_found".to_owned(),
            message: "찾을 수 없습니다.".to_owned(),
            refused_at: self.now,
        };
        let act = DeadlineCommand::Retry(refusal);
        self.act(stream.clone(), &mut state, act).await;
        self.retried.insert(stream, state);
    }

    pub(super) fn terms(&mut self, id: OrderId, member: Option<MemberId>) -> Option<OrderTerms> {
        let random = [self.random.below(256) as u8; 8].map(|byte| byte ^ self.ids as u8);
        let order_no = format!(
            "{}{:x}",
            number::order_no(self.now, random),
            self.ids & 0xfff
        )
        .to_uppercase();
        let shown: Vec<(ProductId, Product)> = self
            .products
            .iter()
            .filter_map(|(id, record)| Some((*id, record.data().ok()?)))
            .collect();
        let picked: Vec<(ProductId, Product)> = (0..1 + self.random.below(3))
            .filter_map(|_| self.random.pick(&shown))
            .collect();
        let way = way();
        let shipping_id: ShippingId = self.id();
        let mut lines = Vec::new();
        for (place, (product_id, product)) in picked.iter().enumerate() {
            let quantity = 1 + self.random.below(3) as u32;
            let options: Vec<OptionId> = product
                .options
                .iter()
                .filter(|option| option.enabled)
                .map(|option| option.id)
                .collect();
            let choices: Vec<OptionId> = match product.is_choice() {
                true => product
                    .bundleds
                    .iter()
                    .map(|part| OptionId(part.ledger().0))
                    .collect(),
                false => options,
            };
            let option = self.random.pick(&choices);
            lines.push(Line {
                purchase_no: number::purchase_no(&order_no, place + 1),
                product_id: *product_id,
                product,
                product_version: 1,
                option,
                quantity,
                categories: product.categories.clone(),
                displays: vec![],
                shipping: &way,
                shipping_id,
                distance: None,
                parts: Line::parts_of(product.parts_sold(option), quantity).unwrap(),
                choice: None,
            });
        }
        let now = self.now;
        let usable: Vec<IssuedCouponId> = self
            .issued
            .iter()
            .filter(|(_, issued)| issued.used_on.is_none() && !issued.taken)
            .filter(|(_, issued)| {
                issued
                    .held
                    .as_ref()
                    .is_some_and(|held| Some(held.member) == member)
            })
            .map(|(id, _)| *id)
            .collect();
        let coupons: Vec<CouponToUse> = self
            .random
            .pick(&usable)
            .filter(|_| !self.random.one_in(3))
            .map(|issued| {
                let held = self.issued.get(&issued).unwrap().held.clone().unwrap();
                CouponToUse {
                    issued,
                    coupon: held.coupon,
                    purchase_no: (held.terms.stage == Stage::Product)
                        .then(|| number::purchase_no(&order_no, 1)),
                    terms: held.terms,
                }
            })
            .into_iter()
            .collect();
        let available = member
            .and_then(|member| self.points.get(&member))
            .map_or(0, |points| {
                let live = points.lots.values().filter(|lot| lot.expires_at > now);
                live.map(|lot| lot.left.hundredths()).sum::<i64>()
            });
        let points = match self.random.below(3) {
            0 => available.min(700),
            1 => available,
            _ => 0,
        };
        let mut request = Request {
            lines,
            area: Area::None,
            level_discount: None,
            coupons,
            points: Amount::new(points),
            step: RoundingStep::HUNDREDTH,
            now,
        };
        let quoted = match quote(&request) {
            Ok(quoted) => quoted,
            // points or a coupon that do not fit: place the order without them
            Err(_) => {
                request.points = Amount::ZERO;
                request.coupons.clear();
                quote(&request).ok()?
            }
        };
        let subject = member.map_or(id.0, |member| member.0);
        let party = || sealed::<Party>(subject, Purpose::Statutory);
        Some(OrderTerms {
            order_no,
            buyer: match member {
                Some(id) => Buyer::Member { id },
                None => Buyer::Guest {
                    contact_hash: "ab".repeat(32),
                },
            },
            sender: party(),
            receiver: party(),
            request_message: Some(sealed(subject, Purpose::Statutory)),
            cash_receipt: None,
            area: Area::None,
            area_unknown: false,
            payment_method: if quoted.totals.payable.is_zero() {
                PaymentMethod::Free
            } else {
                PaymentMethod::Card
            },
            purchases: quoted.purchases,
            fares: quoted.fares,
            coupons: quoted.coupons,
            points: vec![],
            totals: quoted.totals,
            step: RoundingStep::HUNDREDTH,
            terms: vec![],
            pay_by: now + Duration::hours(1),
            deposit: None,
            rules: vec![],
        })
    }

    pub async fn place(&mut self) {
        let id: OrderId = self.id();
        let member = self
            .random
            .pick(&keys(&self.members))
            .filter(|_| !self.ids.is_multiple_of(5));
        let Some(terms) = self.terms(id, member) else {
            return;
        };
        let goods = BTreeMap::new();
        self.decide(|work| checkout::place(work, id, terms.clone(), &goods))
            .await;
    }

    pub(super) fn some_order(&mut self) -> Option<OrderId> {
        // mostly recent ones, so that they progress
        let all = keys(&self.orders);
        let recent = all.len().saturating_sub(12);
        if self.random.one_in(5) {
            self.random.pick(&all)
        } else {
            self.random.pick(&all[recent..])
        }
    }

    pub(super) async fn cancel_unpaid(&mut self) {
        let Some(order) = self.some_order() else {
            return;
        };
        let by = self
            .random
            .pick(&[CanceledBy::Buyer, CanceledBy::Staff, CanceledBy::Deadline])
            .unwrap();
        self.decide(|work| checkout::cancel_unpaid(work, order, by, None))
            .await;
    }

    /// Unpaid orders wait for a deposit.
    pub async fn await_deposits(&mut self) {
        for order in keys(&self.orders) {
            let mut state = self.orders.remove(&order).unwrap();
            let wait = OrderCommand::AwaitDeposit {
                payment: self.id(),
                until: self.now + Duration::hours(72),
            };
            self.act(order, &mut state, wait).await;
            self.orders.insert(order, state);
        }
    }

    /// The retention period of a guest's order ends, as if years had passed.
    pub(super) async fn forget_guest(&mut self) {
        let of_guests = self.orders.iter().filter_map(|(id, order)| {
            matches!(order.buyer(), Some(Buyer::Guest { .. })).then_some(*id)
        });
        let Some(order) = self.random.pick(&of_guests.collect::<Vec<_>>()) else {
            return;
        };
        let mut state = self.orders.remove(&order).unwrap();
        let last = self.now - Duration::days(6 * 366);
        let act = OrderCommand::EraseGuestRecords { last };
        self.act(order, &mut state, act).await;
        self.orders.insert(order, state);
    }

    /// Staff correct the receiver of an order and write a note on it. The rest of the run is not affected.
    pub(super) async fn correct(&mut self) {
        let random = self.random.clone();
        let orders = keys(&self.orders);
        let turn = self.deeds as usize / CORRECTED_EVERY as usize;
        // In turn, from the newest back.
        let Some(order) = orders.iter().rev().nth(turn % 7).copied() else {
            return;
        };
        let mut state = self.orders.remove(&order).unwrap();
        let placed = state.terms().unwrap().receiver.clone();
        let secret = format!("{SECRET}{:04}", turn % 10_000);
        let receiver = Sealed::from_parts(placed.subject, placed.purpose, secret.clone());
        let act = OrderCommand::CorrectReceiver {
            receiver,
            area: Area::None,
        };
        self.act(order, &mut state, act).await;
        let note = Sealed::from_parts(placed.subject, placed.purpose, secret);
        let note = (!turn.is_multiple_of(3)).then_some(note);
        let act = OrderCommand::WriteStaffNote { note };
        self.act(order, &mut state, act).await;
        let purchase_nos = state.purchases.iter().take(1);
        let act = OrderCommand::DiscloseReceiver {
            purchase_nos: purchase_nos.map(|one| one.purchase_no.clone()).collect(),
            purpose: DisclosurePurpose::Label,
        };
        self.act(order, &mut state, act).await;
        self.orders.insert(order, state);
        self.random = random;
    }

    pub(super) async fn keep_order(&mut self) {
        let Some(order) = self.some_order() else {
            return;
        };
        let mut state = self.orders.remove(&order).unwrap();
        let numbers: Vec<String> = state
            .purchases
            .iter()
            .map(|purchase| purchase.purchase_no.clone())
            .collect();
        let purchase_no = self.random.pick(&numbers).unwrap();
        let purchase_nos = vec![purchase_no.clone()];
        let acts = [
            OrderCommand::Prepare {
                purchase_nos: purchase_nos.clone(),
            },
            OrderCommand::Ship {
                purchase_no: purchase_no.clone(),
                courier: "kr.cjlogistics".to_owned(),
                invoice_no: format!("{:010}", self.ids % 10_000_000_000),
                auto_deliver_days: 2,
            },
            OrderCommand::Delay {
                purchase_no: purchase_no.clone(),
                reason: "눈".to_owned(),
            },
            OrderCommand::Deliver {
                purchase_no: purchase_no.clone(),
                auto_confirm_days: 3,
            },
            OrderCommand::DeliverByDate {
                purchase_no: purchase_no.clone(),
                day: business_day::day(self.now),
                auto_confirm_days: 3,
            },
            OrderCommand::Confirm { purchase_nos },
            OrderCommand::ConfirmByDate {
                purchase_no: purchase_no.clone(),
            },
        ];
        let was_confirmed = state.confirmation(&purchase_no).is_some();
        // mostly a valid step, sometimes one that may be refused
        let steps = 1 + self.random.below(5);
        for step in 0..steps {
            let first = if self.random.one_in(4) {
                self.random.below(acts.len())
            } else {
                step
            };
            for place in 0..acts.len() {
                let act = acts[(first + place) % acts.len()].clone();
                if self.act(order, &mut state, act).await {
                    break;
                }
            }
            self.now += Duration::hours(self.random.below(self.pause_hours) as i64);
        }
        let rate = PointsRate {
            percent: 3,
            step: RoundingStep::HUNDREDTH,
        };
        let earned = purchase_points::grant(
            (order, &state),
            &purchase_no,
            rate,
            (PointsRules::default(), self.now),
        );
        let is_confirmed = state.confirmation(&purchase_no).is_some();
        if let (Some(grant), true, false) = (earned.unwrap(), is_confirmed, was_confirmed)
            && let Some(Buyer::Member { id }) = state.buyer()
        {
            self.act_points(*id, grant).await;
        }
        self.orders.insert(order, state);
    }
}
