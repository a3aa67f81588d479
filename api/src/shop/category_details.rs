//! GET /api/v1/shop/category-details, GET {id}: texts about categories.

use axum::extract::State;
use domain::storefront::category_detail::CategoryDetail;
use projections::records::{self, TypedRecord};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, Page, Path, Query, Summary};

/// Which category details.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CategoryDetailListQuery {
    /// Only those of this category (code), and those of all categories.
    category: Option<String>,
    /// Only those of this seller (id).
    #[serde(rename = "_seller")]
    seller: Option<String>,
}

/// A category detail.
#[derive(Serialize, ToSchema)]
pub struct CategoryDetailView {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Its document.
    #[serde(flatten)]
    detail: CategoryDetail,
}

/// A page of category details.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CategoryDetails {
    /// Number of category details.
    summary: Summary,
    /// The category details of the page, highest index first.
    category_details: Vec<CategoryDetailView>,
}

/// One category detail.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CategoryDetailAnswer {
    /// The category detail.
    category_detail: CategoryDetailView,
}

impl From<TypedRecord<CategoryDetail>> for CategoryDetailView {
    fn from(TypedRecord { id, data, .. }: TypedRecord<CategoryDetail>) -> Self {
        Self { id, detail: data }
    }
}

impl CategoryDetailListQuery {
    /// Whether a detail is of the category and the seller; one of no category is of all.
    fn fits(&self, detail: &CategoryDetail) -> bool {
        let of_category =
            |wanted: &String| detail.category.as_ref().is_none_or(|own| own == wanted);
        let of_seller =
            |wanted: &String| detail.seller.is_some_and(|own| own.to_string() == *wanted);
        self.category.as_ref().is_none_or(of_category) && self.seller.as_ref().is_none_or(of_seller)
    }
}

/// Category details.
#[utoipa::path(get, path = "/api/v1/shop/category-details", tag = "shop", operation_id = "listCategoryDetailsOfShop", params(CategoryDetailListQuery), responses((status = OK, body = CategoryDetails)))]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<CategoryDetailListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CategoryDetails>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let mut found = records::all::<CategoryDetail>(app.pool()).await?;
    found.retain(|found| found.data.shows && query.fits(&found.data));
    found.sort_by_key(|found| std::cmp::Reverse(found.data.index));
    let summary = Summary::counting(&found);
    let category_details = page.of(found).map(CategoryDetailView::from).collect();
    let answer = CategoryDetails {
        summary,
        category_details,
    };
    Ok(fresh.answer(answer))
}

/// A category detail.
#[utoipa::path(
    get, path = "/api/v1/shop/category-details/{id}", tag = "shop", operation_id = "showCategoryDetailOfShop", params(("id" = String, Path)),
    responses((status = OK, body = CategoryDetailAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<CategoryDetailAnswer>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let found = records::found::<CategoryDetail>(app.pool(), &id).await?;
    let found = found.filter(|found| found.data.shows);
    let category_detail = found.ok_or_else(AppError::not_found)?.into();
    Ok(fresh.answer(CategoryDetailAnswer { category_detail }))
}
