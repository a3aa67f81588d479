//! Explains the price of an order, its payments and its refunds.

use cqrs_es::Aggregate;
use domain::catalogue::Product;
use domain::coupon::{IssuedCoupon, IssuedCouponEvent};
use domain::ids::{PaymentId, RefundId};
use domain::order::amount_breakdown::{
    BreakdownError, ContributionOrigin, ContributionReason, ContributionSource, OrderAmount,
};
use domain::order::{Order, OrderEvent, OrderTerms};
use domain::payment::{Payment, PaymentEvent};
use domain::points::{Points, PointsEvent, stream_id};
use domain::price_trace::PriceTrace;
use domain::record::{Record, Resource};
use domain::shipping::ShippingGroup;
use domain::site::Level;
use event_store::{StoredEvent, StreamId};
use serde_json::Value;

use super::ledger::Line;
use super::{Book, Explanation, Moment, NamedAmount, Unit, unknown, words};
use crate::app::AppState;
use crate::audit::history;
use crate::http::{AppError, AppResult};
use application::orders::basket::Basket;
use application::orders::find::FoundOrder;
use application::orders::place::numbered;

/// An order with the data that its amounts derive from.
struct PricedOrder {
    found: FoundOrder,
    /// The terms with the current lines.
    terms: OrderTerms,
    /// The terms as placed, before claims on some of the pieces divided lines.
    placed: OrderTerms,
    /// The events of the order and those it caused.
    events: Vec<StoredEvent>,
    /// The price calculated again, if that is possible and gives the same result.
    again: Option<(Basket, PriceTrace)>,
}

impl PricedOrder {
    async fn of(app: &AppState, id: &str, moment: Moment) -> AppResult<Self> {
        let found = FoundOrder::by_id_or_no(app, id).await?;
        let terms = found.order.state.terms()?.clone();
        let as_placed = found.order.state.placed_terms()?.into_owned();
        let events = history::events(app, &found, moment.position).await?;
        let Some(placed) = events.first() else {
            return unknown();
        };
        let basket = Basket::of_order(app, &as_placed, placed.metadata.occurred_at).await?;
        let again = basket.and_then(|basket| {
            let (quote, workings) = basket.explained().ok()?;
            let quote = numbered(quote, &terms.order_no);
            // If the current rules give another result than the agreed one, they cannot explain it.
            let same = quote.purchases == as_placed.purchases
                && quote.fares == as_placed.fares
                && quote.coupons == as_placed.coupons
                && quote.totals == as_placed.totals;
            same.then_some((basket, workings))
        });
        Ok(Self {
            found,
            terms,
            placed: as_placed,
            events,
            again,
        })
    }

    fn payments(&self) -> impl Iterator<Item = PaymentId> {
        let started = self
            .events
            .iter()
            .filter(|event| event.event_type == "PaymentStarted");
        started.filter_map(|event| event.stream.id.parse().ok())
    }

    fn names(&self) -> Vec<String> {
        let frozen = self
            .terms
            .amounts()
            .into_iter()
            .map(|amount| amount.to_string());
        let paid = self
            .payments()
            .flat_map(|id| ["amount", "refunded"].map(|amount| format!("payments.{id}.{amount}")));
        frozen.chain(paid).collect()
    }

    async fn explain(&self, app: &AppState, name: &str) -> AppResult<Explanation> {
        if let Some(of_payment) = name.strip_prefix("payments.") {
            return match of_payment.split_once('.') {
                Some((payment, "amount")) => self.attempt(name, payment),
                Some((payment, "refunded")) => self.refunded(name, payment),
                _ => unknown(),
            };
        }
        let Ok(amount) = name.parse::<OrderAmount>() else {
            return unknown();
        };
        self.frozen(app, &amount).await
    }

    /// An amount that was agreed when the order was placed.
    async fn frozen(&self, app: &AppState, amount: &OrderAmount) -> AppResult<Explanation> {
        let workings = self.again.as_ref().map(|(_, workings)| workings);
        let is_as_placed = self.is_as_placed(amount);
        let explained = match is_as_placed {
            true => self.placed.explain(amount, workings),
            false => self.terms.explain(amount, None),
        };
        let explained = explained.map_err(refused)?;
        let mut book = Book::default();
        let mut sources = Sources::default();
        for one in &explained.contributions {
            let source = match one.source {
                Some(source) => sources.event(app, self, source).await?,
                None => None,
            };
            let (text, spec, explains) = match &one.why {
                ContributionReason::Amount(of) => {
                    (words::amount(&self.terms, of), None, Some(of.to_string()))
                }
                ContributionReason::Rule(rule) => (words::rule(rule), rule.spec(), None),
                ContributionReason::OfCoupon(issued, rule) => {
                    let used = self
                        .terms
                        .coupons
                        .iter()
                        .find(|used| used.issued == *issued);
                    let name = used.map_or("", |used| used.name.as_str());
                    (
                        format!("쿠폰 {name}: {}", words::rule(rule)),
                        rule.spec(),
                        None,
                    )
                }
                ContributionReason::Lot(_) => (words::LOT.to_owned(), None, None),
                ContributionReason::Exchange => (words::EXCHANGE_DIFFERENCE.to_owned(), None, None),
                ContributionReason::Frozen if is_as_placed || self.divided().is_none() => {
                    (words::FROZEN.to_owned(), None, None)
                }
                ContributionReason::Frozen => (words::DIVIDED.to_owned(), None, None),
            };
            let is_divided = !is_as_placed && one.why == ContributionReason::Frozen;
            book.write(Line {
                text,
                spec,
                amount: one.amount.hundredths(),
                event: match is_divided {
                    true => self.divided().or_else(|| self.made(one.made)),
                    false => self.made(one.made),
                },
                source: source.as_ref(),
                explains,
            })?;
        }
        book.close(self.named(amount, explained.amount.hundredths()))
    }

    /// Whether this is an amount of the original pricing. Divided lines have a share of it, and sums add up the current lines.
    fn is_as_placed(&self, amount: &OrderAmount) -> bool {
        let line = |terms: &OrderTerms, no: &String| {
            let mut lines = terms.purchases.iter();
            lines.find(|line| line.purchase_no == *no).cloned()
        };
        match amount {
            OrderAmount::Purchase(no, _) => line(&self.placed, no) == line(&self.terms, no),
            OrderAmount::Total(_) => false,
            OrderAmount::Fare(..) | OrderAmount::Coupon(..) => true,
        }
    }

    fn named(&self, amount: &OrderAmount, value: i64) -> NamedAmount {
        NamedAmount {
            name: amount.to_string(),
            label: words::amount(&self.terms, amount),
            unit: Unit::Amount,
            value,
            says: None,
        }
    }

    /// The last event that divided a line.
    fn divided(&self) -> Option<&StoredEvent> {
        let mut events = self.events.iter().rev();
        events.find(|event| event.event_type == "PurchaseSplit")
    }

    /// The event a contribution originates from.
    fn made(&self, made: ContributionOrigin) -> Option<&StoredEvent> {
        match made {
            ContributionOrigin::Placed => self
                .events
                .iter()
                .find(|event| event.event_type == "OrderPlaced"),
            ContributionOrigin::PointsSpent => self
                .events
                .iter()
                .find(|event| event.event_type == "PointsSpent"),
            ContributionOrigin::Exchanged => {
                let mut events = self.events.iter().rev();
                events.find(|recorded| changes_price(recorded))
            }
            ContributionOrigin::CouponUsed(issued) => {
                let id = issued.to_string();
                self.events
                    .iter()
                    .find(|event| event.event_type == "CouponUsed" && event.stream.id == id)
            }
        }
        .or_else(|| self.events.first())
    }

    fn of_payment<'a>(&'a self, payment: &'a str) -> impl Iterator<Item = &'a StoredEvent> {
        self.events
            .iter()
            .filter(move |event| event.stream.kind == Payment::TYPE && event.stream.id == payment)
    }

    /// The event that requested a user payment.
    fn asked(&self, user_payment: &str) -> Option<&StoredEvent> {
        let mut asked = self.events.iter();
        asked.find(|event| event.stream.id == user_payment)
    }

    fn attempt(&self, name: &str, payment: &str) -> AppResult<Explanation> {
        let mut book = Book::default();
        let Some(recorded) = self.of_payment(payment).next() else {
            return unknown();
        };
        let PaymentEvent::PaymentStarted {
            amount,
            user_payment,
            ..
        } = recorded.event::<Payment>()?
        else {
            return unknown();
        };
        let payable = OrderAmount::Total(domain::order::amount_breakdown::TotalAmount::Payable);
        book.write(match user_payment {
            Some(of) => Line {
                text: words::EXCHANGE_FEE.to_owned(),
                amount: amount.hundredths(),
                event: Some(self.asked(&of.id.to_string()).unwrap_or(recorded)),
                ..Line::default()
            },
            None => Line {
                text: words::amount(&self.terms, &payable),
                amount: self.terms.totals.payable.hundredths(),
                event: Some(recorded),
                explains: Some(payable.to_string()),
                ..Line::default()
            },
        })?;
        book.close(NamedAmount {
            name: name.to_owned(),
            label: words::PAID_AMOUNT.to_owned(),
            unit: Unit::Amount,
            value: amount.hundredths(),
            says: None,
        })
    }

    fn refunded(&self, name: &str, payment: &str) -> AppResult<Explanation> {
        let mut book = Book::default();
        let mut state = Payment::default();
        for recorded in self.of_payment(payment) {
            let event = recorded.event::<Payment>()?;
            state.evolve(event.clone());
            if let PaymentEvent::RefundCompleted { refund, amount, .. }
            | PaymentEvent::RefundTransferred { refund, amount, .. } = event
            {
                let granted = self.granted(refund)?;
                book.write(Line {
                    text: match granted {
                        Some(_) => words::REFUND_OF_CANCEL,
                        None => words::REFUND,
                    }
                    .to_owned(),
                    amount: amount.hundredths(),
                    event: Some(recorded),
                    source: granted,
                    ..Line::default()
                })?;
            }
        }
        if state.started.is_none() {
            return unknown();
        }
        book.close(NamedAmount {
            name: name.to_owned(),
            label: words::REFUNDED.to_owned(),
            unit: Unit::Amount,
            value: state.refunded()?.hundredths(),
            says: None,
        })
    }

    /// The approval of the claim a refund is for, or the exchange whose difference it is, or which was rejected after the payment.
    fn granted(&self, of: RefundId) -> AppResult<Option<&StoredEvent>> {
        for recorded in self
            .events
            .iter()
            .filter(|event| event.stream.kind == Order::TYPE)
        {
            let is_it = match recorded.event::<Order>()? {
                OrderEvent::CancelApproved { refund, terms, .. }
                | OrderEvent::ReturnApproved { refund, terms, .. }
                | OrderEvent::PriceDifferenceRefunded { refund, terms, .. } => {
                    refund == Some(of) || terms.others.iter().any(|other| other.refund == of)
                }
                OrderEvent::ExchangeFeeRefunded { refund, .. } => refund == of,
                _ => false,
            };
            if is_it {
                return Ok(Some(recorded));
            }
        }
        Ok(None)
    }
}

/// Whether an event gave the difference of an exchange back, or received it.
fn changes_price(recorded: &StoredEvent) -> bool {
    match recorded.event_type.as_str() {
        "PriceDifferenceRefunded" => true,
        "ExchangeFeeReceived" => matches!(
            recorded.event::<Order>(),
            Ok(OrderEvent::ExchangeFeeReceived { price, .. }) if !price.is_zero()
        ),
        _ => false,
    }
}

/// The events that rules were taken from; each stream is read once.
#[derive(Default)]
struct Sources(Vec<(StreamId, Vec<StoredEvent>)>);

impl Sources {
    async fn event(
        &mut self,
        app: &AppState,
        order: &PricedOrder,
        source: ContributionSource,
    ) -> AppResult<Option<StoredEvent>> {
        let version_of = |kind: &str, id: &str| {
            let rules = order.terms.rules.iter();
            let mut known = rules.filter(|rule| rule.kind == kind && rule.id == id);
            known.next().map(|rule| rule.version)
        };
        let found = match source {
            ContributionSource::Product(id, version) => {
                let stream = StreamId::of::<Record<Product>>(id);
                last_change(
                    self.stream(app, stream).await?,
                    version,
                    &["price", "options", "discount"],
                )
            }
            ContributionSource::Level => {
                let mut rules = order.terms.rules.iter();
                let Some(rule) = rules.find(|rule| rule.kind == Level::KIND) else {
                    return Ok(None);
                };
                let stream = StreamId::of::<Record<Level>>(&rule.id);
                last_change(self.stream(app, stream).await?, rule.version, &["discount"])
            }
            ContributionSource::Shipping(place) => {
                let line = order
                    .again
                    .as_ref()
                    .and_then(|(basket, _)| basket.lines.get(place));
                let Some(id) = line.map(|line| line.shipping_id().to_string()) else {
                    return Ok(None);
                };
                let version = version_of(ShippingGroup::KIND, &id).unwrap_or_default();
                let stream = StreamId::of::<Record<ShippingGroup>>(&id);
                last_change(self.stream(app, stream).await?, version, &["options"])
            }
            ContributionSource::Coupon(issued) => {
                let events = self
                    .stream(app, StreamId::of::<IssuedCoupon>(issued))
                    .await?;
                events.iter().find(|recorded| {
                    let event = recorded.event::<IssuedCoupon>();
                    matches!(event, Ok(IssuedCouponEvent::CouponIssued { .. }))
                })
            }
            ContributionSource::Lot(wanted) => {
                let Some(member) = order.found.member() else {
                    return Ok(None);
                };
                let stream = StreamId::of::<Points>(stream_id(member));
                let events = self.stream(app, stream).await?;
                events.iter().find(|recorded| {
                    let event = recorded.event::<Points>();
                    matches!(event, Ok(PointsEvent::PointsGranted { lot, .. }) if lot == wanted)
                })
            }
        };
        Ok(found.cloned())
    }

    async fn stream(&mut self, app: &AppState, stream: StreamId) -> AppResult<&[StoredEvent]> {
        let place = match self.0.iter().position(|(known, _)| *known == stream) {
            Some(place) => place,
            None => {
                let events = app.store.read_stream(&stream).await?;
                self.0.push((stream, events));
                self.0.len().saturating_sub(1)
            }
        };
        Ok(self
            .0
            .get(place)
            .map_or(&[], |(_, events)| events.as_slice()))
    }
}

/// The last change of one of these fields up to a version, which defined the rule.
fn last_change<'a>(
    events: &'a [StoredEvent],
    version: u64,
    fields: &[&str],
) -> Option<&'a StoredEvent> {
    let touches = |recorded: &&StoredEvent| {
        let said = recorded.value().unwrap_or_default();
        let changes = said.get("Revised").and_then(|said| said.get("changes"));
        match changes.and_then(Value::as_object) {
            Some(changes) => fields.iter().any(|field| changes.contains_key(*field)),
            None => true,
        }
    };
    events
        .iter()
        .filter(|recorded| recorded.version <= version)
        .rfind(touches)
}

fn refused(error: BreakdownError) -> AppError {
    match error {
        BreakdownError::Unknown => AppError::not_found(),
        other => AppError::internal(other),
    }
}

/// Every amount of an order.
pub async fn amounts(app: &AppState, id: &str, moment: Moment) -> AppResult<Vec<NamedAmount>> {
    let all = whole(app, id, moment).await?;
    Ok(all.into_iter().map(|explained| explained.amount).collect())
}

/// Every amount of an order with its explanation.
pub async fn whole(app: &AppState, id: &str, moment: Moment) -> AppResult<Vec<Explanation>> {
    let order = PricedOrder::of(app, id, moment).await?;
    let mut all = Vec::new();
    for name in order.names() {
        all.push(order.explain(app, &name).await?);
    }
    Ok(all)
}

/// The explanation of an amount of an order.
pub async fn explain(
    app: &AppState,
    id: &str,
    amount: &str,
    moment: Moment,
) -> AppResult<Explanation> {
    PricedOrder::of(app, id, moment)
        .await?
        .explain(app, amount)
        .await
}
