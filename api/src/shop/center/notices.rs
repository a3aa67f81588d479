//! GET /api/v1/center/notifications: announcements of the shop, pinned ones first.

use axum::extract::State;
use domain::center::{Attachment, Notice, NoticeCategory};
use projections::records;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, Page, Path, Query, Summary,
};
use application::html::plain_text;

/// Filters of the list.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
pub struct NoticeListQuery {
    /// Only announcements about this.
    #[param(inline)]
    category: Option<NoticeCategory>,
    /// Only announcements that contain this text, in the headline or the text.
    search_value: Option<String>,
}

impl NoticeListQuery {
    fn fits(&self, notice: &Notice) -> bool {
        let about = self
            .category
            .is_none_or(|category| category == notice.category);
        let text = self.search_value.as_deref().unwrap_or_default();
        let text = text.trim().to_lowercase();
        let holds = |of: &str| of.to_lowercase().contains(&text);
        about && (text.is_empty() || holds(&notice.name) || holds(&plain_text(&notice.content)))
    }
}

/// An announcement in a list.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NoticeRow {
    /// Id of the record.
    #[serde(rename = "_id")]
    id: String,
    /// Headline.
    name: String,
    /// What it is about.
    category: NoticeCategory,
    /// Whether it stands above the others.
    pinned: bool,
    /// Number of attached files.
    file_count: usize,
    /// Since when it is shown.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    created_at: OffsetDateTime,
}

/// An announcement with its text.
#[derive(Serialize, ToSchema)]
pub struct NoticeView {
    #[serde(flatten)]
    row: NoticeRow,
    /// The text, as HTML.
    content: String,
    /// Files to download.
    files: Vec<Attachment>,
}

/// A page of announcements.
#[derive(Serialize, ToSchema)]
pub struct NoticeRows {
    /// Number of announcements.
    summary: Summary,
    /// The announcements of the page: pinned ones first, then the newest.
    notifications: Vec<NoticeRow>,
}

/// The announcements beside one.
#[derive(Serialize, ToSchema)]
pub struct NoticeAnswer {
    /// The announcement.
    notification: NoticeView,
    /// The next newer one; null for the first of the list.
    newer: Option<NoticeRow>,
    /// The next older one; null for the last of the list.
    older: Option<NoticeRow>,
}

/// Since when a notice is shown: the start of its period, or when it was written.
fn since(notice: &Notice, written_at: OffsetDateTime) -> OffsetDateTime {
    let start = notice.display.started_at;
    start
        .filter(|_| notice.display.has_period)
        .unwrap_or(written_at)
}

/// A notice that is shown.
struct ShownNotice {
    id: String,
    data: Notice,
    since: OffsetDateTime,
}

fn row(found: &ShownNotice) -> NoticeRow {
    NoticeRow {
        id: found.id.clone(),
        name: found.data.name.clone(),
        category: found.data.category,
        pinned: found.data.pinned,
        file_count: found.data.files.len(),
        created_at: found.since,
    }
}

async fn shown(app: &AppState) -> AppResult<Vec<ShownNotice>> {
    let now = app.clock.now();
    let mut notices = Vec::new();
    for row in records::rows::<Notice>(app.pool()).await? {
        let written_at = row.created_at;
        let found = row.into_found::<Notice>()?;
        if found.data.display.shown_at(now) {
            notices.push(ShownNotice {
                since: since(&found.data, written_at),
                id: found.id,
                data: found.data,
            });
        }
    }
    notices.sort_by_key(|found| std::cmp::Reverse((found.data.pinned, found.since)));
    Ok(notices)
}

/// Announcements.
#[utoipa::path(
    get, path = "/api/v1/center/notifications", tag = "center", operation_id = "listNotices", params(NoticeListQuery, Page),
    responses((status = OK, body = NoticeRows))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    Query(query): Query<NoticeListQuery>,
    page: Page,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<NoticeRows>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let mut notices = shown(&app).await?;
    notices.retain(|found| query.fits(&found.data));
    Ok(fresh.answer(NoticeRows {
        summary: Summary::counting(&notices),
        notifications: page.of(&notices).map(row).collect(),
    }))
}

/// One announcement, with those beside it.
#[utoipa::path(
    get, path = "/api/v1/center/notifications/{id}", tag = "center", operation_id = "showNotice", params(("id" = String, Path)),
    responses((status = OK, body = NoticeAnswer), (status = NOT_FOUND, description = "not_found: also before and after its period"))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    Path(id): Path<String>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<NoticeAnswer>> {
    let fresh = wait.until(&app, &[records::NAME]).await?;
    let notices = shown(&app).await?;
    let place = notices.iter().position(|found| found.id == id);
    let place = place.ok_or_else(AppError::not_found)?;
    let beside = |place: Option<usize>| place.and_then(|place| notices.get(place)).map(row);
    let found = notices.get(place).ok_or_else(AppError::not_found)?;
    Ok(fresh.answer(NoticeAnswer {
        notification: NoticeView {
            row: row(found),
            content: found.data.content.clone(),
            files: found.data.files.clone(),
        },
        newer: beside(place.checked_sub(1)),
        older: beside(place.checked_add(1)),
    }))
}
