//! GET /api/v1/shop/inquires: what was asked about a product. A search is not offered: it would tell what secret ones say.

use axum::extract::State;
use domain::ids::ProductId;
use domain::inquire::AnswerState;
use projections::inquires::{self, InquireFilter};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{InquireView, Reading, views};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, OptionalMember, Page, Query, Summary};

/// Filters of the inquiry list.
#[derive(Deserialize, IntoParams)]
pub struct InquireListQuery {
    /// About this product; about any without it.
    #[serde(rename = "_product")]
    product: Option<ProductId>,
    /// Answered, or not yet.
    #[param(inline)]
    state: Option<AnswerState>,
    /// Without secret ones.
    #[serde(default)]
    public: bool,
}

/// A page of inquiries.
#[derive(Serialize, ToSchema)]
pub struct Inquires {
    /// How many there are.
    pub summary: Summary,
    /// This page's.
    pub inquires: Vec<InquireView>,
}

/// Inquiries, the newest first; of secret ones only that they are there.
#[utoipa::path(
    get, path = "/api/v1/shop/inquires", tag = "shop", operation_id = "listInquires", params(InquireListQuery, Page),
    security((), ("access" = [])), responses((status = OK, body = Inquires))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    who: OptionalMember,
    Query(query): Query<InquireListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Inquires>> {
    let fresh = wait.until(&app, &[inquires::NAME]).await?;
    let filter = InquireFilter {
        product: query.product,
        author: None,
        state: query.state,
        public_only: query.public,
    };
    let listed = inquires::inquires(app.pool(), &filter, page.into()).await?;
    let reader = Reading::by(who.0.as_ref());
    Ok(fresh.answer(Inquires {
        summary: Summary::of(&listed),
        inquires: views(&app, reader, &listed.rows).await?,
    }))
}
