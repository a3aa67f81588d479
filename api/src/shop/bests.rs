//! GET /api/v1/shop/bests: the best-selling products of the last thirty days.

use axum::extract::State;
use domain::ids::ProductId;
use projections::products::{self, ProductCard};
use projections::{categories, orders, stock};
use serde::{Deserialize, Serialize};
use time::Duration;
use utoipa::{IntoParams, ToSchema};

use super::cards::dress;
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, OptionalMember, Page, Query, Summary};

/// Period of the sales counted.
const SINCE: Duration = Duration::days(30);
/// Maximum number of products in the list.
const PLACES: i64 = 100;

/// Filter of the best-seller list.
#[derive(Deserialize, IntoParams)]
pub struct BestListQuery {
    /// Only products of this category (code) and its subcategories.
    category: Option<String>,
}

/// A product with its rank.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BestProduct {
    /// The product.
    #[serde(flatten)]
    product: ProductCard,
    /// Its rank, from 1.
    rank: i64,
    /// Quantity sold in the period.
    recent_sells: i64,
}

/// A page of the list.
#[derive(Serialize, ToSchema)]
pub struct Bests {
    /// Number of products in the list, 100 at most.
    summary: Summary,
    /// The products of the page, best first.
    products: Vec<BestProduct>,
}

/// Best sellers.
#[utoipa::path(
    get, path = "/api/v1/shop/bests", tag = "shop", operation_id = "listBests", params(BestListQuery),
    responses((status = OK, body = Bests))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: OptionalMember,
    Query(query): Query<BestListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Bests>> {
    let fresh = wait
        .until(
            &app,
            &[orders::NAME, products::NAME, stock::NAME, categories::NAME],
        )
        .await?;
    let under = match query.category {
        Some(code) => {
            let (tree, _) = categories::category_tree(app.pool()).await?;
            let codes = tree.with_descendants(&code).into_iter();
            Some(codes.map(str::to_owned).collect::<Vec<String>>())
        }
        None => None,
    };
    let since = app.clock.now() - SINCE;
    let sold = orders::bests(app.pool(), since, under.as_deref(), PLACES).await?;
    let summary = Summary::counting(&sold);
    let ranked: Vec<(i64, (ProductId, i64))> = page.of((1_i64..).zip(sold)).collect();
    let ids: Vec<ProductId> = ranked.iter().map(|(_, (id, _))| *id).collect();
    let mut cards = app.cards().await?.shown(&ids).await?;
    dress(&app, who.member(), &mut cards).await?;
    let products = cards
        .into_iter()
        .filter_map(|product| {
            let (rank, (_, recent_sells)) =
                *ranked.iter().find(|(_, (id, _))| *id == product.id)?;
            Some(BestProduct {
                product,
                rank,
                recent_sells,
            })
        })
        .collect();
    Ok(fresh.answer(Bests { summary, products }))
}
