//! Clicks on banners, stored individually and counted when read.

use serde::{Deserialize, Serialize};
use sqlx::PgPool;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::error::ReadError;
use crate::page::typed;

/// What was clicked (spec V208).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
pub enum BannerSubject {
    /// A popup.
    #[serde(rename = "_popup")]
    Popup,
    /// A slide of a banner.
    #[serde(rename = "_slide")]
    Slide,
    /// A banner among tags.
    #[serde(rename = "_tagBanner")]
    TagBanner,
    /// A story's card.
    #[serde(rename = "_storyCard")]
    StoryCard,
}

impl BannerSubject {
    /// Name on the wire and in the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Popup => "_popup",
            Self::Slide => "_slide",
            Self::TagBanner => "_tagBanner",
            Self::StoryCard => "_storyCard",
        }
    }
}

/// Clicks on one banner.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BannerCount {
    /// Kind of banner.
    pub subject: BannerSubject,
    /// Id of the banner.
    #[serde(rename = "_id")]
    pub target: Uuid,
    /// Number of clicks.
    pub count: i64,
    /// Clicks on each Seoul day with any.
    pub days: Vec<DayCount>,
}

/// Clicks on one day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DayCount {
    /// The Seoul day, `2026-05-01`.
    pub date: String,
    /// Number of clicks.
    pub count: i64,
}

/// Whether the target exists; tag banners and story cards have no records to check against.
///
/// # Errors
/// [`ReadError`].
pub async fn is_there(
    pool: &PgPool,
    subject: BannerSubject,
    target: Uuid,
) -> Result<bool, ReadError> {
    let there = match subject {
        BannerSubject::Popup => {
            "SELECT EXISTS (SELECT FROM records WHERE kind = 'popup' AND id = $1::text AND NOT removed)"
        }
        BannerSubject::Slide => {
            "SELECT EXISTS (SELECT FROM records WHERE kind = 'banner' AND NOT removed \
             AND data -> 'slides' @> jsonb_build_array(jsonb_build_object('_id', $1::text)))"
        }
        BannerSubject::TagBanner | BannerSubject::StoryCard => return Ok(false),
    };
    Ok(sqlx::query_scalar(there)
        .bind(target)
        .fetch_one(pool)
        .await?)
}

/// Records a click.
///
/// # Errors
/// [`ReadError`].
pub async fn add(
    pool: &PgPool,
    subject: BannerSubject,
    target: Uuid,
    now: OffsetDateTime,
) -> Result<(), ReadError> {
    sqlx::query("INSERT INTO banner_logs (subject, target, at) VALUES ($1, $2, $3)")
        .bind(subject.as_str())
        .bind(target)
        .bind(now)
        .execute(pool)
        .await?;
    Ok(())
}

/// Clicks in a period by target, most first.
///
/// # Errors
/// [`ReadError`].
pub async fn counts(
    pool: &PgPool,
    from: Option<OffsetDateTime>,
    to: Option<OffsetDateTime>,
) -> Result<Vec<BannerCount>, ReadError> {
    typed(
        sqlx::query_scalar(
            "SELECT jsonb_build_object('subject', subject, '_id', target, 'count', sum(followed), \
                    'days', jsonb_agg(jsonb_build_object('date', day, 'count', followed) ORDER BY day)) \
             FROM (SELECT subject, target, to_char(at AT TIME ZONE 'Asia/Seoul', 'YYYY-MM-DD') AS day, count(*) AS followed \
                   FROM banner_logs WHERE ($1::timestamptz IS NULL OR at >= $1) AND ($2::timestamptz IS NULL OR at < $2) \
                   GROUP BY 1, 2, 3) AS daily \
             GROUP BY subject, target ORDER BY sum(followed) DESC, subject, target",
        )
        .bind(from)
        .bind(to)
        .fetch_all(pool)
        .await?,
    )
}
