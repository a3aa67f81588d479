//! GET /api/v1/shop/products: products of a category, of a search, of a seller.
//!
//! A name is looked for by the search engine, which answers ids; everything shown comes from the read model.

use std::time::Instant;

use axum::extract::State;
use domain::Amount;
use domain::ids::{MemberId, ProductId};
use projections::products::{self, ProductCard, ProductFilter, ProductSort};
use projections::records::rounding;
use projections::{Listed, stock};
use search_index::{PriceRange, Query as Search, Sort};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{Answer, ApiResult, Page, Query, Wait};
use crate::metrics;
use crate::shop::Summary;
use crate::shop::sellers::Nicknames;

/// Which products.
#[derive(Clone, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct Wanted {
    /// Of this category or one under it (code).
    category: Option<String>,
    /// What the shopper typed.
    search_value: Option<String>,
    /// The order; the best match first for a search, the newest first otherwise.
    sort: Option<ProductSort>,
    /// Only this one; several with commas between them.
    #[serde(rename = "_id")]
    id: Option<String>,
    /// With this code of the shop's own.
    code: Option<String>,
    /// Of this seller.
    #[serde(rename = "_seller")]
    seller: Option<MemberId>,
    /// Costing at least this, hundredths.
    price_min: Option<Amount>,
    /// Costing at most this, hundredths.
    price_max: Option<Amount>,
}

/// A page of products.
#[derive(Serialize, ToSchema)]
pub struct Products {
    /// How many there are.
    summary: Summary,
    /// This page's.
    products: Vec<ProductCard>,
}

/// Products.
#[utoipa::path(
    get, path = "/api/v1/shop/products", tag = "shop", operation_id = "listProducts", params(Wanted),
    responses((status = OK, body = Products))
)]
pub async fn list(
    State(app): State<AppState>,
    Query(wanted): Query<Wanted>,
    page: Page,
    wait: Wait,
) -> ApiResult<Answer<Products>> {
    let fresh = wait.until(&app, &[products::NAME, stock::NAME]).await?;
    let searching = wanted
        .search_value
        .as_deref()
        .is_some_and(|text| !text.trim().is_empty());
    let step = rounding(app.pool()).await?;
    let wanted = Wanted {
        price_min: wanted.price_min.map(|least| step.up(least)),
        price_max: wanted.price_max.map(|most| step.last_below(most)),
        ..wanted
    };
    let mut listed = match searching && wanted.code.is_none() && wanted.id.is_none() {
        true => found(&app, wanted, page).await?,
        false => products::products(app.pool(), &wanted.filter(), page.into()).await?,
    };
    let names = Nicknames::of(&app, listed.rows.iter().map(|card| card.seller.id)).await?;
    for card in &mut listed.rows {
        names.name(&mut card.seller);
    }
    Ok(fresh.answer(Products {
        summary: Summary::of(&listed),
        products: listed.rows,
    }))
}

impl Wanted {
    fn filter(self) -> ProductFilter {
        let ids = |text: String| {
            text.split(',')
                .filter_map(|id| id.trim().parse().ok())
                .collect()
        };
        ProductFilter {
            category: self.category,
            search: self.search_value,
            ids: self.id.map(ids),
            code: self.code,
            seller: self.seller,
            price_min: self.price_min,
            price_max: self.price_max,
            hidden_too: false,
            sort: self.sort.unwrap_or_default(),
        }
    }
}

async fn found(app: &AppState, wanted: Wanted, page: Page) -> ApiResult<Listed<ProductCard>> {
    let began = Instant::now();
    let found = app
        .search
        .search(Search {
            text: wanted.search_value,
            categories: wanted.category.into_iter().collect(),
            sellers: wanted.seller.into_iter().map(|seller| seller.0).collect(),
            price: PriceRange {
                from: wanted.price_min,
                to: wanted.price_max,
            },
            sort: match wanted.sort {
                None => Sort::Relevance,
                Some(ProductSort::Latest) => Sort::Latest,
                Some(ProductSort::Name) => Sort::Name,
                Some(ProductSort::PriceAsc) => Sort::PriceAsc,
                Some(ProductSort::PriceDesc) => Sort::PriceDesc,
            },
            skip: usize::try_from(page.skip).unwrap_or(usize::MAX),
            limit: usize::try_from(page.limit).unwrap_or(Search::PAGE),
            ..Search::default()
        })
        .await?;
    metrics::searched(began.elapsed());
    let ids: Vec<ProductId> = found.ids.into_iter().map(ProductId).collect();
    Ok(Listed {
        total_count: i64::try_from(found.total).unwrap_or(i64::MAX),
        rows: products::product_cards(app.pool(), &ids).await?,
    })
}
