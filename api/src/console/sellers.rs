//! GET /api/console/shop/sellers, GET {id}: possible owners of products, for staff to choose from. A seller finds only themselves.

use application::nickname_index::IndexedMember;
use application::resources::references::SELLER;
use application::resources::schema::Field;
use axum::extract::State;
use domain::ids::MemberId;
use projections::members;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;

use super::records::{Descriptor, STAFF_AND_SELLERS};
use crate::app::AppState;
use crate::http::routes;
use crate::http::{
    ApiResponse, ApiResult, AppError, ConsistencyToken, Page, Path, Query, StaffOrSeller, Summary,
};

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
}

/// The descriptor that the console needs to search sellers; they are members, so it cannot create or change them.
pub fn descriptor() -> Descriptor {
    Descriptor {
        name: SELLER,
        path: "/api/console/shop/sellers",
        one: "seller",
        many: "sellers",
        title: "판매자",
        scopes: STAFF_AND_SELLERS,
        ledger: true,
        tree: false,
        search: &["name"],
        sorts: &["name"],
        default_sort: "name",
        filters: &[],
        fields: vec![Field::text("name", "판매자명").read_only()],
        actions: &[],
        staff_only: &[],
    }
}

/// Text of a seller search.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase", default)]
pub struct SellerQuery {
    /// A substring of a name.
    search_value: String,
}

/// A seller.
#[derive(Serialize, ToSchema)]
pub struct Seller {
    /// Id of the seller.
    #[serde(rename = "_id")]
    id: MemberId,
    /// Name of the seller.
    name: String,
}

/// A page of sellers.
#[derive(Serialize, ToSchema)]
pub struct Sellers {
    /// Number of sellers found.
    summary: Summary,
    /// The sellers of the page.
    sellers: Vec<Seller>,
}

/// One seller.
#[derive(Serialize, ToSchema)]
pub struct SellerAnswer {
    /// The seller.
    seller: Seller,
}

impl From<IndexedMember> for Seller {
    fn from(known: IndexedMember) -> Self {
        Self {
            id: known.id,
            name: known.nickname,
        }
    }
}

/// Sellers by name.
#[utoipa::path(
    get, path = "/api/console/shop/sellers", tag = "console", operation_id = "listSellers",
    params(SellerQuery, Page), security(("access" = [])), responses((status = OK, body = Sellers))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Query(query): Query<SellerQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Sellers>> {
    let fresh = wait.until(&app, &[members::NAME]).await?;
    let within = |known: &IndexedMember| who.rows.seller().is_none_or(|seller| seller == known.id);
    let found = app
        .nickname_index
        .find(&query.search_value, |known| known.sells() && within(known))
        .await?;
    let summary = Summary::counting(&found);
    let sellers = page.of(found).map(Seller::from).collect();
    Ok(fresh.answer(Sellers { summary, sellers }))
}

/// A seller.
#[utoipa::path(
    get, path = "/api/console/shop/sellers/{id}", tag = "console", operation_id = "showSeller",
    params(("id" = MemberId, Path)), security(("access" = [])),
    responses((status = OK, body = SellerAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    Path(id): Path<MemberId>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<SellerAnswer>> {
    let fresh = wait.until(&app, &[members::NAME]).await?;
    who.rows.reaches(id)?;
    let known = app.nickname_index.one(id).await?;
    let known = known
        .filter(IndexedMember::sells)
        .ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(SellerAnswer {
        seller: known.into(),
    }))
}
