//! Facets of a product list with their counts, and the products with free shipping.
//!
//! Both scan every product that matches, but only a few of its columns.

use std::collections::{BTreeMap, BTreeSet};

use domain::Amount;
use domain::catalogue::tree::CategoryTree;
use domain::ids::{MemberId, ProductId, ShippingId};
use domain::shipping::ShippingGroup;
use serde::{Deserialize, Serialize};
use sqlx::{PgPool, QueryBuilder};
use utoipa::ToSchema;

use super::card_rules::CardRules;
use super::queries::{ProductFilter, codes_under, narrow, with_ancestors};
use super::shipping::{Goods, group_of};
use super::views::travels_free;
use crate::error::ReadError;
use crate::page::typed;
use crate::records::TypedRecord;

/// One facet value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Facet {
    /// Its code.
    pub code: String,
    /// Its name, or its code if no record has that code any more.
    pub name: String,
    /// Number of products with it among those that pass all other filters.
    pub count: i64,
}

/// Facets of a product list. Each counts the products that pass all filters but its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Facets {
    /// Brands, the largest count first.
    pub brands: Vec<Facet>,
    /// Categories; a product counts for its own and all their ancestors. Ordered by code.
    pub categories: Vec<Facet>,
    /// The lowest and highest sale price; none without products.
    pub price: Option<PriceBounds>,
}

/// The lowest and the highest sale price, hundredths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PriceBounds {
    /// The lowest.
    pub min: Amount,
    /// The highest.
    pub max: Amount,
}

/// The columns read.
#[derive(Deserialize)]
pub(super) struct Slim {
    pub(super) id: ProductId,
    pub(super) seller: MemberId,
    sale_price: Amount,
    brand: Option<String>,
    categories: Vec<String>,
    shipping: Option<ShippingId>,
}

impl Slim {
    pub(super) fn goods(&self) -> Goods<'_> {
        Goods {
            id: self.id,
            seller: self.seller,
            named: self.shipping,
            categories: &self.categories,
            brand: self.brand.as_deref(),
        }
    }

    /// Whether one unit ships free on the mainland, given the shipping groups in use.
    pub(super) fn travels_free(
        &self,
        tree: &CategoryTree,
        groups: &[TypedRecord<ShippingGroup>],
    ) -> bool {
        let categories = with_ancestors(tree, &self.categories);
        let goods = Goods {
            categories: &categories,
            ..self.goods()
        };
        self.is_free_in(group_of(goods, groups.iter()))
    }

    /// Whether one unit ships free on the mainland with this group.
    pub(super) fn is_free_in(&self, group: Option<&TypedRecord<ShippingGroup>>) -> bool {
        group.is_some_and(|group| travels_free(&group.data, self.sale_price))
    }
}

pub(super) async fn slims(
    pool: &PgPool,
    tree: &CategoryTree,
    filter: &ProductFilter,
) -> Result<Vec<Slim>, ReadError> {
    let codes = codes_under(tree, &filter.categories);
    let mut query = QueryBuilder::new(
        "SELECT jsonb_build_object('id', id, 'seller', seller, 'sale_price', sale_price, 'brand', brand, \
         'categories', to_jsonb(categories), 'shipping', shipping) FROM products p WHERE ",
    );
    narrow(&mut query, filter, codes.as_deref());
    typed(query.build_query_scalar().fetch_all(pool).await?)
}

/// Facet counts by code; each as in [`Facets`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FacetCounts {
    /// Of each brand.
    pub brands: BTreeMap<String, i64>,
    /// By category, descendants included.
    pub categories: BTreeMap<String, i64>,
    /// The lowest and highest sale price; none without products.
    pub price: Option<PriceBounds>,
}

pub(super) fn named_by(counts: FacetCounts, rules: &CardRules) -> Facets {
    let tree = &rules.tree;
    let brand = |(code, count): (String, i64)| {
        let name = rules.brand(&code)?.to_owned();
        Some(Facet { code, name, count })
    };
    let category = |(code, count): (String, i64)| Facet {
        name: tree
            .by_code(&code)
            .map_or_else(|| code.clone(), |category| category.facts.name.clone()),
        code,
        count,
    };
    let mut brands: Vec<Facet> = counts.brands.into_iter().filter_map(brand).collect();
    brands.sort_by(|one, other| other.count.cmp(&one.count).then(one.code.cmp(&other.code)));
    Facets {
        brands,
        categories: counts.categories.into_iter().map(category).collect(),
        price: counts.price,
    }
}

pub(super) fn count(rows: &[Slim], filter: &ProductFilter, tree: &CategoryTree) -> FacetCounts {
    let under: Option<BTreeSet<&str>> = (!filter.categories.is_empty()).then(|| {
        let codes = filter.categories.iter();
        codes.flat_map(|code| tree.with_descendants(code)).collect()
    });
    let mut counts = FacetCounts::default();
    for row in rows {
        let in_category = under.as_ref().is_none_or(|under| {
            let mut own = row.categories.iter();
            own.any(|code| under.contains(code.as_str()))
        });
        let of_brand = filter.brands.is_empty()
            || row
                .brand
                .as_ref()
                .is_some_and(|brand| filter.brands.contains(brand));
        let in_range = filter.price_min.is_none_or(|least| least <= row.sale_price)
            && filter.price_max.is_none_or(|most| row.sale_price <= most);
        if let Some(brand) = row.brand.clone().filter(|_| in_category && in_range) {
            let count = counts.brands.entry(brand).or_default();
            *count = count.saturating_add(1);
        }
        if of_brand && in_range {
            for code in with_ancestors(tree, &row.categories) {
                let count = counts.categories.entry(code).or_default();
                *count = count.saturating_add(1);
            }
        }
        if in_category && of_brand {
            let own = PriceBounds {
                min: row.sale_price,
                max: row.sale_price,
            };
            counts.price = Some(counts.price.map_or(own, |price| PriceBounds {
                min: price.min.min(own.min),
                max: price.max.max(own.max),
            }));
        }
    }
    counts
}
