//! Queries for products: lookup and lists.

use std::collections::{BTreeSet, HashMap};

use domain::Amount;
use domain::catalogue::tree::CategoryTree;
use domain::catalogue::{Product, ProductType};
use domain::ids::{MemberId, OptionId, ProductId};
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, Postgres, QueryBuilder};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::ProductRow;
use crate::categories::category_tree;
use crate::error::ReadError;
use crate::ngrams::{needed, pattern};
use crate::page::{List, ListPage, Page, typed};

/// Sort orders of products (spec V113).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ProductSort {
    /// Newest first.
    #[default]
    Latest,
    /// By name, in code point order.
    Name,
    /// Cheapest first.
    PriceAsc,
    /// Most expensive first.
    PriceDesc,
    /// Most reviewed first (not in the specification).
    Review,
}

/// Filter and order of a product list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProductFilter {
    /// In one of these categories or a descendant; empty: any.
    pub categories: Vec<String>,
    /// Of one of these brands; empty: any.
    pub brands: Vec<String>,
    /// In one of these groups; empty: any or none.
    pub groups: Vec<String>,
    /// Can be bought now.
    pub in_stock: bool,
    /// With this in the name or code.
    pub search: Option<String>,
    /// Only these.
    pub ids: Option<Vec<ProductId>>,
    /// With this code.
    pub code: Option<String>,
    /// Of this seller.
    pub seller: Option<MemberId>,
    /// Minimum price, hundredths.
    pub price_min: Option<Amount>,
    /// Maximum price, hundredths.
    pub price_max: Option<Amount>,
    /// Include those hidden from shoppers.
    pub hidden_too: bool,
    /// Sort order.
    pub sort: ProductSort,
}

impl ProductFilter {
    /// Without the facet filters (brand, category, price): facets also count what those exclude.
    #[must_use]
    pub fn widened(&self) -> Self {
        Self {
            brands: Vec::new(),
            categories: Vec::new(),
            price_min: None,
            price_max: None,
            ..self.clone()
        }
    }
}

/// The rows of these products, hidden and removed ones included; unknown ones are missing. Pricing reads these.
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

/// Writes the condition that a product can be bought now: an enabled option (or the product itself) is in stock; of a fixed set every part
/// in the set's quantity, of a set with a choice any part; and all parts of a set are valid. The same rule as [`super::left`].
fn in_stock(query: &mut QueryBuilder<'_, Postgres>) {
    let (single, fixed_set) = (ProductType::NormalProduct, ProductType::ProductBundle);
    query
        .push("CASE WHEN kind <> ")
        .push_bind(single.code())
        .push(
            " AND jsonb_array_length(coalesce(data -> 'bundleds', '[]')) > 0 THEN (SELECT CASE p.kind WHEN ",
        )
        .push_bind(fixed_set.code())
        .push(
            " THEN bool_and(part.enough) ELSE bool_or(part.enough) END \
                AND bool_and(part.sound) AND count(*) = count(DISTINCT part.pile) FROM \
                (SELECT named.pile, coalesce(s.available, 0) >= named.needs AS enough, \
                     named.needs BETWEEN 1 AND 999 AND coalesce(q.seller = p.seller AND NOT q.removed AND q.kind = ",
        )
        .push_bind(single.code())
        .push(
            " AND CASE WHEN q.has_options \
                      THEN EXISTS (SELECT FROM products_options o WHERE o.product = q.id AND o.id = named.pile) \
                      ELSE named.pile = q.id END, false) AS sound \
                 FROM jsonb_array_elements(p.data -> 'bundleds') AS b \
                 CROSS JOIN LATERAL (SELECT coalesce(b ->> '_option', b ->> '_product')::uuid AS pile, \
                     (b ->> 'quantity')::bigint AS needs) AS named \
                 LEFT JOIN stock s ON s.id = named.pile \
                 LEFT JOIN products q ON q.id = (b ->> '_product')::uuid) AS part) \
             WHEN has_options THEN EXISTS (SELECT FROM products_options o JOIN stock s ON s.id = o.id \
                WHERE o.product = p.id AND o.enabled AND s.available > 0) \
             ELSE EXISTS (SELECT FROM stock s WHERE s.id = p.id AND s.available > 0) END",
        );
}

/// Sort expression: most reviewed first.
const MOST_REVIEWED: &str = "coalesce((SELECT s.count FROM reviews_products s WHERE s.product = p.id), 0) DESC, created_at DESC, id";

/// Some category codes with those of all their descendants; none if no category was requested.
pub(super) fn codes_under(tree: &CategoryTree, asked: &[String]) -> Option<Vec<String>> {
    let under = asked.iter().flat_map(|code| tree.with_descendants(code));
    (!asked.is_empty()).then(|| under.map(str::to_owned).collect())
}

/// Writes the condition of a filter on `products p`; `codes` as returned by [`codes_under`].
pub(super) fn narrow(
    query: &mut QueryBuilder<'_, Postgres>,
    filter: &ProductFilter,
    codes: Option<&[String]>,
) {
    query.push("NOT removed");
    if !filter.hidden_too {
        query.push(" AND shows");
    }
    if let Some(codes) = codes {
        query.push(" AND categories && ").push_bind(codes.to_vec());
    }
    if !filter.brands.is_empty() {
        query
            .push(" AND brand = ANY(")
            .push_bind(filter.brands.clone())
            .push(")");
    }
    if !filter.groups.is_empty() {
        query
            .push(" AND data -> 'groups' ?| ")
            .push_bind(filter.groups.clone());
    }
    if filter.in_stock {
        query.push(" AND ");
        in_stock(query);
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
}

/// A page of rows without removed ones; for the console's records.
///
/// # Errors
/// [`ReadError`].
pub async fn product_row_list(
    pool: &PgPool,
    filter: &ProductFilter,
    page: Page,
) -> Result<ListPage<ProductRow>, ReadError> {
    let tree = match filter.categories.is_empty() {
        true => CategoryTree::default(),
        false => category_tree(pool).await?.0,
    };
    row_page(pool, &tree, filter, page).await
}

/// The same with the category tree at hand.
pub(super) async fn row_page(
    pool: &PgPool,
    tree: &CategoryTree,
    filter: &ProductFilter,
    page: Page,
) -> Result<ListPage<ProductRow>, ReadError> {
    let codes = codes_under(tree, &filter.categories);
    List {
        select: "to_jsonb(p)",
        from: "products p",
        narrow: "products p",
        key: "p.id",
        order: match filter.sort {
            ProductSort::Latest => "created_at DESC, id",
            ProductSort::Name => "name COLLATE \"C\", id",
            ProductSort::PriceAsc => "sale_price, id",
            ProductSort::PriceDesc => "sale_price DESC, id",
            ProductSort::Review => MOST_REVIEWED,
        },
    }
    .page(pool, page, |query| {
        narrow(query, filter, codes.as_deref());
    })
    .await
}

/// The part products of the sets among these; removed ones are missing.
///
/// # Errors
/// [`ReadError`].
pub async fn parts_of(
    pool: &PgPool,
    products: &[Product],
) -> Result<HashMap<ProductId, Product>, ReadError> {
    let parts: BTreeSet<ProductId> = products.iter().flat_map(Product::parts).collect();
    if parts.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = product_rows(pool, &Vec::from_iter(parts)).await?;
    let live = rows.into_iter().filter(|row| !row.removed);
    live.map(|row| Ok((row.id, row.product()?))).collect()
}

/// Those of these option ids that are an option of another product, or the product itself: their stock is counted there.
///
/// # Errors
/// [`ReadError`].
pub async fn options_of_others(
    pool: &PgPool,
    product: ProductId,
    ids: &[OptionId],
) -> Result<Vec<OptionId>, ReadError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    let found: Vec<Uuid> = sqlx::query_scalar(
        "SELECT id FROM products_options WHERE id = ANY($1) AND product <> $2 UNION SELECT id FROM products WHERE id = ANY($1)",
    )
    .bind(ids)
    .bind(product.0)
    .fetch_all(pool)
    .await?;
    Ok(found.into_iter().map(OptionId).collect())
}

/// Category codes with those of all their ancestors.
pub fn with_ancestors(tree: &CategoryTree, codes: &[String]) -> Vec<String> {
    let all: BTreeSet<&str> = codes
        .iter()
        .flat_map(|code| [code.as_str()].into_iter().chain(tree.ancestors(code)))
        .collect();
    all.into_iter().map(str::to_owned).collect()
}

/// Number of visible products by brand code.
///
/// # Errors
/// [`ReadError`].
pub async fn brand_counts(pool: &PgPool) -> Result<HashMap<String, i64>, ReadError> {
    let counts: Vec<(String, i64)> = sqlx::query_as(
        "SELECT brand, count(*) FROM products WHERE brand IS NOT NULL AND shows AND NOT removed GROUP BY brand",
    )
    .fetch_all(pool)
    .await?;
    Ok(counts.into_iter().collect())
}

/// The visible products and when each last changed, newest first; for the sitemap.
///
/// # Errors
/// [`ReadError`].
pub async fn shown(pool: &PgPool) -> Result<Vec<(ProductId, OffsetDateTime)>, ReadError> {
    let rows: Vec<(Uuid, OffsetDateTime)> = sqlx::query_as(
        "SELECT id, updated_at FROM products WHERE shows AND NOT removed ORDER BY created_at DESC, id",
    )
    .fetch_all(pool)
    .await?;
    Ok(rows
        .into_iter()
        .map(|(id, changed)| (ProductId(id), changed))
        .collect())
}

/// Number of visible products of a seller.
///
/// # Errors
/// [`ReadError`].
pub async fn sold_by(pool: &PgPool, seller: MemberId) -> Result<i64, ReadError> {
    Ok(sqlx::query_scalar(
        "SELECT count(*) FROM products WHERE seller = $1 AND shows AND NOT removed",
    )
    .bind(seller.0)
    .fetch_one(pool)
    .await?)
}

/// The visible products of a seller.
///
/// # Errors
/// [`ReadError`].
pub async fn shown_of(pool: &PgPool, seller: MemberId) -> Result<Vec<ProductId>, ReadError> {
    let ids: Vec<Uuid> = sqlx::query_scalar(
        "SELECT id FROM products WHERE seller = $1 AND shows AND NOT removed ORDER BY id",
    )
    .bind(seller.0)
    .fetch_all(pool)
    .await?;
    Ok(ids.into_iter().map(ProductId).collect())
}
