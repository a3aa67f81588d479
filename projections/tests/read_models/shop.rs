//! A shop that lives in the log: people do random things, the ledgers of `domain` decide, and what they decide is appended.

use std::collections::{BTreeMap, BTreeSet};

use cqrs_es::Aggregate;
use domain::catalogue::tree::{
    CategoryFacts, CategoryTree, CategoryTreeCommand, STREAM_ID, Visual,
};
use domain::catalogue::{
    BundledPart, Discount, OptionsConf, Picture, Product, ProductOption, ProductType, Seo,
    ValueUnit,
};
use domain::checkout::{self, CancelRequest, CheckoutError};
use domain::coupon::{
    Campaign, CampaignCommand, Coupon, IssueRule, IssuedCoupon, IssuedCouponCommand, ShopLimit,
    Stage, UsageLimit, UsageRule,
};
use domain::deadline::{self, Deadline, DeadlineCommand, Refusal};
use domain::ids::{
    CategoryId, ClaimId, CouponId, IssuedCouponId, LotId, MemberId, OptionId, OrderId, PaymentId,
    ProductId, RefundId, ShippingId, StockId,
};
use domain::inquire::{AnswerState, Inquire};
use domain::member::{
    AccessLevel, Dealings, LeavingReason, LeavingWish, Member, MemberCommand, MemberType, Profile,
    Scope,
};
use domain::order::{
    Buyer, CancelReason, CanceledBy, ClaimState, Order, OrderCommand, OrderTerms, PaymentMethod,
    Reader, number,
};
use domain::payment::{
    Doubt, Payment, PaymentCommand, PaymentStage, RefundStage, Started, VirtualAccount,
};
use domain::personal::Party;
use domain::points::{Points, PointsCommand, stream_id};
use domain::pricing::{CouponToUse, Line, Request, quote};
use domain::record::{Record, RecordCommand, Resource};
use domain::review::{Review, ReviewPoints};
use domain::rounding::RoundingStep;
use domain::shipping::{
    Area, ChargeType, Island, IslandFee, ServiceFee, ShippingGroup, ShippingOption,
};
use domain::site::{Company, Currency, Level, SiteSetting};
use domain::stock::{Stock, StockCommand};
use domain::storefront::{Brand, Label};
use domain::unit_of_work::{StreamRef, UnitOfWork};
use domain::{Actor, Amount, Context, Decider, Purpose, Sealed};
use event_store::{Append, Expected, Metadata, Store, StreamAppend, StreamId};
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// Small numbers that look random and are the same every time (xorshift).
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

/// What one decision writes.
#[derive(Default)]
struct Draft(Vec<StreamAppend>);

pub struct Shop {
    pub store: Store,
    pub random: Random,
    /// What people say, by chance.
    talking: Random,
    deeds: u32,
    pub now: OffsetDateTime,
    /// Who does what is done now.
    actor: Actor,
    ids: u128,
    versions: BTreeMap<StreamId, u64>,
    pub last_position: i64,
    /// Which events happened.
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
    pub retried: BTreeMap<String, Deadline>,
    pub points: BTreeMap<MemberId, Points>,
    pub orders: BTreeMap<OrderId, Order>,
    pub payments: BTreeMap<PaymentId, Payment>,
    pub reviews: BTreeMap<Uuid, Record<Review>>,
    pub inquires: BTreeMap<Uuid, Record<Inquire>>,
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
            points: BTreeMap::new(),
            orders: BTreeMap::new(),
            payments: BTreeMap::new(),
            reviews: BTreeMap::new(),
            inquires: BTreeMap::new(),
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

    /// One ledger decides and its events are appended; a refusal writes nothing.
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
        act: RecordCommand<R>,
    ) {
        self.act(id, record, act).await;
    }

    /// Makes a decision over many streams and writes it, unless it is refused.
    async fn decide(&mut self, decide: impl Fn(&mut UnitOfWork) -> Result<(), CheckoutError>) {
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
                Payment::TYPE => self.stage::<Payment>(&mut draft, id, work.events::<Payment>(id)),
                _ => {}
            }
        }
        self.write(draft).await;
        for stream in streams {
            let (id, uuid) = (stream.id.as_str(), uuid_of(&stream));
            match stream.kind {
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
                _ => {}
            }
        }
    }

    /// Loads the streams a decision named.
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
                Payment::TYPE => insert(work, &stream, self.payments.get(&PaymentId(uuid))),
                Member::TYPE => insert(work, &stream, self.members.get(&MemberId(uuid))),
                other => panic!("{other}"),
            }
        }
        work.load_rest_empty();
    }

    /// Members, products, stock, points and coupons to begin with.
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

    /// Lives until all these events have happened.
    pub async fn live_to_see(&mut self, names: &[&str]) {
        for _ in 0..5_000 {
            if names.iter().all(|name| self.seen.contains(*name)) {
                return;
            }
            self.deed().await;
        }
        panic!(
            "never happened: {:?}",
            names
                .iter()
                .filter(|name| !self.seen.contains(**name))
                .collect::<Vec<_>>()
        );
    }

    pub async fn deed(&mut self) {
        self.now += Duration::minutes(self.random.below(9) as i64);
        match self.random.below(55) {
            0 => self.join().await,
            1 => self.change_member().await,
            2 => self.add_product().await,
            3 | 4 => self.change_product().await,
            5 => self.change_tree().await,
            6 => self.add_shipping().await,
            7 => self.change_records().await,
            8 => self.add_coupon().await,
            9 | 10 => self.count().await,
            11 => self.issue().await,
            12 => self.limit().await,
            13 => self.grant().await,
            14 => self.expire().await,
            15..=21 => self.place().await,
            22..=28 => self.pay().await,
            29 => self.cancel_unpaid().await,
            30..=38 => self.keep_order().await,
            39..=41 => self.request_cancel().await,
            42..=44 => self.answer_claim().await,
            45 | 46 => self.issue().await,
            47 => self.count().await,
            48 => self.change_records().await,
            49 => self.grant().await,
            50 => self.cancel_unpaid().await,
            _ => self.settle().await,
        }
        self.deeds += 1;
        if self.deeds.is_multiple_of(9) {
            self.talk().await;
        }
        if self.deeds.is_multiple_of(40) {
            self.retry().await;
        }
        if self.deeds.is_multiple_of(25) {
            self.rename().await;
        }
    }

    /// Two brands take turns with their codes, each in its time going by what the other gave up. No dice: it changes nothing of what
    /// others do.
    async fn rename(&mut self) {
        let turn = u128::from(self.deeds) / 25;
        let id = Uuid::from_u128(0xB4A2_0000 + turn % 2);
        let mut record = self.brands.remove(&id).unwrap_or_default();
        let brand = Brand {
            code: format!("brand-{}", turn % 5),
            name: "바람".to_owned(),
            name_en: None,
            initial: None,
            label: Label::default(),
            desc: String::new(),
            categories: Vec::new(),
            index: 0,
            shows: true,
        };
        let act = match record.document {
            None => RecordCommand::Create(Box::new(brand)),
            Some(_) => RecordCommand::Revise(Box::new(brand)),
        };
        self.record(id, &mut record, act).await;
        self.brands.insert(id, record);
    }

    /// People talk beside their deeds, and pay what needs no money any more, by numbers of their own: it changes nothing of
    /// what they do.
    async fn talk(&mut self) {
        let ids = self.ids;
        self.ids = (ids & !0xFFFF_FFFF) | 0x8000_0000 | u128::from(self.deeds) << 4;
        std::mem::swap(&mut self.random, &mut self.talking);
        match self.random.below(5) {
            4 => self.forget_guest().await,
            0 => self.review().await,
            1 => self.inquire().await,
            2 => self.deposit_astray().await,
            _ => self.answer().await,
        }
        std::mem::swap(&mut self.random, &mut self.talking);
        self.ids = ids;
    }

    pub async fn join(&mut self) {
        let id: MemberId = self.id();
        let mut member = Member::default();
        let (member_type, level, scopes) = match self.random.below(3) {
            0 => (
                MemberType::Company,
                AccessLevel::Company,
                vec![Scope::Company],
            ),
            1 => (
                MemberType::Operator,
                AccessLevel::Admin,
                vec![Scope::Console, Scope::Company],
            ),
            _ => (MemberType::Person, AccessLevel::Person, vec![]),
        };
        let act = MemberCommand::Join {
            member_type,
            level,
            scopes,
            profile: sealed::<Profile>(id.0, Purpose::Profile),
            terms: vec![],
        };
        self.act(id, &mut member, act).await;
        self.members.insert(id, member);
    }

    async fn change_member(&mut self) {
        let Some(id) = self.random.pick(&keys(&self.members)) else {
            return;
        };
        let mut member = self.members.remove(&id).unwrap();
        let act = match self.random.below(13) {
            _ if member.left => MemberCommand::EraseStatutoryData { last: None },
            0..=3 => MemberCommand::ReviseProfile {
                profile: Sealed::from_parts(id.0, Purpose::Profile, format!("bmV3{}", self.ids)),
            },
            4..=7 => MemberCommand::AssignLevel {
                code: format!("level-{}", self.random.below(3)),
            },
            8..=10 => MemberCommand::ChangeScopes {
                scopes: vec![Scope::Company],
                level: AccessLevel::Company,
            },
            11 => MemberCommand::HandIn {
                document: self.id(),
                content_type: "application/pdf".to_owned(),
                size: 48_213,
            },
            _ => MemberCommand::Leave {
                reason: Some(LeavingReason::Other),
                wish: LeavingWish::Operators,
                dealings: Dealings {
                    under_way: 0,
                    last: Some(self.now - Duration::days(6 * 366)),
                },
            },
        };
        self.act(id, &mut member, act).await;
        self.members.insert(id, member);
    }

    fn product(&mut self) -> Product {
        let names = [
            "전기 자전거",
            "로드 자전거 100%",
            "킥보드",
            "Helmet_X",
            "주스 세트",
        ];
        let id = self.ids;
        let inside: Vec<(ProductId, Product)> = self
            .products
            .iter()
            .filter_map(|(id, record)| Some((*id, record.data().ok()?)))
            .filter(|(_, product)| product.kind == ProductType::NormalProduct)
            .collect();
        let kind = match self.random.below(5) {
            0 if !inside.is_empty() => ProductType::ProductBundle,
            1 if !inside.is_empty() => ProductType::VarietyBundle,
            _ => ProductType::NormalProduct,
        };
        let has_options = kind == ProductType::NormalProduct && self.random.one_in(2);
        let options = (0..if has_options { 3 } else { 0 })
            .map(|place| ProductOption {
                id: self.id(),
                hexa: self.random.one_in(2).then(|| "#ff0000".to_owned()),
                name: "색상".to_owned(),
                value: format!("색 {place}"),
                price: Amount::new(place * 50),
                enabled: place < 2,
            })
            .collect();
        let mut seller = self.random.pick(&keys(&self.members)).unwrap();
        let bundleds: Vec<BundledPart> = if kind == ProductType::NormalProduct {
            vec![]
        } else {
            let first = self.random.pick(&inside).unwrap();
            seller = first.1.seller;
            // some sets are mixed: an older shop made them, and took them off the shelf
            let mixed = self.random.one_in(4);
            let mut others = inside.clone();
            others.retain(|(id, other)| *id != first.0 && (mixed || other.seller == seller));
            let second = self.random.pick(&others);
            [Some(first), second]
                .into_iter()
                .flatten()
                .map(|(product, of)| BundledPart {
                    product,
                    option: of.options.first().map(|option| option.id),
                    quantity: 1 + self.random.below(2) as u32,
                })
                .collect()
        };
        let codes: Vec<String> = self
            .tree
            .categories
            .iter()
            .map(|one| one.code.clone())
            .collect();
        Product {
            code: format!("P-{id:x}"),
            name: self.random.pick(&names).unwrap().to_owned(),
            kind,
            seller,
            price: Amount::new(500 + self.random.below(90_000) as i64),
            discount: self.random.one_in(2).then(|| Discount {
                unit: ValueUnit::Percent,
                value: self.random.below(60) as i64,
                limit: self.random.one_in(2).then_some(Amount::new(1_000)),
            }),
            options_conf: OptionsConf {
                enabled: has_options,
                sort: None,
                criteria: vec!["색상".to_owned()],
            },
            options,
            shows: !self.random.one_in(6) && !self.is_mixed(seller, &bundleds),
            bundleds,
            categories: self.random.pick(&codes).into_iter().collect(),
            brand: self.random.one_in(2).then(|| "samchuly".to_owned()),
            desc: "설명".to_owned(),
            content: "<p>본문</p>".to_owned(),
            thumb: Picture::default(),
            images: vec![],
            index: 0,
            hashtags: vec!["출퇴근".to_owned()],
            flags: vec![],
            groups: vec![],
            relateds: vec![],
            related_group_code: None,
            size: None,
            origin: None,
            manufacturer: None,
            shipping: None,
            seo: Seo::default(),
        }
    }

    /// Another seller's product is in it.
    fn is_mixed(&self, seller: MemberId, parts: &[BundledPart]) -> bool {
        let others = |part: &BundledPart| {
            let record = self.products.get(&part.product);
            let document = record.and_then(|record| record.document.as_ref());
            document.is_some_and(|part| part["_seller"] != serde_json::json!(seller))
        };
        parts.iter().any(others)
    }

    /// A set names it.
    fn is_part(&self, id: ProductId) -> bool {
        let sets = self.products.values();
        let mut sets = sets.filter_map(|record| record.data().ok());
        sets.any(|set: Product| set.bundleds.iter().any(|part| part.product == id))
    }

    pub async fn add_product(&mut self) {
        let id: ProductId = self.id();
        let product = self.product();
        let mut record = Record::default();
        let act = RecordCommand::Create(Box::new(product.clone()));
        self.record(id, &mut record, act).await;
        self.products.insert(id, record);
        for stock in product.stock_ids(id) {
            let quantity = 3 + self.random.below(20) as u32;
            self.count_to(stock, id, quantity).await;
        }
    }

    async fn change_product(&mut self) {
        let Some(id) = self.random.pick(&keys(&self.products)) else {
            return;
        };
        let mut record = self.products.remove(&id).unwrap();
        let act = match (record.data(), self.random.below(6)) {
            (Ok(_), 0) => RecordCommand::Remove,
            (Ok(mut product), pick) => {
                match pick {
                    1 => {
                        let mixed = self.is_mixed(product.seller, &product.bundleds);
                        product.shows = !product.shows && !mixed;
                    }
                    2 => product.name = "새 이름".to_owned(),
                    3 if product.bundleds.is_empty() && !self.is_part(id) => {
                        product.seller = self.random.pick(&keys(&self.members)).unwrap();
                    }
                    4 => {
                        for option in &mut product.options {
                            option.enabled = !option.enabled;
                        }
                    }
                    _ => product.price = Amount::new(700 + self.random.below(9_000) as i64),
                }
                RecordCommand::Revise(Box::new(product))
            }
            (Err(_), _) => RecordCommand::Restore(record.document.clone().unwrap()),
        };
        self.record(id, &mut record, act).await;
        self.products.insert(id, record);
    }

    async fn count_to(&mut self, stock: StockId, product: ProductId, quantity: u32) {
        let mut ledger = self.stock.remove(&stock).unwrap_or_default();
        let act = StockCommand::Count { product, quantity };
        self.act(stock, &mut ledger, act).await;
        self.stock.insert(stock, ledger);
    }

    pub async fn count(&mut self) {
        let Some(stock) = self.random.pick(&keys(&self.stock)) else {
            return;
        };
        let product = self.stock.get(&stock).unwrap().product.unwrap();
        let quantity = self.random.below(40) as u32;
        self.count_to(stock, product, quantity).await;
    }

    async fn add_category(&mut self) {
        let mut tree = std::mem::take(&mut self.tree);
        let ids: Vec<CategoryId> = tree.categories.iter().map(|one| one.id).collect();
        let category: CategoryId = self.id();
        let act = CategoryTreeCommand::Add {
            category,
            code: format!("cat-{:x}", self.ids & 0xffff),
            parent: self.random.pick(&ids),
            index: self.random.below(5) as i32,
            facts: CategoryFacts {
                name: "자전거류".to_owned(),
                visual: Visual::default(),
                brands: vec![],
                shows: !self.random.one_in(5),
            },
        };
        self.act(STREAM_ID, &mut tree, act).await;
        self.tree = tree;
    }

    async fn change_tree(&mut self) {
        let ids: Vec<CategoryId> = self.tree.categories.iter().map(|one| one.id).collect();
        let Some(category) = self.random.pick(&ids) else {
            return self.add_category().await;
        };
        let act = match self.random.below(6) {
            0 => CategoryTreeCommand::Remove { category },
            1 => CategoryTreeCommand::Revise {
                category,
                facts: CategoryFacts {
                    name: format!("이름 {}", self.ids),
                    ..CategoryFacts::default()
                },
            },
            2 | 3 => CategoryTreeCommand::Move {
                category,
                parent: self.random.pick(&ids).filter(|parent| *parent != category),
                index: self.random.below(9) as i32,
            },
            _ => return self.add_category().await,
        };
        let mut tree = std::mem::take(&mut self.tree);
        self.act(STREAM_ID, &mut tree, act).await;
        self.tree = tree;
    }

    async fn add_shipping(&mut self) {
        let id: ShippingId = self.id();
        let seller = self.random.pick(&keys(&self.members)).unwrap();
        let group = ShippingGroup {
            name: format!("배송 {}", self.ids),
            seller,
            is_default: self.random.one_in(2),
            is_active: !self.random.one_in(4),
            starts_at: None,
            ends_at: self
                .random
                .one_in(3)
                .then(|| self.now + Duration::days(1 + self.random.below(9) as i64)),
            products: vec![],
            categories: vec![],
            brands: vec![],
            options: vec![way()],
            warehouse: None,
        };
        let mut record = Record::default();
        self.record(id, &mut record, RecordCommand::Create(Box::new(group)))
            .await;
        self.shippings.insert(id, record);
    }

    /// A shipping group of somebody who sells something gets another name.
    pub async fn rename_shipping(&mut self) {
        let sellers: BTreeSet<MemberId> = self
            .products
            .values()
            .filter_map(|product| Some(product.data().ok()?.seller))
            .collect();
        let found = self.shippings.iter().find_map(|(id, record)| {
            let group = record.data().ok()?;
            sellers.contains(&group.seller).then_some((*id, group))
        });
        let (id, mut group) = found.unwrap();
        let mut record = self.shippings.remove(&id).unwrap();
        group.name = format!("바뀐 {}", self.ids);
        self.record(id, &mut record, RecordCommand::Revise(Box::new(group)))
            .await;
        self.shippings.insert(id, record);
    }

    async fn change_records(&mut self) {
        match self.random.below(5) {
            0 => {
                let Some(id) = self.random.pick(&keys(&self.shippings)) else {
                    return;
                };
                let mut record = self.shippings.remove(&id).unwrap();
                let act = match record.data() {
                    Ok(_) if self.random.one_in(2) => RecordCommand::Remove,
                    Ok(mut group) => {
                        group.name = format!("바뀐 {}", self.ids);
                        RecordCommand::Revise(Box::new(group))
                    }
                    Err(_) => RecordCommand::Restore(record.document.clone().unwrap()),
                };
                self.record(id, &mut record, act).await;
                self.shippings.insert(id, record);
            }
            1 => {
                let id: Uuid = self.id();
                let mut record = Record::<Island>::default();
                let island = Island {
                    name: "울릉".to_owned(),
                    starts: "40200".to_owned(),
                    ends: "40240".to_owned(),
                    area: Area::Island,
                };
                self.record(id, &mut record, RecordCommand::Create(Box::new(island)))
                    .await;
                if self.random.one_in(2) {
                    let mut island: Island = record.data().unwrap();
                    island.ends = "40299".to_owned();
                    self.record(id, &mut record, RecordCommand::Revise(Box::new(island)))
                        .await;
                    self.record(id, &mut record, RecordCommand::Remove).await;
                }
                self.islands.insert(id, record);
            }
            2 => {
                let mut record = self.settings.remove("main").unwrap_or_default();
                let setting = SiteSetting {
                    name: format!("장부 {}", self.ids),
                    currency: Currency::default(),
                    unpaid_deadline_minutes: 60,
                    auto_confirm_days: 7,
                    review_points: ReviewPoints::default(),
                    company: Company::default(),
                };
                let act = if record.document.is_some() && self.random.one_in(3) {
                    RecordCommand::Remove
                } else if record.removed || record.document.is_none() {
                    match record.document.clone() {
                        Some(document) => RecordCommand::Restore(document),
                        None => RecordCommand::Create(Box::new(setting)),
                    }
                } else {
                    RecordCommand::Revise(Box::new(setting))
                };
                self.record("main", &mut record, act).await;
                self.settings.insert("main".to_owned(), record);
            }
            _ => {
                let id: Uuid = self.id();
                let mut record = Record::default();
                let level = Level {
                    code: format!("level-{}", self.random.below(3)),
                    name: "단골".to_owned(),
                    index: 1,
                    is_active: true,
                    is_welcome: false,
                    discount: None,
                    points_percent: 1,
                };
                self.record(
                    id,
                    &mut record,
                    RecordCommand::Create(Box::new(level.clone())),
                )
                .await;
                let revised = Level { index: 2, ..level };
                self.record(id, &mut record, RecordCommand::Revise(Box::new(revised)))
                    .await;
                if self.random.one_in(2) {
                    self.record(id, &mut record, RecordCommand::Remove).await;
                }
                self.levels.insert(id, record);
            }
        }
    }

    /// Somebody says something about a product, or takes it back; staff may take it away.
    async fn review(&mut self) {
        let product = self.random.pick(&keys(&self.products)).unwrap();
        let user = self.random.pick(&keys(&self.members)).unwrap();
        let known = self.random.pick(&keys(&self.reviews));
        let id: Uuid = match known {
            Some(id) if self.random.one_in(2) => id,
            _ => self.id(),
        };
        let mut record = self.reviews.remove(&id).unwrap_or_default();
        let pictures = self.random.below(3);
        let review = Review {
            user,
            seller: user,
            product,
            purchase: format!("{}-1", id.simple()),
            name: "사과 한 상자".to_owned(),
            option_name: None,
            star: u8::try_from(1 + self.random.below(5)).unwrap(),
            subject: "아삭합니다".to_owned(),
            content: "또 사겠습니다.".to_owned(),
            images: vec![
                Picture {
                    url: "/files/a.webp".to_owned(),
                    alt: None
                };
                pictures
            ],
            reply: String::new(),
            is_best: self.random.one_in(4),
            shows: !self.random.one_in(5),
        };
        let act = match (&record.document, record.removed) {
            (None, _) => RecordCommand::Create(Box::new(review)),
            (Some(document), true) => RecordCommand::Restore(document.clone()),
            (Some(_), false) if self.random.one_in(3) => RecordCommand::Remove,
            (Some(document), false) => {
                let mut document = document.clone();
                document.insert("star".to_owned(), review.star.into());
                document.insert("shows".to_owned(), review.shows.into());
                RecordCommand::Patch(document)
            }
        };
        if self.random.one_in(2) {
            self.actor = Actor::Operator { id: user };
        }
        self.record(id, &mut record, act).await;
        self.actor = Actor::System;
        self.reviews.insert(id, record);
    }

    /// Somebody asks something, or takes it back.
    async fn inquire(&mut self) {
        let product = self.random.pick(&keys(&self.products)).unwrap();
        let user = self.random.pick(&keys(&self.members)).unwrap();
        let known = self.random.pick(&keys(&self.inquires));
        let id: Uuid = match known {
            Some(id) if self.random.one_in(3) => id,
            _ => self.id(),
        };
        let mut record = self.inquires.remove(&id).unwrap_or_default();
        let act = match (&record.document, record.removed) {
            (None, _) => RecordCommand::Create(Box::new(Inquire {
                user,
                seller: user,
                product,
                name: "사과 한 상자".to_owned(),
                question: sealed(user.0, Purpose::Profile),
                secret: self.random.one_in(2),
                reply: String::new(),
                state: AnswerState::AnswerAwaiting,
            })),
            (Some(document), true) => RecordCommand::Restore(document.clone()),
            (Some(_), false) => RecordCommand::Remove,
        };
        self.record(id, &mut record, act).await;
        self.inquires.insert(id, record);
    }

    /// The shop answers, or takes its answer back.
    async fn answer(&mut self) {
        let reply = if self.random.one_in(4) {
            String::new()
        } else {
            format!("감사합니다 {}", self.ids)
        };
        if let Some(id) = self.random.pick(&keys(&self.reviews)) {
            let mut record = self.reviews.remove(&id).unwrap();
            let fields = serde_json::json!({"reply": reply});
            let fields = fields.as_object().unwrap().clone();
            self.record(id, &mut record, RecordCommand::Patch(fields))
                .await;
            self.reviews.insert(id, record);
        }
        if let Some(id) = self.random.pick(&keys(&self.inquires)) {
            let mut record = self.inquires.remove(&id).unwrap();
            let fields = serde_json::json!({"reply": reply, "state": AnswerState::of(&reply)});
            let fields = fields.as_object().unwrap().clone();
            self.record(id, &mut record, RecordCommand::Patch(fields))
                .await;
            self.inquires.insert(id, record);
        }
    }

    async fn add_coupon(&mut self) {
        let id: CouponId = self.id();
        let mut record = Record::<Coupon>::default();
        let (stage, unit, value) = match self.random.below(3) {
            0 => (Stage::Product, ValueUnit::Percent, 10),
            1 => (Stage::Fare, ValueUnit::Percent, 100),
            _ => (Stage::Total, ValueUnit::Amount, 333),
        };
        let limited = self.random.one_in(2);
        let coupon = Coupon {
            issuer: None,
            seller: None,
            name: format!("쿠폰 {}", self.ids),
            unit,
            value,
            limit: None,
            share: None,
            count: 1,
            issue: IssueRule {
                is_active: true,
                ..IssueRule::default()
            },
            usage: UsageRule {
                stage,
                target: Default::default(),
                limit: UsageLimit {
                    shop: ShopLimit {
                        count_sum: limited.then_some(2),
                        price_sum: None,
                    },
                    ..UsageLimit::default()
                },
                starts_at: None,
                ends_at: self
                    .random
                    .one_in(2)
                    .then(|| self.now + Duration::days(self.random.below(9) as i64)),
                is_active: true,
                combinable: true,
            },
            on_console: true,
            on_display: true,
        };
        self.record(id, &mut record, RecordCommand::Create(Box::new(coupon)))
            .await;
        if self.random.one_in(4) {
            let mut coupon: Coupon = record.data().unwrap();
            coupon.on_display = false;
            self.record(id, &mut record, RecordCommand::Revise(Box::new(coupon)))
                .await;
            if self.random.one_in(2) {
                self.record(id, &mut record, RecordCommand::Remove).await;
            }
        }
        self.coupons.insert(id, record);
        if limited {
            let act = CampaignCommand::Limit {
                draws: None,
                uses: Some(2),
                amount: None,
            };
            self.campaign(id, act).await;
        }
    }

    async fn campaign(&mut self, id: CouponId, act: CampaignCommand) -> bool {
        let mut campaign = self.campaigns.remove(&id).unwrap_or_default();
        let did = self.act(id, &mut campaign, act).await;
        self.campaigns.insert(id, campaign);
        did
    }

    async fn limit(&mut self) {
        let Some(id) = self.random.pick(&keys(&self.campaigns)) else {
            return;
        };
        let act = CampaignCommand::Limit {
            draws: self.random.one_in(2).then_some(3),
            uses: Some(1 + self.random.below(9) as u32),
            amount: self.random.one_in(2).then_some(Amount::new(1_000)),
        };
        self.campaign(id, act).await;
    }

    /// Somebody has a refused deadline tried again; some of them a second time.
    async fn retry(&mut self) {
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

    pub async fn issue(&mut self) {
        let Some(coupon) = self.random.pick(&keys(&self.coupons)) else {
            return;
        };
        let Ok(definition) = self.coupons.get(&coupon).unwrap().data() else {
            return;
        };
        let member = self.random.pick(&keys(&self.members)).unwrap();
        let id: IssuedCouponId = self.id();
        if self.campaigns.contains_key(&coupon) {
            let drawn = self.issued.values().filter(|issued| {
                let held = issued.held.as_ref();
                held.is_some_and(|held| (held.coupon, held.member) == (coupon, member))
            });
            let act = CampaignCommand::Draw {
                issued: id,
                member,
                number: u32::try_from(drawn.count()).unwrap() + 1,
                per_member: None,
            };
            if !self.campaign(coupon, act).await {
                return;
            }
        }
        let mut issued = IssuedCoupon::default();
        let act = IssuedCouponCommand::Issue {
            coupon,
            member,
            terms: Box::new(definition.terms()),
        };
        self.act(id, &mut issued, act).await;
        self.issued.insert(id, issued);
    }

    pub async fn grant(&mut self) {
        let member = self.random.pick(&keys(&self.members)).unwrap();
        let lot: LotId = self.id();
        let order = self
            .random
            .pick(&keys(&self.orders))
            .filter(|_| self.ids.is_multiple_of(2));
        let act = PointsCommand::Grant {
            member,
            lot,
            amount: Amount::new(100 + self.random.below(5_000) as i64),
            reason: "가입을 환영합니다".to_owned(),
            order,
            expires_at: self.now + Duration::days(1 + self.random.below(300) as i64),
        };
        self.act_points(member, act).await;
    }

    async fn act_points(&mut self, member: MemberId, act: PointsCommand) {
        let mut points = self.points.remove(&member).unwrap_or_default();
        self.act(stream_id(member), &mut points, act).await;
        self.points.insert(member, points);
    }

    async fn expire(&mut self) {
        for member in keys(&self.points) {
            for lot in keys(&self.points.get(&member).unwrap().lots) {
                self.act_points(member, PointsCommand::Expire { lot }).await;
            }
        }
    }

    fn member_of(&self, order: OrderId) -> Option<MemberId> {
        match self.orders.get(&order).and_then(Order::buyer) {
            Some(Buyer::Member { id }) => Some(*id),
            _ => None,
        }
    }

    fn terms(&mut self, id: OrderId, member: Option<MemberId>) -> Option<OrderTerms> {
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
            .filter(|(_, issued)| issued.used_on.is_none())
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
            // points or a coupon that do not fit: without them
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

    fn some_order(&mut self) -> Option<OrderId> {
        // mostly recent ones, so that they get somewhere
        let all = keys(&self.orders);
        let recent = all.len().saturating_sub(12);
        if self.random.one_in(5) {
            self.random.pick(&all)
        } else {
            self.random.pick(&all[recent..])
        }
    }

    /// The number of the next attempt to pay an order.
    fn next_attempt(&self, order: OrderId) -> u32 {
        let of_order = |payment: &&Payment| {
            payment
                .started
                .as_ref()
                .is_some_and(|one| one.order == order)
        };
        1 + self.payments.values().filter(of_order).count() as u32
    }

    /// One attempt, to whatever end.
    async fn pay(&mut self) {
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
        // by its number and not by chance: what is paid, and when, is the same either way
        let by_deposit = attempt.is_multiple_of(2) || id.0.as_u128().is_multiple_of(4);
        let start = PaymentCommand::Start(Started {
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

    /// The account of an attempt, which the order waits for if it can.
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
        // given up, by its number and not by chance, too; a deposit may come all the same
        if (id.0.as_u128() / 4).is_multiple_of(2) {
            let end = OrderCommand::EndDepositWait { payment: id };
            self.act(order, &mut state, end).await;
        }
        self.orders.insert(order, state);
    }

    /// The account of an order that needs no money any more: closed, still closing, doubted, or paid into all the same.
    async fn deposit_astray(&mut self) {
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
        let start = PaymentCommand::Start(Started {
            order,
            order_no: terms.order_no,
            attempt,
            amount,
            method: PaymentMethod::Vbank,
            member: self.member_of(order),
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

    /// Approval and paid order in one append; money for an order that cannot take it goes back.
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

    async fn finish_refund(
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

    async fn cancel_unpaid(&mut self) {
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

    /// The law is done with a guest's order, as if it were years later.
    async fn forget_guest(&mut self) {
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

    async fn keep_order(&mut self) {
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
            },
            OrderCommand::Delay {
                purchase_no: purchase_no.clone(),
                reason: "눈".to_owned(),
            },
            OrderCommand::Deliver {
                purchase_no: purchase_no.clone(),
                auto_confirm_days: 3,
            },
            OrderCommand::Confirm { purchase_nos },
            OrderCommand::ConfirmByDate { purchase_no },
        ];
        // mostly on its way, now and then something that may be refused
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
            self.now += Duration::hours(self.random.below(50) as i64);
        }
        self.orders.insert(order, state);
    }

    async fn request_cancel(&mut self) {
        let Some(order) = self.some_order() else {
            return;
        };
        let state = self.orders.get(&order).unwrap().clone();
        let mut purchase_nos: Vec<String> = state
            .purchases
            .iter()
            .map(|purchase| purchase.purchase_no.clone())
            .collect();
        purchase_nos.truncate(1 + self.random.below(3));
        let by = self
            .random
            .pick(&[CanceledBy::Buyer, CanceledBy::Buyer, CanceledBy::Staff])
            .unwrap();
        let request = CancelRequest {
            claim: self.id(),
            refund: self.id(),
            purchase_nos,
            by,
            reason: match by {
                CanceledBy::Buyer => CancelReason::Sealed(sealed(order.0, Purpose::Statutory)),
                CanceledBy::Staff | CanceledBy::Deadline => CancelReason::said("재고 없음"),
            },
        };
        self.decide(|work| checkout::request_cancel(work, order, request.clone()))
            .await;
    }

    async fn answer_claim(&mut self) {
        let asked: Vec<(OrderId, ClaimId)> = self
            .orders
            .iter()
            .flat_map(|(order, state)| state.claims.iter().map(|claim| (*order, claim)))
            .filter(|(_, claim)| claim.state == ClaimState::Requested)
            .map(|(order, claim)| (order, claim.id))
            .collect();
        let Some((order, claim)) = self.random.pick(&asked) else {
            return;
        };
        let mut state = self.orders.get(&order).unwrap().clone();
        if self.random.one_in(2) {
            let act = OrderCommand::RejectCancel {
                claim,
                reason: "이미 포장함".to_owned(),
                by: Reader::Staff,
            };
            self.act(order, &mut state, act).await;
            self.orders.insert(order, state);
            return;
        }
        let refund: RefundId = self.id();
        let approval = checkout::CancelApproval {
            claim,
            refund,
            by: Reader::Staff,
        };
        self.decide(|work| checkout::approve_cancel(work, order, approval))
            .await;
    }

    /// Money of approved claims goes back; the claim is completed when it is there.
    async fn settle(&mut self) {
        let approved: Vec<(OrderId, ClaimId, RefundId, Amount)> = self
            .orders
            .iter()
            .flat_map(|(order, state)| state.claims.iter().map(|claim| (*order, claim)))
            .filter_map(|(order, claim)| match claim.state {
                ClaimState::Approved {
                    refund: Some(refund),
                } => Some((order, claim.id, refund, claim.refund.money)),
                _ => None,
            })
            .collect();
        let Some((order, claim, refund, amount)) = self.random.pick(&approved) else {
            return;
        };
        let paid = self.orders.get(&order).unwrap().paid;
        let Some(id) = paid.and_then(|paid| paid.payment) else {
            return;
        };
        let mut payment = self.payments.remove(&id).unwrap();
        assert_eq!(payment.stage, PaymentStage::Approved);
        let act = PaymentCommand::RequestRefund {
            refund,
            amount,
            reason: "취소".to_owned(),
        };
        self.act(id, &mut payment, act).await;
        let refused = payment
            .refund(refund)
            .is_ok_and(|refund| refund.stage == RefundStage::Refused);
        if !refused && self.finish_refund(id, &mut payment, refund, amount).await {
            let mut state = self.orders.remove(&order).unwrap();
            self.act(order, &mut state, OrderCommand::CompleteCancel { claim })
                .await;
            self.orders.insert(order, state);
        }
        self.payments.insert(id, payment);
    }
}

/// The id in a stream's id; that of the member for points.
fn uuid_of(stream: &StreamRef) -> Uuid {
    let id = stream.id.split(':').next();
    id.and_then(|id| id.parse().ok()).unwrap()
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

/// How everything travels.
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
