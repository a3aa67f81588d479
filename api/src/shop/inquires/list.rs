//! GET /api/v1/shop/inquires: inquiries about a product. There is no search, because it would disclose the text of secret ones.

use axum::extract::State;
use domain::ids::ProductId;
use domain::member_record::AnswerState;
use projections::inquires::{self, InquireFilter};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{InquireView, Reading, views};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, ConsistencyToken, OptionalMember, Page, Query, Summary};

/// Filters of the inquiry list.
#[derive(Deserialize, IntoParams)]
pub struct InquireListQuery {
    /// Only inquiries about this product; default: about all products.
    #[serde(rename = "_product")]
    product: Option<ProductId>,
    /// Only answered, or only unanswered ones.
    #[param(inline)]
    state: Option<AnswerState>,
    /// Whether to leave out secret ones.
    #[serde(default)]
    public: bool,
}

/// A page of inquiries.
#[derive(Serialize, ToSchema)]
pub struct Inquires {
    /// Number of inquiries.
    pub summary: Summary,
    /// The inquiries of the page.
    pub inquires: Vec<InquireView>,
}

/// Inquiries, newest first; secret ones without their text.
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
