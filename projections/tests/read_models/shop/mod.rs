//! A simulated shop that writes the log: random commands are decided by the aggregates of `domain`, and their events are appended.

mod benefits;
mod catalogue;
mod claims;
mod coupon_codes;
mod exchanges;
mod members;
mod messages;
mod orders;
mod payments;
mod raffles;
mod reviews;
mod sendings;

use std::collections::{BTreeMap, BTreeSet};

use cqrs_es::Aggregate;
use domain::bulk_grant::BulkGrant;
use domain::catalogue::Product;
use domain::catalogue::tree::CategoryTree;
use domain::center::{Contact, Inquiry};
use domain::coupon::{Campaign, CodeBatch, Coupon, IssuedCoupon};
use domain::deadline::Deadline;
use domain::ids::{
    BulkGrantId, CodeBatchId, CouponId, IssuedCouponId, MemberId, MessageId, OrderId, PaymentId,
    ProductId, RaffleEntryId, SendingId, ShippingId, ShopEventId, StockId, UserPaymentId,
};
use domain::inquire::Inquire;
use domain::member::Member;
use domain::message::Message;
use domain::order::Order;
use domain::payment::Payment;
use domain::points::Points;
use domain::raffle::{Raffle, RaffleEntry, RaffleSeed};
use domain::record::{Record, RecordCommand, Resource};
use domain::review::Review;
use domain::sending::Sending;
use domain::shipping::{ChargeType, Island, IslandFee, ServiceFee, ShippingGroup, ShippingOption};
use domain::site::{Level, SiteSetting};
use domain::stock::Stock;
use domain::storefront::Brand;
use domain::storefront::shop_event::ShopEvent;
use domain::unit_of_work::{StreamRef, UnitOfWork};
use domain::user_payment::UserPayment;
use domain::{Actor, Amount, Context, Decider, Purpose, Sealed};
use event_store::{Append, Expected, Metadata, Store, StreamAppend, StreamId};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Reproducible pseudorandom numbers (xorshift).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % u64::try_from(end.max(1)).unwrap()) as usize
    }

    pub fn one_in(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> Option<T> {
        let place = self.below(from.len());
        from.get(place).cloned()
    }
}

/// The events of one decision.
#[derive(Default)]
struct Draft(Vec<StreamAppend>);

pub struct Shop {
    pub store: Store,
    pub random: Random,
    /// Random numbers for reviews and questions.
    talking: Random,
    deeds: u32,
    pub now: OffsetDateTime,
    /// Maximum number of hours between two steps of an order, exclusive.
    pub pause_hours: usize,
    /// Actor of the current action.
    actor: Actor,
    ids: u128,
    versions: BTreeMap<StreamId, u64>,
    pub last_position: i64,
    /// Types of the events so far.
    pub seen: BTreeSet<String>,
    pub members: BTreeMap<MemberId, Member>,
    pub products: BTreeMap<ProductId, Record<Product>>,
    pub shippings: BTreeMap<ShippingId, Record<ShippingGroup>>,
    pub islands: BTreeMap<Uuid, Record<Island>>,
    pub settings: BTreeMap<String, Record<SiteSetting>>,
    pub levels: BTreeMap<Uuid, Record<Level>>,
    pub coupons: BTreeMap<CouponId, Record<Coupon>>,
    pub tree: CategoryTree,
    pub stock: BTreeMap<StockId, Stock>,
    pub campaigns: BTreeMap<CouponId, Campaign>,
    pub issued: BTreeMap<IssuedCouponId, IssuedCoupon>,
    /// Coupons that codes gave; no order uses them.
    pub from_paper: BTreeMap<IssuedCouponId, IssuedCoupon>,
    pub retried: BTreeMap<String, Deadline>,
    pub points: BTreeMap<MemberId, Points>,
    pub bulk_grants: BTreeMap<BulkGrantId, BulkGrant>,
    pub code_batches: BTreeMap<CodeBatchId, CodeBatch>,
    pub shop_events: BTreeMap<ShopEventId, Record<ShopEvent>>,
    pub raffles: BTreeMap<ShopEventId, Raffle>,
    pub raffle_entries: BTreeMap<RaffleEntryId, RaffleEntry>,
    /// The raffle that is not drawn yet, with its seed.
    open_raffle: Option<(ShopEventId, RaffleSeed)>,
    pub messages: BTreeMap<MessageId, Message>,
    pub sendings: BTreeMap<SendingId, Sending>,
    pub orders: BTreeMap<OrderId, Order>,
    pub payments: BTreeMap<PaymentId, Payment>,
    pub user_payments: BTreeMap<UserPaymentId, UserPayment>,
    pub reviews: BTreeMap<Uuid, Record<Review>>,
    pub inquires: BTreeMap<Uuid, Record<Inquire>>,
    /// The newest contact, until it is removed.
    contact: Option<(Uuid, Record<Contact>)>,
    /// The newest inquiry, until it is removed.
    inquiry: Option<(Uuid, Record<Inquiry>)>,
    pub brands: BTreeMap<Uuid, Record<Brand>>,
}

pub const SECRET: &str = "c2VjcmV0IG9mIGEgcGVyc29u";

fn sealed<T>(subject: Uuid, purpose: Purpose) -> Sealed<T> {
    Sealed::from_parts(subject, purpose, SECRET.to_owned())
}

fn keys<K: Copy, V>(map: &BTreeMap<K, V>) -> Vec<K> {
    map.keys().copied().collect()
}

impl Shop {
    pub fn new(store: Store, seed: u64) -> Self {
        Self {
            store,
            random: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            talking: Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5555 | 1),
            deeds: 0,
            now: datetime!(2026-11-21 03:04:05.678_901_234 UTC),
            pause_hours: 50,
            actor: Actor::System,
            ids: 0x0193_0000_0000_7000_8000_0000_0000_0000,
            versions: BTreeMap::new(),
            last_position: 0,
            seen: BTreeSet::new(),
            members: BTreeMap::new(),
            products: BTreeMap::new(),
            shippings: BTreeMap::new(),
            islands: BTreeMap::new(),
            settings: BTreeMap::new(),
            levels: BTreeMap::new(),
            coupons: BTreeMap::new(),
            tree: CategoryTree::default(),
            stock: BTreeMap::new(),
            campaigns: BTreeMap::new(),
            retried: BTreeMap::new(),
            issued: BTreeMap::new(),
            from_paper: BTreeMap::new(),
            points: BTreeMap::new(),
            bulk_grants: BTreeMap::new(),
            code_batches: BTreeMap::new(),
            shop_events: BTreeMap::new(),
            raffles: BTreeMap::new(),
            raffle_entries: BTreeMap::new(),
            open_raffle: None,
            messages: BTreeMap::new(),
            sendings: BTreeMap::new(),
            orders: BTreeMap::new(),
            payments: BTreeMap::new(),
            user_payments: BTreeMap::new(),
            reviews: BTreeMap::new(),
            inquires: BTreeMap::new(),
            contact: None,
            inquiry: None,
            brands: BTreeMap::new(),
        }
    }

    pub fn id<T: From<Uuid>>(&mut self) -> T {
        self.ids += 1;
        T::from(Uuid::from_u128(self.ids))
    }

    fn context(&self) -> Context {
        Context {
            now: self.now,
            actor: self.actor.clone(),
        }
    }

    fn stage<A: Aggregate>(&self, draft: &mut Draft, id: impl ToString, events: &[A::Event]) {
        if events.is_empty() {
            return;
        }
        let stream = StreamId::of::<A>(id.to_string());
        let version = self.versions.get(&stream).copied().unwrap_or(0);
        let append =
            StreamAppend::new::<A>(id.to_string(), Expected::Exact(version), events).unwrap();
        draft.0.push(append);
    }

    async fn write(&mut self, draft: Draft) {
        if draft.0.is_empty() {
            return;
        }
        let written = draft.0.iter().flat_map(|stream| &stream.events);
        self.seen
            .extend(written.map(|event| event.event_type.clone()));
        let actor = serde_json::to_value(&self.actor).unwrap();
        let mut metadata = Metadata::new(actor, self.now);
        metadata.reason = self.random.one_in(3).then(|| "그래서".to_owned());
        metadata.command = Some("deed".to_owned());
        let appended = self
            .store
            .append(Append {
                streams: draft.0,
                conditions: vec![],
                command: None,
                command_result: None,
                reservations: vec![],
                metadata,
            })
            .await
            .unwrap();
        self.last_position = appended.last_position;
        self.versions.extend(appended.versions);
    }

    /// Decides one command and appends its events; a refusal appends nothing.
    async fn act<A>(&mut self, id: impl ToString, state: &mut A, act: A::Input) -> bool
    where
        A: Decider,
        A::Event: Clone,
    {
        let Ok(events) = state.decide(act, &self.context()) else {
            return false;
        };
        let mut draft = Draft::default();
        self.stage::<A>(&mut draft, id, &events);
        self.write(draft).await;
        let any = !events.is_empty();
        for event in events {
            state.apply(event);
        }
        any
    }

    async fn record<R: Resource>(
        &mut self,
        id: impl ToString,
        record: &mut Record<R>,
        act: RecordCommand<R::Data>,
    ) {
        self.act(id, record, act).await;
    }

    /// Makes a decision over many streams and appends it, unless it is refused.
    async fn decide<R, E>(&mut self, decide: impl Fn(&mut UnitOfWork) -> Result<R, E>) {
        let mut work = UnitOfWork::new(self.context());
        let mut decided = decide(&mut work);
        while !work.is_loaded() {
            self.load(&mut work);
            work.rewind();
            decided = decide(&mut work);
        }
        if decided.is_err() {
            return;
        }
        let mut draft = Draft::default();
        let streams: Vec<StreamRef> = work.plan().map(|(stream, _)| stream.clone()).collect();
        for stream in &streams {
            let id = stream.id.as_str();
            match stream.kind {
                Order::TYPE => self.stage::<Order>(&mut draft, id, work.events::<Order>(id)),
                Stock::TYPE => self.stage::<Stock>(&mut draft, id, work.events::<Stock>(id)),
                IssuedCoupon::TYPE => {
                    self.stage::<IssuedCoupon>(&mut draft, id, work.events::<IssuedCoupon>(id));
                }
                Campaign::TYPE => {
                    self.stage::<Campaign>(&mut draft, id, work.events::<Campaign>(id));
                }
                Points::TYPE => self.stage::<Points>(&mut draft, id, work.events::<Points>(id)),
                BulkGrant::TYPE => {
                    self.stage::<BulkGrant>(&mut draft, id, work.events::<BulkGrant>(id));
                }
                CodeBatch::TYPE => {
                    self.stage::<CodeBatch>(&mut draft, id, work.events::<CodeBatch>(id));
                }
                Raffle::TYPE => self.stage::<Raffle>(&mut draft, id, work.events::<Raffle>(id)),
                RaffleEntry::TYPE => {
                    self.stage::<RaffleEntry>(&mut draft, id, work.events::<RaffleEntry>(id));
                }
                Payment::TYPE => self.stage::<Payment>(&mut draft, id, work.events::<Payment>(id)),
                UserPayment::TYPE => {
                    self.stage::<UserPayment>(&mut draft, id, work.events::<UserPayment>(id));
                }
                _ => {}
            }
        }
        self.write(draft).await;
        for stream in streams {
            let (id, uuid) = (stream.id.as_str(), uuid_of(&stream));
            match stream.kind {
                BulkGrant::TYPE => {
                    let events = work.events::<BulkGrant>(id);
                    evolve(&mut self.bulk_grants, BulkGrantId(uuid), events);
                }
                CodeBatch::TYPE => {
                    let events = work.events::<CodeBatch>(id);
                    evolve(&mut self.code_batches, CodeBatchId(uuid), events);
                }
                Raffle::TYPE => {
                    let events = work.events::<Raffle>(id);
                    evolve(&mut self.raffles, ShopEventId(uuid), events);
                }
                RaffleEntry::TYPE => {
                    let events = work.events::<RaffleEntry>(id);
                    evolve(&mut self.raffle_entries, RaffleEntryId(uuid), events);
                }
                Order::TYPE => evolve(&mut self.orders, OrderId(uuid), work.events::<Order>(id)),
                Stock::TYPE => evolve(&mut self.stock, StockId(uuid), work.events::<Stock>(id)),
                IssuedCoupon::TYPE => {
                    let events = work.events::<IssuedCoupon>(id);
                    evolve(&mut self.issued, IssuedCouponId(uuid), events);
                }
                Campaign::TYPE => {
                    let events = work.events::<Campaign>(id);
                    evolve(&mut self.campaigns, CouponId(uuid), events);
                }
                Points::TYPE => {
                    evolve(&mut self.points, MemberId(uuid), work.events::<Points>(id));
                }
                Payment::TYPE => {
                    evolve(
                        &mut self.payments,
                        PaymentId(uuid),
                        work.events::<Payment>(id),
                    );
                }
                UserPayment::TYPE => {
                    let events = work.events::<UserPayment>(id);
                    evolve(&mut self.user_payments, UserPaymentId(uuid), events);
                }
                _ => {}
            }
        }
    }

    /// Loads the streams a decision uses.
    fn load(&self, work: &mut UnitOfWork) {
        let streams: Vec<StreamRef> = work.plan().map(|(stream, _)| stream.clone()).collect();
        for stream in streams {
            let uuid = uuid_of(&stream);
            match stream.kind {
                Order::TYPE => insert(work, &stream, self.orders.get(&OrderId(uuid))),
                Stock::TYPE => insert(work, &stream, self.stock.get(&StockId(uuid))),
                IssuedCoupon::TYPE => {
                    insert(work, &stream, self.issued.get(&IssuedCouponId(uuid)));
                }
                Campaign::TYPE => insert(work, &stream, self.campaigns.get(&CouponId(uuid))),
                Points::TYPE => insert(work, &stream, self.points.get(&MemberId(uuid))),
                BulkGrant::TYPE => {
                    insert(work, &stream, self.bulk_grants.get(&BulkGrantId(uuid)));
                }
                CodeBatch::TYPE => {
                    insert(work, &stream, self.code_batches.get(&CodeBatchId(uuid)));
                }
                Raffle::TYPE => insert(work, &stream, self.raffles.get(&ShopEventId(uuid))),
                RaffleEntry::TYPE => {
                    insert(work, &stream, self.raffle_entries.get(&RaffleEntryId(uuid)));
                }
                ShopEvent::KIND => {
                    insert(work, &stream, self.shop_events.get(&ShopEventId(uuid)));
                }
                SiteSetting::KIND => insert(work, &stream, self.settings.get(&stream.id)),
                Payment::TYPE => insert(work, &stream, self.payments.get(&PaymentId(uuid))),
                UserPayment::TYPE => {
                    insert(work, &stream, self.user_payments.get(&UserPaymentId(uuid)));
                }
                Member::TYPE => insert(work, &stream, self.members.get(&MemberId(uuid))),
                Coupon::KIND => insert(work, &stream, self.coupons.get(&CouponId(uuid))),
                other => panic!("{other}"),
            }
        }
        work.load_rest_empty();
    }

    /// Creates the initial members, products, stock, points and coupons.
    pub async fn open(&mut self) {
        for _ in 0..4 {
            self.join().await;
        }
        for _ in 0..3 {
            self.add_category().await;
        }
        self.add_shipping().await;
        for _ in 0..5 {
            self.add_product().await;
        }
        for _ in 0..3 {
            self.add_coupon().await;
        }
        for _ in 0..4 {
            self.grant().await;
            self.issue().await;
            self.issue().await;
        }
    }

    pub async fn live(&mut self, deeds: usize) {
        for _ in 0..deeds {
            self.deed().await;
        }
    }

    /// Runs until all these events have occurred.
    pub async fn live_to_see(&mut self, names: &[&str]) {
        let unseen = |shop: &Self| -> Vec<String> {
            let unseen = names.iter().filter(|name| !shop.seen.contains(**name));
            unseen.map(ToString::to_string).collect()
        };
        self.live_until(unseen).await;
    }

    /// Runs until a claim waits for its answer.
    pub async fn live_to_be_asked(&mut self) {
        let is_asked = |order: &Order| {
            let mut all = order.purchases.iter();
            all.any(|one| order.pending_claim(one).is_some())
        };
        self.live_until(|shop| match shop.orders.values().any(is_asked) {
            true => vec![],
            false => vec!["a claim".to_owned()],
        })
        .await;
    }

    /// Runs until nothing is missing any more.
    pub async fn live_until(&mut self, missing: impl Fn(&Self) -> Vec<String>) {
        for _ in 0..10_000 {
            if missing(self).is_empty() {
                return;
            }
            self.deed().await;
        }
        panic!("never happened: {:?}", missing(self));
    }

    /// Runs orders and claims, without answering cancellations or making refunds, until nothing is missing any more.
    pub async fn claim_until(&mut self, missing: impl Fn(&Self) -> Vec<String>) {
        for _ in 0..5_000 {
            if missing(self).is_empty() {
                return;
            }
            self.now += Duration::minutes(self.random.below(9) as i64);
            match self.random.below(16) {
                0 | 1 => self.place().await,
                2 | 3 => self.pay().await,
                4..=8 => self.keep_order().await,
                9 | 10 => self.request_cancel().await,
                11 | 12 => self.request_return().await,
                _ => self.handle_return().await,
            }
        }
        panic!("never happened: {:?}", missing(self));
    }

    pub async fn deed(&mut self) {
        self.now += Duration::minutes(self.random.below(9) as i64);
        match self.random.below(70) {
            0 => self.join().await,
            1 => self.change_member().await,
            2 => self.add_product().await,
            3 | 4 => self.change_product().await,
            5 => self.change_tree().await,
            6 => self.add_shipping().await,
            7 => self.change_records().await,
            8 => self.add_coupon().await,
            9 | 10 => self.count().await,
            11 => {
                self.issue().await;
                self.change_coupon().await;
            }
            12 => self.limit().await,
            13 => self.grant().await,
            14 => self.expire().await,
            15..=21 => self.place().await,
            22..=28 => self.pay().await,
            29 => self.cancel_unpaid().await,
            30..=38 => self.keep_order().await,
            39..=41 => self.request_cancel().await,
            42..=44 => self.answer_cancel().await,
            45 | 46 => self.issue().await,
            47 => self.count().await,
            48 => self.change_records().await,
            49 => self.grant().await,
            50 => self.cancel_unpaid().await,
            51..=53 => self.request_return().await,
            54..=57 => self.handle_return().await,
            58..=61 => self.settle().await,
            62..=64 => self.request_exchange().await,
            _ => self.handle_exchange().await,
        }
        self.deeds += 1;
        if self.deeds.is_multiple_of(9) {
            self.talk().await;
        }
        if self.deeds.is_multiple_of(35) {
            self.correct_points().await;
        }
        if self.deeds.is_multiple_of(15) {
            self.grant_to_many().await;
        }
        if self.deeds.is_multiple_of(coupon_codes::MADE_EVERY) {
            self.make_codes().await;
        }
        if self.deeds.is_multiple_of(raffles::DRAWN_EVERY) {
            self.raffle_off().await;
        }
        if self.deeds.is_multiple_of(messages::MADE_EVERY) {
            self.send_message().await;
        }
        if self.deeds.is_multiple_of(sendings::ORDERED_EVERY) {
            self.send_to_many().await;
        }
        if self.deeds.is_multiple_of(40) {
            self.retry().await;
        }
        if self.deeds.is_multiple_of(25) {
            self.rename().await;
        }
        if self.deeds.is_multiple_of(orders::CORRECTED_EVERY) {
            self.correct().await;
        }
    }
}

/// The id within a stream's id; that of the member for points.
fn uuid_of(stream: &StreamRef) -> Uuid {
    let id = stream.id.split(':').next();
    // the site setting has a name
    id.and_then(|id| id.parse().ok()).unwrap_or_default()
}

fn insert<A: Decider>(work: &mut UnitOfWork, stream: &StreamRef, state: Option<&A>) {
    if let Some(state) = state {
        work.insert(&stream.id, state.clone(), 1);
    }
}

fn evolve<K: Ord, A: Decider>(states: &mut BTreeMap<K, A>, id: K, events: &[A::Event]) {
    if !events.is_empty() {
        let state = states.entry(id).or_default();
        events.iter().for_each(|event| state.apply(event.clone()));
    }
}

/// The shipping method of all products.
pub fn way() -> ShippingOption {
    ShippingOption {
        name: "택배".to_owned(),
        charge_type: ChargeType::Fixed,
        fixed_amount: Amount::new(300),
        island: IslandFee::default(),
        service: ServiceFee::default(),
        ..ShippingOption::default()
    }
}
