//! GET /api/v1/center/faqs: frequently asked questions, by what they are about or by a text.

use axum::extract::State;
use domain::center::{Faq, Topic};
use projections::records::{self, TypedRecord};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, ConsistencyToken, Page, Path, Query, Summary};
use application::html::plain_text;

/// Filters of the list.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct FaqListQuery {
    /// Only questions about this.
    #[param(inline)]
    category: Option<Topic>,
    /// Only questions that contain this text, in the question or its answer.
    search_value: Option<String>,
}

impl FaqListQuery {
    fn fits(&self, faq: &Faq) -> bool {
        let about = self
            .category
            .is_none_or(|category| category == faq.category);
        let text = self.search_value.as_deref().unwrap_or_default();
        let text = text.trim().to_lowercase();
        let holds = |of: &str| of.to_lowercase().contains(&text);
        about && (text.is_empty() || holds(&faq.name) || holds(&plain_text(&faq.reply)))
    }
}

/// A question with its answer.
#[derive(Serialize, ToSchema)]
pub struct FaqView {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// What it is about.
    category: Topic,
    /// The question.
    query: String,
    /// The answer, as HTML.
    reply: String,
}

/// A page of questions.
#[derive(Serialize, ToSchema)]
pub struct Faqs {
    /// Number of questions.
    summary: Summary,
    /// The questions of the page, highest index first.
    faqs: Vec<FaqView>,
}

/// One question.
#[derive(Serialize, ToSchema)]
pub struct FaqAnswer {
    /// The question.
    faq: FaqView,
}

impl From<TypedRecord<Faq>> for FaqView {
    fn from(found: TypedRecord<Faq>) -> Self {
        Self {
            id: found.id,
            category: found.data.category,
            query: found.data.name,
            reply: found.data.reply,
        }
    }
}

/// Frequently asked questions.
#[utoipa::path(
    get, path = "/api/v1/center/faqs", tag = "center", operation_id = "listFaqs", params(FaqListQuery, Page),
    responses((status = OK, body = Faqs))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<FaqListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<Faqs>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let mut faqs = records::all::<Faq>(app.pool()).await?;
    faqs.retain(|found| found.data.shows && query.fits(&found.data));
    faqs.sort_by_key(|found| std::cmp::Reverse(found.data.index));
    Ok(fresh.answer(Faqs {
        summary: Summary::counting(&faqs),
        faqs: page.of(faqs).map(FaqView::from).collect(),
    }))
}

/// One frequently asked question.
#[utoipa::path(
    get, path = "/api/v1/center/faqs/{id}", tag = "center", operation_id = "showFaq", params(("id" = String, Path)),
    responses((status = OK, body = FaqAnswer), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<FaqAnswer>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let found = records::found::<Faq>(app.pool(), &id).await?;
    let found = found.filter(|found| found.data.shows);
    let faq = found.ok_or_else(AppError::not_found)?.into();
    Ok(fresh.answer(FaqAnswer { faq }))
}
