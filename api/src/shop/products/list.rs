//! GET /api/v1/shop/products: products of a category, of a search, of a seller.
//!
//! A name is looked for by the search engine, which answers ids; everything shown comes from the read model.

use std::collections::BTreeMap;

use axum::extract::State;
use domain::Amount;
use domain::ids::MemberId;
use projections::products::{self, ProductCard, ProductFilter, ProductSort};
use projections::stock;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{Answer, ApiResult, Page, Query, Wait};
use crate::shop::Summary;
use crate::shop::products::search::{Wanted as Searched, search};
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
    /// Of a search: how many of all found are in each category (code) or below it.
    #[serde(skip_serializing_if = "Option::is_none")]
    categories: Option<BTreeMap<String, u64>>,
    /// Of a search: what the shopper may be about to type, the likeliest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<Vec<String>>,
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
    let (mut listed, categories, suggestions) =
        if searching && wanted.code.is_none() && wanted.id.is_none() {
            let found = search(&app, wanted.searched(), page).await?;
            (found.cards, Some(found.categories), Some(found.suggestions))
        } else {
            let filter = wanted.filter();
            let listed = products::products(app.pool(), &filter, page.into()).await?;
            (listed, None, None)
        };
    let names = Nicknames::of(&app, listed.rows.iter().map(|card| card.seller.id)).await?;
    for card in &mut listed.rows {
        names.name(&mut card.seller);
    }
    Ok(fresh.answer(Products {
        summary: Summary::of(&listed),
        products: listed.rows,
        categories,
        suggestions,
    }))
}

impl Wanted {
    fn searched(self) -> Searched {
        Searched {
            text: self.search_value.unwrap_or_default(),
            category: self.category,
            seller: self.seller,
            price_min: self.price_min,
            price_max: self.price_max,
            sort: self.sort,
        }
    }

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
