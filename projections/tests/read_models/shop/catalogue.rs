//! Products, categories, shipping groups and other records.

use std::collections::BTreeSet;

use domain::Amount;
use domain::catalogue::tree::{CategoryFacts, CategoryTreeCommand, STREAM_ID, Visual};
use domain::catalogue::{
    BundledPart, Discount, OptionsConf, Picture, Product, ProductOption, ProductType, Seo,
    ValueUnit, Variation,
};
use domain::ids::{CategoryId, MemberId, ProductId, ShippingId, StockId};
use domain::record::{Record, RecordCommand};
use domain::review::ReviewPoints;
use domain::shipping::{Area, Island, ShippingGroup};
use domain::site::{Company, Currency, Level, LevelCriteria, PointsRules, SiteSetting};
use domain::stock::StockCommand;
use time::Duration;
use uuid::Uuid;

use super::{Shop, keys, way};

impl Shop {
    pub(super) fn product(&mut self) -> Product {
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
                code: None,
                image: None,
            })
            .collect();
        let mut seller = self.random.pick(&keys(&self.members)).unwrap();
        let bundleds: Vec<BundledPart> = if kind == ProductType::NormalProduct {
            vec![]
        } else {
            let first = self.random.pick(&inside).unwrap();
            seller = first.1.seller;
            // some sets are mixed: created by an older shop, and hidden
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
            choicees: vec![],
            supplies: vec![],
            related_group_code: None,
            cost: None,
            sequence: 0,
            link: None,
            variation: Variation::default(),
            materials: vec![],
            nutritions: vec![],
            size: None,
            origin: None,
            manufacturer: None,
            shipping: None,
            seo: Seo::default(),
        }
    }

    /// Whether it contains another seller's product.
    fn is_mixed(&self, seller: MemberId, parts: &[BundledPart]) -> bool {
        let others = |part: &BundledPart| {
            let record = self.products.get(&part.product);
            let document = record.and_then(|record| record.document.as_ref());
            document.is_some_and(|part| part["_seller"] != serde_json::json!(seller))
        };
        parts.iter().any(others)
    }

    /// Whether a set contains it, even a removed one, which may be restored.
    fn is_part(&self, id: ProductId) -> bool {
        let sets = self.products.values();
        let mut sets = sets.filter_map(|record| record.document.as_ref());
        sets.any(|set| {
            let parts = set.get("bundleds").and_then(|parts| parts.as_array());
            let id = serde_json::json!(id);
            parts.is_some_and(|parts| parts.iter().any(|part| part["_product"] == id))
        })
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

    pub(super) async fn change_product(&mut self) {
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

    pub(super) async fn add_category(&mut self) {
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

    pub(super) async fn change_tree(&mut self) {
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

    /// Moves a category to an unused index.
    pub async fn move_category(&mut self) {
        if self.tree.categories.is_empty() {
            self.add_category().await;
        }
        let category = self.tree.categories[0].id;
        let act = CategoryTreeCommand::Move {
            category,
            parent: None,
            index: 77,
        };
        let mut tree = std::mem::take(&mut self.tree);
        self.act(STREAM_ID, &mut tree, act).await;
        self.tree = tree;
    }

    pub(super) async fn add_shipping(&mut self) {
        let id: ShippingId = self.id();
        let seller = self.random.pick(&keys(&self.members)).unwrap();
        let group = ShippingGroup {
            name: format!("배송 {}", self.ids),
            seller,
            is_default: self.random.one_in(2),
            is_active: !self.random.one_in(4),
            target_type: None,
            starts_at: None,
            ends_at: self
                .random
                .one_in(3)
                .then(|| self.now + Duration::days(1 + self.random.below(9) as i64)),
            products: vec![],
            categories: vec![],
            brands: vec![],
            options: vec![way()],
            methods: vec![],
            regions: vec![],
            warehouse: None,
        };
        let mut record = Record::default();
        self.record(id, &mut record, RecordCommand::Create(Box::new(group)))
            .await;
        self.shippings.insert(id, record);
    }

    /// Renames a shipping group of a seller with products.
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

    pub(super) async fn change_records(&mut self) {
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
                    auto_deliver_days: 2,
                    recharges_fares: true,
                    review_points: ReviewPoints::default(),
                    points: PointsRules::default(),
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
                    scope: vec![],
                    criteria: LevelCriteria::default(),
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
}
