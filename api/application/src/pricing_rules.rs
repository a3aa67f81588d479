//! Cache of the records that prices depend on, validated against the log on every use.
//!
//! One query per request reads the versions of all of them; only outdated records are loaded again.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use domain::catalogue::Product;
use domain::catalogue::tree::{CategoryTree, STREAM_ID};
use domain::coupon::Coupon;
use domain::ids::{CouponId, MemberId, ProductId};
use domain::member::{Member, MemberType};
use domain::order::{OrderTerms, RuleVersion};
use domain::record::{Record, Resource};
use domain::rounding::RoundingStep;
use domain::shipping::{Area, Island, ShippingGroup, is_postcode};
use domain::site::{Currency, Level, PointsRules, SiteSetting};
use domain::storefront::ProductDisplay;
use domain::storefront::exhibition::Exhibition;
use event_store::{At, Store, StreamId};
use projections::products::with_ancestors;
use projections::records::TypedRecord;
use time::OffsetDateTime;

use crate::error::{AppError, AppResult};

/// Kinds whose records are all loaded, because any of them may affect any price.
const RULES: [&str; 7] = [
    ShippingGroup::KIND,
    Island::KIND,
    Level::KIND,
    SiteSetting::KIND,
    ProductDisplay::KIND,
    Exhibition::KIND,
    "category-tree",
];

type Heads = HashMap<StreamId, u64>;
/// A record at a version; none if it is removed.
type CachedRecord = (u64, Arc<dyn Any + Send + Sync>);

/// The cache; one for the whole program.
#[derive(Default)]
pub struct PricingRuleCache(Mutex<HashMap<StreamId, CachedRecord>>);

/// A record at a version.
#[derive(Clone, Debug)]
pub struct VersionedRecord<T> {
    /// The version.
    pub version: u64,
    /// The document.
    pub data: Arc<T>,
}

/// All records that the price of some products depends on, at one point in time.
#[derive(Clone, Debug)]
pub struct PricingRules {
    /// The requested products; removed and unknown ones are missing.
    pub products: BTreeMap<ProductId, VersionedRecord<Product>>,
    /// The parts of the sets among them; removed and unknown ones are missing.
    parts: BTreeMap<ProductId, VersionedRecord<Product>>,
    /// The shipping groups: all, or those in use ([`PricingRules::in_use_at`]).
    pub groups: Vec<TypedRecord<ShippingGroup>>,
    /// The category tree and its version.
    pub tree: VersionedRecord<CategoryTree>,
    /// The site setting, if it exists.
    pub setting: Option<SiteSetting>,
    islands: Vec<VersionedRecord<Island>>,
    levels: Vec<(String, VersionedRecord<Level>)>,
    displays: Vec<(String, VersionedRecord<ProductDisplay>)>,
    exhibitions: Vec<(String, VersionedRecord<Exhibition>)>,
}

impl PricingRules {
    /// Removes the shipping groups that are not in use at this time.
    #[must_use]
    pub fn in_use_at(mut self, now: OffsetDateTime) -> Self {
        self.groups.retain(|group| group.data.is_used_at(now));
        self
    }

    /// The rules for using points.
    pub fn points(&self) -> PointsRules {
        let setting = self.setting.as_ref();
        setting.map(|setting| setting.points).unwrap_or_default()
    }

    /// The rounding step.
    pub fn step(&self) -> RoundingStep {
        step_of(self.setting.as_ref())
    }
}

/// The rounding step of the site setting.
fn step_of(setting: Option<&SiteSetting>) -> RoundingStep {
    let currency = setting.map(|setting| &setting.currency);
    currency.map(Currency::rounding).unwrap_or_default()
}

impl PricingRules {
    /// The records an order was priced with: each at the version stored in the order. None where one is not available.
    ///
    /// # Errors
    /// Database errors.
    pub async fn of_order(store: &Store, terms: &OrderTerms) -> AppResult<Option<Self>> {
        let mut rules = Self {
            products: BTreeMap::new(),
            parts: BTreeMap::new(),
            groups: Vec::new(),
            tree: VersionedRecord {
                version: 0,
                data: Arc::default(),
            },
            setting: None,
            islands: Vec::new(),
            levels: Vec::new(),
            displays: Vec::new(),
            exhibitions: Vec::new(),
        };
        for line in &terms.purchases {
            let id = line.product.to_string();
            match record_at::<Product>(store, &id, line.product_version).await? {
                Some(product) => rules.products.insert(line.product, product),
                None => return Ok(None),
            };
        }
        for rule in &terms.rules {
            let found = match rule.kind.as_str() {
                ShippingGroup::KIND => {
                    let group = record_at::<ShippingGroup>(store, &rule.id, rule.version).await?;
                    group.map(|group| {
                        rules.groups.push(TypedRecord {
                            id: rule.id.clone(),
                            version: i64::try_from(group.version).unwrap_or(i64::MAX),
                            data: ShippingGroup::clone(&group.data),
                        });
                    })
                }
                Level::KIND => record_at::<Level>(store, &rule.id, rule.version)
                    .await?
                    .map(|level| rules.levels.push((rule.id.clone(), level))),
                ProductDisplay::KIND => record_at::<ProductDisplay>(store, &rule.id, rule.version)
                    .await?
                    .map(|display| rules.displays.push((rule.id.clone(), display))),
                Exhibition::KIND => record_at::<Exhibition>(store, &rule.id, rule.version)
                    .await?
                    .map(|found| rules.exhibitions.push((rule.id.clone(), found))),
                "category-tree" => {
                    let at = At::Version(rule.version);
                    let tree = store.load_at::<CategoryTree>(&rule.id, at).await?;
                    rules.tree = VersionedRecord {
                        version: tree.version,
                        data: Arc::new(tree.state),
                    };
                    Some(())
                }
                _ => Some(()),
            };
            if found.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(rules))
    }

    /// The level an order was priced with; for rules loaded by [`PricingRules::of_order`].
    pub fn only_level(&self) -> Option<&Level> {
        self.levels.first().map(|(_, level)| &*level.data)
    }
}

/// The shipping groups an order was priced with, each at the version stored in the order.
///
/// # Errors
/// Database errors.
pub async fn shipping_groups_of(
    store: &Store,
    terms: &OrderTerms,
) -> AppResult<Vec<ShippingGroup>> {
    let mut groups = Vec::new();
    for rule in &terms.rules {
        if rule.kind == ShippingGroup::KIND
            && let Some(group) = record_at::<ShippingGroup>(store, &rule.id, rule.version).await?
        {
            groups.push(ShippingGroup::clone(&group.data));
        }
    }
    Ok(groups)
}

/// The membership level an order was placed with, at the version stored in the order.
///
/// # Errors
/// Database errors.
pub async fn level_at(store: &Store, level: &RuleVersion) -> AppResult<Option<Arc<Level>>> {
    let found = record_at::<Level>(store, &level.id, level.version).await?;
    Ok(found.map(|level| level.data))
}

/// A record at a version; none if it was removed then, or never had it.
pub(crate) async fn record_at<R>(
    store: &Store,
    id: &str,
    version: u64,
) -> AppResult<Option<VersionedRecord<R>>>
where
    R: Resource<Data = R>,
{
    let loaded = store.load_at::<Record<R>>(id, At::Version(version)).await?;
    if loaded.version != version || loaded.state.removed {
        return Ok(None);
    }
    Ok(Some(VersionedRecord {
        version,
        data: Arc::new(loaded.state.data()?),
    }))
}

fn streams_of(products: &[ProductId]) -> Vec<StreamId> {
    let products = products.iter();
    products
        .map(|id| StreamId::new(Product::KIND, id))
        .collect()
}

fn by_id(
    found: BTreeMap<String, VersionedRecord<Product>>,
) -> BTreeMap<ProductId, VersionedRecord<Product>> {
    let parsed = found.into_iter();
    parsed
        .filter_map(|(id, product)| Some((id.parse().ok()?, product)))
        .collect()
}

impl PricingRuleCache {
    /// The records that the price of these products depends on.
    ///
    /// # Errors
    /// Database errors.
    pub async fn rules(&self, store: &Store, products: &[ProductId]) -> AppResult<PricingRules> {
        let heads = store.heads(&RULES, &streams_of(products)).await?;
        let found = by_id(self.records::<Product>(store, &heads).await?);
        let parts: BTreeSet<ProductId> = found
            .values()
            .flat_map(|product| product.data.parts())
            .collect();
        let parts = match parts.is_empty() {
            true => BTreeMap::new(),
            false => self.products(store, &Vec::from_iter(parts)).await?,
        };
        let groups = self.records::<ShippingGroup>(store, &heads).await?;
        let settings = self.records::<SiteSetting>(store, &heads).await?;
        Ok(PricingRules {
            products: found,
            parts,
            groups: groups
                .into_iter()
                .map(|(id, group)| TypedRecord {
                    id,
                    version: i64::try_from(group.version).unwrap_or(i64::MAX),
                    data: ShippingGroup::clone(&group.data),
                })
                .collect(),
            tree: self.tree(store, &heads).await?,
            setting: settings
                .get("main")
                .map(|setting| SiteSetting::clone(&setting.data)),
            islands: self
                .records::<Island>(store, &heads)
                .await?
                .into_values()
                .collect(),
            levels: self
                .records::<Level>(store, &heads)
                .await?
                .into_iter()
                .collect(),
            displays: self
                .records::<ProductDisplay>(store, &heads)
                .await?
                .into_iter()
                .collect(),
            exhibitions: self
                .records::<Exhibition>(store, &heads)
                .await?
                .into_iter()
                .collect(),
        })
    }

    /// All coupons that are not removed.
    ///
    /// # Errors
    /// Database errors.
    pub async fn coupons(&self, store: &Store) -> AppResult<Vec<(CouponId, Arc<Coupon>)>> {
        let heads = store.heads(&[Coupon::KIND], &[]).await?;
        let coupons = self.records::<Coupon>(store, &heads).await?;
        let coupons = coupons.into_iter();
        coupons
            .map(|(id, coupon)| Ok((id.parse().map_err(AppError::internal)?, coupon.data)))
            .collect()
    }

    /// These products; removed and unknown ones are missing.
    ///
    /// # Errors
    /// Database errors.
    pub async fn products(
        &self,
        store: &Store,
        ids: &[ProductId],
    ) -> AppResult<BTreeMap<ProductId, VersionedRecord<Product>>> {
        let heads = store.heads(&[], &streams_of(ids)).await?;
        Ok(by_id(self.records::<Product>(store, &heads).await?))
    }

    /// The rounding step, for callers that need no other rule.
    ///
    /// # Errors
    /// Database errors.
    pub async fn step(&self, store: &Store) -> AppResult<RoundingStep> {
        let main = StreamId::new(SiteSetting::KIND, "main");
        let heads = store.heads(&[], &[main]).await?;
        let settings = self.records::<SiteSetting>(store, &heads).await?;
        Ok(step_of(settings.get("main").map(|setting| &*setting.data)))
    }

    /// The records of one kind that are not removed, by id.
    async fn records<R>(
        &self,
        store: &Store,
        heads: &Heads,
    ) -> AppResult<BTreeMap<String, VersionedRecord<R>>>
    where
        R: Resource<Data = R>,
    {
        let mut records = BTreeMap::new();
        for (stream, head) in heads.iter().filter(|(stream, _)| stream.kind == R::KIND) {
            let (version, kept) = match self.cached::<Option<Arc<R>>>(stream, *head) {
                Some(kept) => (*head, kept),
                None => {
                    let loaded = store.load::<Record<R>>(&stream.id).await?;
                    let data = match loaded.state.removed {
                        true => None,
                        false => Some(Arc::new(loaded.state.data()?)),
                    };
                    (loaded.version, self.keep(stream, loaded.version, data))
                }
            };
            if let Some(data) = kept.as_ref() {
                records.insert(
                    stream.id.clone(),
                    VersionedRecord {
                        version,
                        data: Arc::clone(data),
                    },
                );
            }
        }
        Ok(records)
    }

    async fn tree(&self, store: &Store, heads: &Heads) -> AppResult<VersionedRecord<CategoryTree>> {
        let stream = StreamId::of::<CategoryTree>(STREAM_ID);
        let Some(head) = heads.get(&stream) else {
            return Ok(VersionedRecord {
                version: 0,
                data: Arc::default(),
            });
        };
        if let Some(data) = self.cached::<CategoryTree>(&stream, *head) {
            return Ok(VersionedRecord {
                version: *head,
                data,
            });
        }
        let loaded = store.load::<CategoryTree>(STREAM_ID).await?;
        let data = self.keep(&stream, loaded.version, loaded.state);
        Ok(VersionedRecord {
            version: loaded.version,
            data,
        })
    }

    fn cached<T: Any + Send + Sync>(&self, stream: &StreamId, head: u64) -> Option<Arc<T>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (_, data) = kept.get(stream).filter(|(version, _)| *version == head)?;
        Arc::clone(data).downcast().ok()
    }

    fn keep<T: Any + Send + Sync>(&self, stream: &StreamId, version: u64, data: T) -> Arc<T> {
        let data = Arc::new(data);
        let any: Arc<dyn Any + Send + Sync> = data.clone();
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.insert(stream.clone(), (version, any));
        data
    }
}

impl PricingRules {
    /// The surcharge area of a postcode, and whether it is estimated because the postcode is missing or malformed (spec V291, V292).
    pub fn area(&self, postcode: Option<&str>) -> (Area, bool) {
        let Some(postcode) = postcode
            .map(str::trim)
            .filter(|postcode| is_postcode(postcode))
        else {
            return (Area::None, true);
        };
        let within = |island: &&VersionedRecord<Island>| {
            island.data.starts.as_str() <= postcode && postcode <= island.data.ends.as_str()
        };
        let island = self.islands.iter().find(within);
        (island.map_or(Area::None, |island| island.data.area), false)
    }

    /// The active level of a member, with the id of its record.
    pub fn level_of(&self, member: &Member) -> Option<(&str, &VersionedRecord<Level>)> {
        let code = member.membership_level.as_ref()?;
        self.levels
            .iter()
            .find(|(_, level)| level.data.is_active && level.data.code == *code)
            .map(|(id, level)| (id.as_str(), level))
    }

    /// Rank of the level in use with this code.
    pub fn rank(&self, code: &str) -> Option<i32> {
        let mut levels = self.levels.iter().map(|(_, level)| &level.data);
        let level = levels.find(|level| level.is_active && level.code == code);
        level.map(|level| level.index)
    }

    /// Code of the level for new members of this type; the lowest of several.
    pub fn welcome_level(&self, member_type: MemberType) -> Option<&str> {
        self.levels
            .iter()
            .map(|(_, level)| &level.data)
            .filter(|level| level.is_active && level.is_welcome && level.is_for(member_type))
            .min_by_key(|level| (level.index, &level.code))
            .map(|level| level.code.as_str())
    }

    /// Codes of a product's categories and of all their ancestors.
    pub fn categories(&self, product: &Product) -> Vec<String> {
        with_ancestors(&self.tree.data, &product.categories)
    }

    /// The exhibitions a product is in, with their ids; also those that have not started or have ended, as a coupon has its own period.
    pub fn exhibitions(
        &self,
        product: ProductId,
    ) -> impl Iterator<Item = (&str, &VersionedRecord<Exhibition>)> {
        let exhibitions = self.exhibitions.iter();
        let exhibitions =
            exhibitions.filter(move |(_, found)| found.data.products.contains(&product));
        exhibitions.map(|(id, found)| (id.as_str(), found))
    }

    /// The displays a product is in, with the ids of their records.
    pub fn displays(
        &self,
        product: ProductId,
    ) -> impl Iterator<Item = (&str, &VersionedRecord<ProductDisplay>)> {
        let displays = self.displays.iter();
        let displays =
            displays.filter(move |(_, display)| display.data.products.contains(&product));
        displays.map(|(id, display)| (id.as_str(), display))
    }

    /// The product record of a set's part.
    pub fn part(&self, id: ProductId) -> Option<&Product> {
        self.parts.get(&id).map(|part| &*part.data)
    }

    /// Whether a product can be sold: a set only with valid parts (see [`Product::faults`]).
    pub fn is_sound(&self, product: &Product) -> bool {
        product.faults(|id| self.part(id)).is_empty()
    }

    /// The sellers of the requested products.
    pub fn sellers(&self) -> Vec<MemberId> {
        self.products
            .values()
            .map(|product| product.data.seller)
            .collect()
    }
}
