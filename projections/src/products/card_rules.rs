//! What the cards of products depend on besides the products, kept in memory.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use arc_swap::ArcSwapOption;
use domain::catalogue::tree::CategoryTree;
use domain::ids::{MemberId, ProductId};
use domain::record::Resource as _;
use domain::rounding::RoundingStep;
use domain::shipping::ShippingGroup;
use domain::site::SiteSetting;
use domain::storefront::exhibition::Exhibition;
use domain::storefront::{Brand, Label, PromotionState};
use sqlx::PgPool;
use time::OffsetDateTime;

use super::queries::with_ancestors;
use super::shipping::{Goods, group_of};
use crate::categories::{CategoryRow, category_tree};
use crate::error::ReadError;
use crate::records::{RecordRow, TypedRecord, all, rounding};
use crate::row_store::Row as _;

/// Shipping groups, category tree, currency, exhibitions and brands: what many products share and what rarely changes.
#[derive(Debug, Default, PartialEq)]
pub struct CardRules {
    groups: HashMap<MemberId, Vec<TypedRecord<ShippingGroup>>>,
    /// The category tree.
    pub tree: CategoryTree,
    /// Rounding step of the site's currency.
    pub step: RoundingStep,
    exhibitions: Vec<Exhibition>,
    /// The brands that shoppers see, by code.
    brands: HashMap<String, BrandMark>,
}

/// What is shown of a brand beside something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrandMark {
    /// Its name.
    pub name: String,
    /// Its logo.
    pub label: Label,
}

impl CardRules {
    async fn load(pool: &PgPool) -> Result<Self, ReadError> {
        let mut groups = HashMap::<MemberId, Vec<TypedRecord<ShippingGroup>>>::new();
        for group in all::<ShippingGroup>(pool).await? {
            groups.entry(group.data.seller).or_default().push(group);
        }
        let exhibitions = all::<Exhibition>(pool).await?.into_iter();
        let brands = all::<Brand>(pool).await?.into_iter();
        let brands = brands.filter(|found| found.data.shows);
        Ok(Self {
            groups,
            tree: category_tree(pool).await?.0,
            step: rounding(pool).await?,
            exhibitions: exhibitions.map(|found| found.data).collect(),
            brands: brands
                .map(|found| {
                    let Brand {
                        code, name, label, ..
                    } = found.data;
                    (code, BrandMark { name, label })
                })
                .collect(),
        })
    }

    /// The group that delivers a product at a moment; `goods.categories` as the product names them.
    pub(super) fn group(
        &self,
        goods: Goods<'_>,
        now: OffsetDateTime,
    ) -> Option<&TypedRecord<ShippingGroup>> {
        let categories = with_ancestors(&self.tree, goods.categories);
        let own = self.groups.get(&goods.seller).into_iter().flatten();
        let in_use = own.filter(|group| group.data.is_used_at(now));
        group_of(
            Goods {
                categories: &categories,
                ..goods
            },
            in_use,
        )
    }

    /// The name of a brand; none if shoppers do not see it.
    pub(super) fn brand(&self, code: &str) -> Option<&str> {
        self.brand_mark(code).map(|brand| brand.name.as_str())
    }

    /// The brand with this code; none if shoppers do not see it.
    pub fn brand_mark(&self, code: &str) -> Option<&BrandMark> {
        self.brands.get(code)
    }

    /// The products of the exhibitions that are ongoing at a moment.
    pub fn exhibited(&self, now: OffsetDateTime) -> BTreeSet<ProductId> {
        self.exhibitions
            .iter()
            .filter(|found| found.shows && found.state(now) == PromotionState::Ongoing)
            .flat_map(|found| found.products.iter().copied())
            .collect()
    }
}

/// Identifies the rows that rules were made of: the file of their table, the sum of their positions and their number, for records and for
/// categories. Every change gives a row a higher position (not always the highest: a parked stream comes later) or removes it; a rebuild puts
/// the rows into another file.
type Origin = [Option<i64>; 6];

/// [`CardRules`] as long as the rows that they were made of are the current ones; one for the whole program.
#[derive(Debug, Default)]
pub struct CardRuleCache(ArcSwapOption<(Origin, Arc<CardRules>)>);

impl CardRuleCache {
    /// The current rules: one short query, and all of them only after a change.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn current(&self, pool: &PgPool) -> Result<Arc<CardRules>, ReadError> {
        // Read before the rules: they may be newer than the origin they are stored with, never older.
        let origin = origin(pool).await?;
        if let Some(kept) = &*self.0.load()
            && kept.0 == origin
        {
            return Ok(Arc::clone(&kept.1));
        }
        let rules = Arc::new(CardRules::load(pool).await?);
        self.0.store(Some(Arc::new((origin, Arc::clone(&rules)))));
        Ok(rules)
    }
}

async fn origin(pool: &PgPool) -> Result<Origin, ReadError> {
    let kinds = [
        ShippingGroup::KIND,
        Exhibition::KIND,
        SiteSetting::KIND,
        Brand::KIND,
    ];
    let (records_file, records_position, records_count, tree_file, tree_position, tree_count) =
        sqlx::query_as(
            "SELECT pg_relation_filenode(to_regclass($2))::bigint, r.position, r.count, \
                 pg_relation_filenode(to_regclass($3))::bigint, c.position, c.count \
             FROM (SELECT sum(position)::bigint AS position, count(*) AS count FROM records WHERE kind = ANY($1)) AS r, \
                 (SELECT sum(position)::bigint AS position, count(*) AS count FROM categories) AS c",
        )
        .bind(kinds.as_slice())
        .bind(RecordRow::TABLE)
        .bind(CategoryRow::TABLE)
        .fetch_one(pool)
        .await?;
    Ok([
        records_file,
        records_position,
        records_count,
        tree_file,
        tree_position,
        tree_count,
    ])
}
