//! Looking products up and listing them.

use std::collections::BTreeSet;

use domain::Amount;
use domain::catalogue::Product;
use domain::catalogue::tree::CategoryTree;
use domain::ids::{MemberId, ProductId, StockId};
use domain::rounding::RoundingStep;
use domain::shipping::ShippingGroup;
use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use utoipa::ToSchema;
use uuid::Uuid;

use super::wire::{Around, ProductCard, ProductDetail, card, detail};
use super::{ProductRow, ledgers, shipping_group};
use crate::categories::category_tree;
use crate::error::ReadError;
use crate::page::{List, Listed, Page, typed};
use crate::pieces::{needed, pattern};
use crate::records::{Found, all, rounding};
use crate::stock::{StockRow, stock};

/// How products are sorted (spec V113).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ProductSort {
    /// Newest first.
    #[default]
    Latest,
    /// By name, in the order of its characters.
    Name,
    /// Cheapest first.
    PriceAsc,
    /// Dearest first.
    PriceDesc,
}

/// Which products are wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProductFilter {
    /// In this category or under it.
    pub category: Option<String>,
    /// With this in the name or code.
    pub search: Option<String>,
    /// These only.
    pub ids: Option<Vec<ProductId>>,
    /// With this code.
    pub code: Option<String>,
    /// Of this seller.
    pub seller: Option<MemberId>,
    /// Costing at least this, hundredths.
    pub price_min: Option<Amount>,
    /// Costing at most this, hundredths.
    pub price_max: Option<Amount>,
    /// Also those shoppers do not see.
    pub hidden_too: bool,
    /// In which order.
    pub sort: ProductSort,
}

/// The rows of these products, also hidden and removed ones; unknown ones are missing. Prices are made of these.
///
/// # Errors
/// [`ReadError`].
pub async fn product_rows(pool: &PgPool, ids: &[ProductId]) -> Result<Vec<ProductRow>, ReadError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    typed(
        sqlx::query_scalar("SELECT to_jsonb(p) FROM products p WHERE id = ANY($1)")
            .bind(ids)
            .fetch_all(pool)
            .await?,
    )
}

/// A page of rows, removed ones left out; for the console's records.
///
/// # Errors
/// [`ReadError`].
pub async fn product_row_list(
    pool: &PgPool,
    filter: &ProductFilter,
    page: Page,
) -> Result<Listed<ProductRow>, ReadError> {
    let codes: Option<Vec<String>> = match &filter.category {
        None => None,
        Some(code) => {
            let (tree, _) = category_tree(pool).await?;
            let under = tree.with_descendants(code);
            Some(under.into_iter().map(str::to_owned).collect())
        }
    };
    List {
        select: "to_jsonb(p)",
        from: "products p",
        count_from: "products p",
        order: match filter.sort {
            ProductSort::Latest => "created_at DESC, id",
            ProductSort::Name => "name COLLATE \"C\", id",
            ProductSort::PriceAsc => "sale_price, id",
            ProductSort::PriceDesc => "sale_price DESC, id",
        },
    }
    .page(pool, page, |query| {
        query.push("NOT removed");
        if !filter.hidden_too {
            query.push(" AND shows");
        }
        if let Some(codes) = &codes {
            query.push(" AND categories && ").push_bind(codes.clone());
        }
        if let Some(ids) = &filter.ids {
            let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
            query.push(" AND id = ANY(").push_bind(ids).push(")");
        }
        if let Some(code) = &filter.code {
            query.push(" AND code = ").push_bind(code.clone());
        }
        if let Some(seller) = filter.seller {
            query.push(" AND seller = ").push_bind(seller.0);
        }
        if let Some(least) = filter.price_min {
            query
                .push(" AND sale_price >= ")
                .push_bind(least.hundredths());
        }
        if let Some(most) = filter.price_max {
            query
                .push(" AND sale_price <= ")
                .push_bind(most.hundredths());
        }
        let search = filter.search.as_deref().map(str::trim).unwrap_or_default();
        if !search.is_empty() {
            query
                .push(" AND pieces @> ")
                .push_bind(needed(search))
                .push(" AND (name ILIKE ")
                .push_bind(pattern(search))
                .push(" OR code ILIKE ")
                .push_bind(pattern(search))
                .push(")");
        }
    })
    .await
}

/// What the cards of some rows need, read once for all of them.
struct Surroundings {
    products: Vec<Product>,
    stock: Vec<StockRow>,
    groups: Vec<Found<ShippingGroup>>,
    tree: CategoryTree,
    step: RoundingStep,
}

impl Surroundings {
    async fn of(pool: &PgPool, rows: &[ProductRow]) -> Result<Self, ReadError> {
        let products = rows
            .iter()
            .map(ProductRow::product)
            .collect::<Result<Vec<_>, _>>()?;
        let mut wanted: BTreeSet<StockId> = BTreeSet::new();
        for (row, product) in rows.iter().zip(&products) {
            // what can be sold hangs on the parts of a set, what was sold on its own ledgers
            wanted.extend(ledgers(row.id, product));
            wanted.extend(product.stock_ids(row.id));
        }
        let wanted: Vec<StockId> = wanted.into_iter().collect();
        Ok(Self {
            stock: stock(pool, &wanted).await?,
            groups: all::<ShippingGroup>(pool).await?,
            tree: category_tree(pool).await?.0,
            step: rounding(pool).await?,
            products,
        })
    }

    fn group(&self, row: &ProductRow, product: &Product) -> Option<&Found<ShippingGroup>> {
        let codes = with_ancestors(&self.tree, &product.categories);
        shipping_group(row.id, product, &codes, &self.groups)
    }

    fn cards(&self, rows: &[ProductRow]) -> Vec<ProductCard> {
        rows.iter()
            .zip(&self.products)
            .map(|(row, product)| {
                let around = Around {
                    stock: &self.stock,
                    group: self.group(row, product),
                    step: self.step,
                };
                card(row, product, &around)
            })
            .collect()
    }
}

/// Category codes with those of all categories above them.
pub fn with_ancestors(tree: &CategoryTree, codes: &[String]) -> Vec<String> {
    let all: BTreeSet<&str> = codes
        .iter()
        .flat_map(|code| [code.as_str()].into_iter().chain(tree.ancestors(code)))
        .collect();
    all.into_iter().map(str::to_owned).collect()
}

/// A page of products as lists show them.
///
/// # Errors
/// [`ReadError`].
pub async fn products(
    pool: &PgPool,
    filter: &ProductFilter,
    page: Page,
) -> Result<Listed<ProductCard>, ReadError> {
    let rows = product_row_list(pool, filter, page).await?;
    let around = Surroundings::of(pool, &rows.rows).await?;
    Ok(Listed {
        total_count: rows.total_count,
        rows: around.cards(&rows.rows),
    })
}

/// The cards of these products in this order (as a search found them); removed and unknown ones are missing.
///
/// # Errors
/// [`ReadError`].
pub async fn product_cards(
    pool: &PgPool,
    ids: &[ProductId],
) -> Result<Vec<ProductCard>, ReadError> {
    let mut rows = product_rows(pool, ids).await?;
    rows.retain(|row| !row.removed);
    rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
    let around = Surroundings::of(pool, &rows).await?;
    Ok(around.cards(&rows))
}

/// One product with everything about it; hidden and removed ones only with `hidden_too`.
///
/// # Errors
/// [`ReadError`].
pub async fn product(
    pool: &PgPool,
    id: ProductId,
    hidden_too: bool,
) -> Result<Option<ProductDetail>, ReadError> {
    let mut rows = product_rows(pool, &[id]).await?;
    rows.retain(|row| hidden_too || (row.shows && !row.removed));
    let around = Surroundings::of(pool, &rows).await?;
    let (Some(row), Some(product)) = (rows.first(), around.products.first()) else {
        return Ok(None);
    };
    let inside: Vec<ProductId> = product.bundleds.iter().map(|part| part.product).collect();
    let names = product_rows(pool, &inside)
        .await?
        .into_iter()
        .map(|row| Ok((row.id, row.product()?)))
        .collect::<Result<Vec<_>, ReadError>>()?;
    let surrounding = Around {
        stock: &around.stock,
        group: around.group(row, product),
        step: around.step,
    };
    detail(row, product.clone(), &surrounding, &names).map(Some)
}
