//! GET /api/v1/shop/products: products by category, search or seller.
//!
//! A text is searched by the search engine, which filters, sorts, counts and pages, and returns ids (decision 27); all returned data comes
//! from the read model. Lists without a text use only the read model.

use axum::extract::State;
use domain::Amount;
use domain::ids::MemberId;
use domain::record::Resource;
use domain::rounding::RoundingStep;
use domain::storefront::Brand;
use projections::products::{Facets, ProductCard, ProductFilter, ProductSort};
use projections::{ListPage, records};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::READS;
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppResult, ConsistencyToken, OptionalMember, Page, Query,
};
use crate::shop::cards::dress;
use crate::shop::products::search::{ProductSearch, search_page, suggestions};

/// Filters and order of the product list.
#[derive(Clone, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct ProductListQuery {
    /// Only products of this category (code) and its subcategories.
    category: Option<String>,
    /// Only products of these categories and their subcategories (codes separated by commas).
    categories: Option<String>,
    /// Only products of these brands (codes separated by commas).
    brand: Option<String>,
    /// Only products of this brand (id of its record).
    #[serde(rename = "_brand")]
    brand_id: Option<String>,
    /// Only products in these groups (separated by commas).
    groups: Option<String>,
    /// The search text.
    search_value: Option<String>,
    /// The sort order; default: best match first for a search, otherwise newest first.
    #[param(inline)]
    sort: Option<ProductSort>,
    /// Only the product with this id; several separated by commas.
    #[serde(rename = "_id")]
    id: Option<String>,
    /// Only the product with this code, assigned by the shop.
    code: Option<String>,
    /// Only products of this seller.
    #[serde(rename = "_seller")]
    seller: Option<MemberId>,
    /// Minimum price, hundredths.
    price_min: Option<Amount>,
    /// Maximum price, hundredths.
    price_max: Option<Amount>,
    /// Only products of which one piece ships for free on the mainland.
    #[serde(default)]
    free_shipping: bool,
    /// Only products that are in stock.
    #[serde(default)]
    in_stock: bool,
    /// Whether to return facets.
    #[serde(default)]
    facets: bool,
}

/// Summary of the list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProductSummary {
    /// Number of all matching products, not only of this page.
    total_count: i64,
    /// Facets, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    facets: Option<Facets>,
}

/// A page of products.
#[derive(Serialize, ToSchema)]
pub struct Products {
    /// Summary.
    summary: ProductSummary,
    /// The products of the page.
    products: Vec<ProductCard>,
    /// For a search: completions of the text, most likely first.
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<Vec<String>>,
}

/// Products.
#[utoipa::path(
    get, path = "/api/v1/shop/products", tag = "shop", operation_id = "listProducts", params(ProductListQuery, Page),
    responses((status = OK, body = Products))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: OptionalMember,
    Query(query): Query<ProductListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Products>> {
    let fresh = wait.until(&app, &READS).await?;
    let cards = app.cards().await?;
    let query = query.in_steps(cards.rules.step);
    let mut filter = query.filter(&app).await?;
    let searching = filter.search.is_some() && query.code.is_none() && query.id.is_none();
    let (mut listed, facets, suggestions) = if searching {
        let search = ProductSearch {
            filter: &filter,
            sort: query.sort,
            free_fare: query.free_shipping,
            facets: query.facets,
        };
        let text = filter.search.as_deref().unwrap_or_default();
        let (found, suggestions) = tokio::try_join!(
            search_page(&app, &cards, search, page),
            suggestions(&app, text)
        )?;
        let rows = cards.shown(&found.ids).await?;
        let total_count = found.total_count;
        (
            ListPage { total_count, rows },
            found.facets,
            Some(suggestions),
        )
    } else {
        if query.free_shipping {
            // Without the filters of brand, category and price, because facets count those too.
            filter.ids = Some(cards.free_of_fare(&filter.widened()).await?);
        }
        let facets = match query.facets {
            true => Some(cards.facets(&filter).await?),
            false => None,
        };
        let listed = cards.page(&filter, page.into()).await?;
        (listed, facets, None)
    };
    dress(&app, who.member(), &mut listed.rows).await?;
    Ok(fresh.answer(Products {
        summary: ProductSummary {
            total_count: listed.total_count,
            facets,
        },
        products: listed.rows,
        suggestions,
    }))
}

/// The parts of a text separated by commas.
fn parts(text: Option<&String>) -> Vec<String> {
    text.into_iter()
        .flat_map(|text| text.split(','))
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

impl ProductListQuery {
    /// Rounds the price bounds to steps of the currency, as prices are shown.
    fn in_steps(self, step: RoundingStep) -> Self {
        Self {
            price_min: self.price_min.map(|least| step.up(least)),
            price_max: self.price_max.map(|most| step.last_below(most)),
            ..self
        }
    }

    /// The requested categories.
    fn within(&self) -> Vec<String> {
        [
            parts(self.category.as_ref()),
            parts(self.categories.as_ref()),
        ]
        .concat()
    }

    async fn filter(&self, app: &AppState) -> AppResult<ProductFilter> {
        let mut brands = parts(self.brand.as_ref());
        if let Some(id) = &self.brand_id {
            let record = records::record(app.pool(), Brand::KIND, id).await?;
            let code = record.and_then(|record| record.into_found::<Brand>().ok());
            // An unknown brand has no products: no product has an empty code.
            brands.push(code.map_or_else(String::new, |found| found.data.code));
        }
        let ids = |text: &String| {
            text.split(',')
                .filter_map(|id| id.trim().parse().ok())
                .collect()
        };
        let search = self.search_value.clone();
        Ok(ProductFilter {
            categories: self.within(),
            brands,
            groups: parts(self.groups.as_ref()),
            in_stock: self.in_stock,
            search: search.filter(|text| !text.trim().is_empty()),
            ids: self.id.as_ref().map(ids),
            code: self.code.clone(),
            seller: self.seller,
            price_min: self.price_min,
            price_max: self.price_max,
            hidden_too: false,
            sort: self.sort.unwrap_or_default(),
        })
    }
}
