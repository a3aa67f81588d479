//! GET /api/v1/shop/showrooms, GET {id}: showrooms, sets of products shown together.

use axum::extract::State;
use domain::catalogue::Picture;
use domain::storefront::Showroom;
use projections::products::{self, ProductCard};
use projections::records::TypedRecord;
use projections::{records, stock};
use serde::Serialize;
use utoipa::ToSchema;

use super::cards::dress;
use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, OptionalMember, Page, Path,
    Summary,
};

/// A showroom in a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ShowroomCard {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Its code.
    code: String,
    /// Its name.
    name: String,
    /// Description.
    desc: String,
    /// Its picture.
    image: Picture,
    /// Number of its products.
    product_count: usize,
}

/// A showroom with its products.
#[derive(Serialize, ToSchema)]
pub struct ShowroomView {
    /// The showroom, as in lists.
    #[serde(flatten)]
    card: ShowroomCard,
    /// The products that are for sale, in order.
    products: Vec<ProductCard>,
}

/// A page of showrooms.
#[derive(Serialize, ToSchema)]
pub struct Showrooms {
    /// Number of showrooms.
    summary: Summary,
    /// The showrooms of the page, highest index first.
    showrooms: Vec<ShowroomCard>,
}

/// One showroom.
#[derive(Serialize, ToSchema)]
pub struct ShowroomAnswer {
    /// The showroom.
    showroom: ShowroomView,
}

async fn shown(app: &AppState) -> AppResult<Vec<TypedRecord<Showroom>>> {
    let mut found = records::all::<Showroom>(app.pool()).await?;
    found.retain(|found| found.data.shows);
    found.sort_by_key(|found| std::cmp::Reverse(found.data.index));
    Ok(found)
}

fn card(found: TypedRecord<Showroom>) -> ShowroomCard {
    ShowroomCard {
        id: found.id,
        product_count: found.data.products.len(),
        code: found.data.code,
        name: found.data.name,
        desc: found.data.desc,
        image: found.data.image,
    }
}

/// Showrooms.
#[utoipa::path(get, path = "/api/v1/shop/showrooms", tag = "shop", operation_id = "listShowrooms", responses((status = OK, body = Showrooms)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Showrooms>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let shown = shown(&app).await?;
    let summary = Summary::counting(&shown);
    let showrooms = page.of(shown).map(card).collect();
    Ok(fresh.answer(Showrooms { summary, showrooms }))
}

/// A showroom, by its id or its code.
#[utoipa::path(
    get, path = "/api/v1/shop/showrooms/{id}", tag = "shop", operation_id = "showShowroom", params(("id" = String, Path)),
    responses((status = OK, body = ShowroomAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: OptionalMember,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<ShowroomAnswer>> {
    let fresh = wait
        .until(&app, &[records::NAME, products::NAME, stock::NAME])
        .await?;
    let found = shown(&app)
        .await?
        .into_iter()
        .find(|found| found.id == id || found.data.code == id)
        .ok_or_else(AppError::not_found)?;
    let mut products = app.cards().await?.shown(&found.data.products).await?;
    dress(&app, who.member(), &mut products).await?;
    let showroom = ShowroomView {
        card: card(found),
        products,
    };
    Ok(fresh.answer(ShowroomAnswer { showroom }))
}
