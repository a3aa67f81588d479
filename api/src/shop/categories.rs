//! GET /api/v1/shop/categories: the category tree, with the names and logos of its brands.

use axum::extract::State;
use domain::catalogue::tree::{Branch, Visual};
use domain::ids::CategoryId;
use domain::storefront::Label;
use projections::products::CardRules;
use projections::{categories, records};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, Query};

/// Part of the tree.
#[derive(Deserialize, IntoParams)]
pub struct CategoryTreeQuery {
    /// Only this category and its subtree.
    code: Option<String>,
    /// Number of levels returned.
    depth: Option<usize>,
}

/// A brand shown with a category.
#[derive(Serialize, ToSchema)]
pub struct CategoryBrand {
    /// Its code.
    code: String,
    /// Its name.
    name: String,
    /// Its logo.
    label: Label,
}

/// A category with its descendants.
#[derive(Serialize, ToSchema)]
pub struct CategoryBranch {
    /// Its id.
    #[serde(rename = "_id")]
    id: CategoryId,
    /// Its code.
    code: String,
    /// Its name.
    name: String,
    /// Picture; inherited from the nearest ancestor that has one.
    visual: Visual,
    /// The brands shown with it, without hidden ones.
    brands: Vec<CategoryBrand>,
    /// Whether shoppers see it.
    shows: bool,
    /// Place among its siblings.
    index: i32,
    /// Depth; 1 at the top level.
    depth: usize,
    /// Child categories, in order.
    #[schema(no_recursion)]
    children: Vec<CategoryBranch>,
}

impl CategoryBranch {
    fn of(branch: Branch, rules: &CardRules) -> Self {
        let brand = |code: String| {
            let mark = rules.brand_mark(&code)?.clone();
            Some(CategoryBrand {
                code,
                name: mark.name,
                label: mark.label,
            })
        };
        Self {
            id: branch.id,
            code: branch.code,
            name: branch.name,
            visual: branch.visual,
            brands: branch.brands.into_iter().filter_map(brand).collect(),
            shows: branch.shows,
            index: branch.index,
            depth: branch.depth,
            children: Self::all(branch.children, rules),
        }
    }

    fn all(branches: Vec<Branch>, rules: &CardRules) -> Vec<Self> {
        let branches = branches.into_iter();
        branches.map(|branch| Self::of(branch, rules)).collect()
    }
}

/// The tree.
#[derive(Serialize, ToSchema)]
pub struct Categories {
    /// The top-level categories.
    categories: Vec<CategoryBranch>,
}

/// Categories.
#[utoipa::path(
    get, path = "/api/v1/shop/categories", tag = "shop", operation_id = "listCategories", params(CategoryTreeQuery),
    responses((status = OK, body = Categories))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<CategoryTreeQuery>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Categories>> {
    let fresh = wait.until(&app, &[categories::NAME, records::NAME]).await?;
    let branches =
        categories::categories(app.pool(), query.code.as_deref(), query.depth, false).await?;
    let categories = CategoryBranch::all(branches, &app.cards().await?.rules);
    Ok(fresh.answer(Categories { categories }))
}
