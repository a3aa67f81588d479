//! Cards and details of products, as the shop shows them at a moment.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use domain::catalogue::Product;
use domain::ids::{ProductId, StockId};
use domain::storefront::material::Material;
use serde_json::Value;
use sqlx::PgPool;
use time::OffsetDateTime;
use uuid::Uuid;

use super::card_rules::CardRules;
use super::facets::{Facets, count, named_by, slims};
use super::queries::{ProductFilter, product_rows, row_page, sold_by};
use super::shipping::Goods;
use super::views::{
    Around, MaterialView, ProductCard, ProductDetail, VariationProduct, VariationView, card, detail,
};
use super::{FacetCounts, ProductRow, ledgers};
use crate::error::ReadError;
use crate::page::{ListPage, Page};
use crate::records::of_ids;
use crate::reviews::ProductStars;
use crate::stock::{StockRow, stock};

/// Maximum number of related products.
const RELATEDS_MOST: i64 = 12;
/// Maximum number of variations of a product.
const VARIATIONS_MOST: i64 = 50;

/// Reads cards and details of products.
#[derive(Clone, Debug)]
pub struct CardReader<'a> {
    /// The pool.
    pub pool: &'a PgPool,
    /// What all cards depend on.
    pub rules: Arc<CardRules>,
    /// The moment.
    pub now: OffsetDateTime,
}

impl CardReader<'_> {
    /// A page of products.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn page(
        &self,
        filter: &ProductFilter,
        page: Page,
    ) -> Result<ListPage<ProductCard>, ReadError> {
        let found = row_page(self.pool, &self.rules.tree, filter, page).await?;
        Ok(ListPage {
            total_count: found.total_count,
            rows: self.cards(&found.rows).await?,
        })
    }

    /// The cards of these products in this order (as returned by a search), without hidden ones; removed and unknown ones are missing.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn shown(&self, ids: &[ProductId]) -> Result<Vec<ProductCard>, ReadError> {
        let mut rows = product_rows(self.pool, ids).await?;
        rows.retain(|row| row.shows && !row.removed);
        rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
        self.cards(&rows).await
    }

    /// One visible product in full.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn detail(&self, id: ProductId) -> Result<Option<ProductDetail>, ReadError> {
        let Some((product, mut detail)) = self.detailed(&[id]).await?.pop() else {
            return Ok(None);
        };
        detail.choicees = self.shown(&product.choicees).await?;
        detail.relateds = self.relateds(id, &product).await?;
        detail.variation = self.variation(&product).await?;
        detail.materials = self.materials(&product).await?;
        detail.seller_card.product_count = sold_by(self.pool, product.seller).await?;
        Ok(Some(detail))
    }

    /// The details of each of these products, loaded in one go: without choicees, related products, variations and materials, and without
    /// the seller's product count.
    /// Hidden, removed and unknown ones are missing.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn details(&self, ids: &[ProductId]) -> Result<Vec<ProductDetail>, ReadError> {
        let found = self.detailed(ids).await?.into_iter();
        Ok(found.map(|(_, detail)| detail).collect())
    }

    /// The products that match and of which one unit ships free on the mainland.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn free_of_fare(&self, filter: &ProductFilter) -> Result<Vec<ProductId>, ReadError> {
        let rows = slims(self.pool, &self.rules.tree, filter)
            .await?
            .into_iter();
        let free = rows.filter(|slim| slim.is_free_in(self.rules.group(slim.goods(), self.now)));
        Ok(free.map(|slim| slim.id).collect())
    }

    /// The facets of the products that match.
    ///
    /// # Errors
    /// [`ReadError`].
    pub async fn facets(&self, filter: &ProductFilter) -> Result<Facets, ReadError> {
        let tree = &self.rules.tree;
        let rows = slims(self.pool, tree, &filter.widened()).await?;
        Ok(self.named(count(&rows, filter, tree)))
    }

    /// Adds names to facet counts.
    pub fn named(&self, counts: FacetCounts) -> Facets {
        named_by(counts, &self.rules)
    }

    async fn cards(&self, rows: &[ProductRow]) -> Result<Vec<ProductCard>, ReadError> {
        let around = Surroundings::of(self, rows).await?;
        let dressed = rows.iter().zip(&around.products);
        Ok(dressed
            .map(|(row, product)| card(row, product, &around.around(row, product)))
            .collect())
    }

    async fn detailed(
        &self,
        ids: &[ProductId],
    ) -> Result<Vec<(Product, ProductDetail)>, ReadError> {
        let mut rows = product_rows(self.pool, ids).await?;
        rows.retain(|row| row.shows && !row.removed);
        let around = Surroundings::of(self, &rows).await?;
        rows.iter()
            .zip(&around.products)
            .map(|(row, product)| {
                let surrounding = around.around(row, product);
                let detail = detail(row, product.clone(), &surrounding, &around.parts)?;
                Ok((product.clone(), detail))
            })
            .collect()
    }

    /// The related products of one: those it lists, in their order, then others of its related group, newest first. A group is limited to
    /// one seller, so that no seller's goods appear on another seller's page.
    async fn relateds(
        &self,
        id: ProductId,
        product: &Product,
    ) -> Result<Vec<ProductCard>, ReadError> {
        let group = product.related_group_code.as_deref();
        let group = group.filter(|code| !code.is_empty());
        if product.relateds.is_empty() && group.is_none() {
            return Ok(Vec::new());
        }
        let named: Vec<Uuid> = product.relateds.iter().map(|one| one.0).collect();
        let ids: Vec<Uuid> = sqlx::query_scalar(
            "SELECT id FROM products WHERE shows AND NOT removed AND id <> $1 \
             AND (id = ANY($2) OR (data ->> 'relatedGroupCode' = $3 AND seller = $5)) \
             ORDER BY array_position($2, id), coalesce((data ->> 'sequence')::int, 0), created_at DESC, id LIMIT $4",
        )
        .bind(id.0)
        .bind(named)
        .bind(group)
        .bind(RELATEDS_MOST)
        .bind(product.seller.0)
        .fetch_all(self.pool)
        .await?;
        let ids: Vec<ProductId> = ids.into_iter().map(ProductId).collect();
        self.shown(&ids).await
    }

    /// The variations of a product: those of its seller with its code, itself among them.
    async fn variation(&self, product: &Product) -> Result<Option<VariationView>, ReadError> {
        let Some(code) = product.variation.shared_code() else {
            return Ok(None);
        };
        let found: Vec<(Uuid, Option<String>)> = sqlx::query_as(
            "SELECT id, data #>> '{variation,spec}' FROM products \
             WHERE seller = $1 AND data #>> '{variation,code}' = $2 AND data #> '{variation,enabled}' = 'true' \
             AND shows AND NOT removed \
             ORDER BY coalesce((data ->> 'sequence')::int, 0), created_at, id LIMIT $3",
        )
        .bind(product.seller.0)
        .bind(code)
        .bind(VARIATIONS_MOST)
        .fetch_all(self.pool)
        .await?;
        let ids: Vec<ProductId> = found.iter().map(|(id, _)| ProductId(*id)).collect();
        let cards = self.shown(&ids).await?.into_iter();
        let spec = |card: &ProductCard| {
            let mut found = found.iter();
            let (_, spec) = found.find(|(id, _)| *id == card.id.0)?;
            spec.clone()
        };
        let products: Vec<VariationProduct> = cards
            .map(|card| VariationProduct {
                spec: spec(&card).unwrap_or_default(),
                card,
            })
            .collect();
        Ok((products.len() > 1).then(|| VariationView {
            list: product.variation.list.clone(),
            products,
        }))
    }

    /// The materials of a product that shoppers see, in its order.
    async fn materials(&self, product: &Product) -> Result<Vec<MaterialView>, ReadError> {
        if product.materials.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<String> = product.materials.iter().map(Uuid::to_string).collect();
        let found = of_ids::<Material>(self.pool, &ids).await?.into_iter();
        Ok(found
            .filter(|found| found.data.shows)
            .map(|found| MaterialView {
                id: found.id,
                name: found.data.name,
                desc: found.data.desc,
                origin: found.data.origin,
                image: found.data.image,
            })
            .collect())
    }
}

/// What the cards of some rows need, loaded once for all of them.
struct Surroundings {
    rules: Arc<CardRules>,
    now: OffsetDateTime,
    products: Vec<Product>,
    /// The part products of the sets among them, removed ones included.
    parts: HashMap<ProductId, Product>,
    removed_parts: BTreeSet<ProductId>,
    stock: Vec<StockRow>,
    counters: HashMap<ProductId, Counters>,
    exhibited: BTreeSet<ProductId>,
}

/// Counters of a product.
#[derive(Clone, Copy, Default)]
struct Counters {
    likes: i64,
    stars: Option<ProductStars>,
}

impl Surroundings {
    async fn of(reader: &CardReader<'_>, rows: &[ProductRow]) -> Result<Self, ReadError> {
        let products = rows
            .iter()
            .map(ProductRow::product)
            .collect::<Result<Vec<_>, _>>()?;
        let mut wanted: BTreeSet<StockId> = BTreeSet::new();
        for (row, product) in rows.iter().zip(&products) {
            // availability depends on the parts of a set, units sold on its own stock
            wanted.extend(ledgers(row.id, product));
            wanted.extend(product.stock_ids(row.id));
        }
        let wanted: Vec<StockId> = wanted.into_iter().collect();
        let inside: BTreeSet<ProductId> = products.iter().flat_map(Product::parts).collect();
        let inside = match inside.is_empty() {
            true => Vec::new(),
            false => product_rows(reader.pool, &Vec::from_iter(inside)).await?,
        };
        let removed = inside.iter().filter(|part| part.removed);
        let parts = inside.iter().map(|part| Ok((part.id, part.product()?)));
        let ids: Vec<Uuid> = rows.iter().map(|row| row.id.0).collect();
        Ok(Self {
            rules: Arc::clone(&reader.rules),
            now: reader.now,
            exhibited: reader.rules.exhibited(reader.now),
            removed_parts: removed.map(|part| part.id).collect(),
            parts: parts.collect::<Result<_, ReadError>>()?,
            stock: stock(reader.pool, &wanted).await?,
            counters: counters(reader.pool, ids).await?,
            products,
        })
    }

    fn around<'a>(&'a self, row: &ProductRow, product: &Product) -> Around<'a> {
        let goods = Goods::of(row.id, product, &product.categories);
        let counters = self.counters.get(&row.id).copied().unwrap_or_default();
        let part = |id: ProductId| match self.removed_parts.contains(&id) {
            true => None,
            false => self.parts.get(&id),
        };
        Around {
            likes: counters.likes,
            stars: counters.stars.unwrap_or(ProductStars::none(row.id)),
            stock: &self.stock,
            group: self.rules.group(goods, self.now),
            step: self.rules.step,
            is_exhibited: self.exhibited.contains(&row.id),
            sound: product.faults(part).is_empty(),
            brand: product
                .brand
                .as_deref()
                .and_then(|code| self.rules.brand(code)),
        }
    }
}

async fn counters(
    pool: &PgPool,
    ids: Vec<Uuid>,
) -> Result<HashMap<ProductId, Counters>, ReadError> {
    let found: Vec<(Uuid, i64, Option<Value>)> = sqlx::query_as(
        "SELECT asked.id, (SELECT count(*) FROM likes l WHERE l.product = asked.id), to_jsonb(s) \
         FROM unnest($1) AS asked(id) LEFT JOIN reviews_products s ON s.product = asked.id",
    )
    .bind(ids)
    .fetch_all(pool)
    .await?;
    let counted = found.into_iter().map(|(id, likes, stars)| {
        let stars = stars.map(serde_json::from_value).transpose()?;
        Ok((ProductId(id), Counters { likes, stars }))
    });
    counted.collect()
}
