//! GET /api/v1/shop/brands: brands.

use axum::extract::State;
use domain::storefront::{Brand, initial_of};
use projections::{products, records};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Query, Summary};

/// Filters of the brand list.
#[derive(Deserialize, IntoParams)]
pub struct BrandListQuery {
    /// Only the brand with this code.
    code: Option<String>,
    /// Only brands with one of these initials: `ㅅ`, `A`, `ㄱㄴ`; `0` for digits.
    chars: Option<String>,
    /// Only brands with products in this category (code).
    category: Option<String>,
}

/// A brand.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BrandView {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Its document; `initial` is always set.
    #[serde(flatten)]
    brand: Brand,
    /// Number of its products.
    product_count: i64,
}

/// Brands.
#[derive(Serialize, ToSchema)]
pub struct Brands {
    /// Number of brands.
    summary: Summary,
    /// The brands: highest index first, then by name.
    brands: Vec<BrandView>,
}

/// Brands.
#[utoipa::path(
    get, path = "/api/v1/shop/brands", tag = "shop", operation_id = "listBrands", params(BrandListQuery),
    responses((status = OK, body = Brands))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<BrandListQuery>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Brands>> {
    let fresh = wait.until(&app, &[records::NAME, products::NAME]).await?;
    let counts = products::brand_counts(app.pool()).await?;
    let mut brands: Vec<BrandView> = records::all::<Brand>(app.pool())
        .await?
        .into_iter()
        .filter(|found| query.fits(&found.data))
        .map(|found| {
            let brand = Brand {
                initial: found.data.filed_under(),
                ..found.data
            };
            BrandView {
                id: found.id,
                product_count: counts.get(&brand.code).copied().unwrap_or(0),
                brand,
            }
        })
        .collect();
    brands.sort_by(|one, other| {
        let (one, other) = (&one.brand, &other.brand);
        other.index.cmp(&one.index).then(one.name.cmp(&other.name))
    });
    let summary = Summary::counting(&brands);
    Ok(fresh.answer(Brands { summary, brands }))
}

impl BrandListQuery {
    fn fits(&self, brand: &Brand) -> bool {
        let coded = self.code.as_ref().is_none_or(|code| *code == brand.code);
        let filed = self.chars.as_deref().is_none_or(|chars| {
            let mut letters = chars
                .chars()
                .filter_map(|letter| initial_of(&letter.to_string()));
            letters.any(|letter| Some(letter) == brand.filed_under())
        });
        let found = self
            .category
            .as_ref()
            .is_none_or(|category| brand.categories.contains(category));
        brand.shows && coded && filed && found
    }
}
