//! GET /api/v1/shop/displays: products displayed at the shop's places; GET {code}/categories: the categories of a display.

use axum::extract::State;
use domain::ids::ProductId;
use domain::storefront::{ProductDisplay, ShowItem};
use projections::categories::category_tree;
use projections::products::{self, ProductCard};
use projections::{categories, records, stock};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::cards::dress;
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, OptionalMember, Path, Query,
};

/// Filter of the display list.
#[derive(Deserialize, IntoParams)]
pub struct DisplayListQuery {
    /// Only displays of this place; several codes separated by commas.
    code: Option<String>,
}

/// A display.
#[derive(Serialize, ToSchema)]
pub struct DisplayView {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// The place.
    code: &'static str,
    /// Its headline.
    name: String,
    /// Texts, in order.
    items: Vec<ShowItem>,
    /// Sort order, higher first.
    index: i32,
    /// The products that are for sale, in order.
    products: Vec<ProductCard>,
}

/// Displays.
#[derive(Serialize, ToSchema)]
pub struct Displays {
    /// The displays, highest index first.
    displays: Vec<DisplayView>,
}

/// A category of displayed products.
#[derive(Serialize, ToSchema)]
pub struct DisplayCategory {
    /// Its code.
    code: String,
    /// Its name.
    name: String,
    /// Number of displayed products in it.
    count: usize,
}

/// The categories of a display.
#[derive(Serialize, ToSchema)]
pub struct DisplayCategories {
    /// The categories, in the order of the products.
    categories: Vec<DisplayCategory>,
}

/// The visible displays; only those with these codes, if any are given.
async fn shown(app: &AppState, code: Option<&str>) -> AppResult<Vec<(String, ProductDisplay)>> {
    let mut found = records::all::<ProductDisplay>(app.pool()).await?;
    found.retain(|found| {
        let place = found.data.code;
        let asked =
            code.is_none_or(|codes| codes.split(',').any(|code| code.trim() == place.as_str()));
        found.data.shows && place.is_public() && asked
    });
    found.sort_by_key(|found| std::cmp::Reverse(found.data.index));
    Ok(found
        .into_iter()
        .map(|found| (found.id, found.data))
        .collect())
}

/// Displays.
#[utoipa::path(
    get, path = "/api/v1/shop/displays", tag = "shop", operation_id = "listDisplays", params(DisplayListQuery),
    responses((status = OK, body = Displays))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: OptionalMember,
    Query(query): Query<DisplayListQuery>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Displays>> {
    let fresh = wait
        .until(&app, &[records::NAME, products::NAME, stock::NAME])
        .await?;
    let shown = shown(&app, query.code.as_deref()).await?;
    let mut ids: Vec<ProductId> = shown
        .iter()
        .flat_map(|(_, display)| display.products.iter().copied())
        .collect();
    ids.sort_unstable();
    ids.dedup();
    let mut cards = app.cards().await?.shown(&ids).await?;
    dress(&app, who.member(), &mut cards).await?;
    let displays = shown
        .into_iter()
        .map(|(id, display)| DisplayView {
            id,
            code: display.code.as_str(),
            name: display.name,
            items: display.items,
            index: display.index,
            products: display
                .products
                .iter()
                .filter_map(|id| cards.iter().find(|card| card.id == *id).cloned())
                .collect(),
        })
        .collect();
    Ok(fresh.answer(Displays { displays }))
}

/// Categories of a display's products.
#[utoipa::path(
    get, path = "/api/v1/shop/displays/{code}/categories", tag = "shop", operation_id = "listDisplayCategories",
    params(("code" = String, Path)),
    responses((status = OK, body = DisplayCategories), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn categories(
    State(app): State<AppState>,
    Path(code): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<DisplayCategories>> {
    let fresh = wait
        .until(&app, &[records::NAME, products::NAME, categories::NAME])
        .await?;
    let (_, display) = shown(&app, Some(&code))
        .await?
        .into_iter()
        .find(|(_, display)| display.code.as_str() == code)
        .ok_or_else(AppError::not_found)?;
    let (tree, _) = category_tree(app.pool()).await?;
    let mut found: Vec<DisplayCategory> = Vec::new();
    for card in app.cards().await?.shown(&display.products).await? {
        for code in card.categories {
            match found.iter_mut().find(|known| known.code == code) {
                Some(known) => known.count = known.count.saturating_add(1),
                None => {
                    let Some(category) = tree.by_code(&code) else {
                        continue;
                    };
                    found.push(DisplayCategory {
                        name: category.facts.name.clone(),
                        code,
                        count: 1,
                    });
                }
            }
        }
    }
    Ok(fresh.answer(DisplayCategories { categories: found }))
}
