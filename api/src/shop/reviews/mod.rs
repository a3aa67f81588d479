//! What buyers say about products, as anybody reads it.

pub mod images;
pub mod list;
pub mod show;

use application::members::profiles::nicknames;
use domain::catalogue::Picture;
use domain::ids::{MemberId, ProductId};
use domain::shown::masked_nickname;
use projections::reviews::{ProductStars, ReviewRow};
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::AppResult;

/// A review as anybody reads it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewView {
    /// The review.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// What it is about.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// The product's name when it was bought.
    pub name: String,
    /// The option's name when it was bought.
    pub option_name: Option<String>,
    /// One to five.
    pub star: u8,
    /// In a line.
    pub subject: String,
    /// In full.
    pub content: String,
    /// Pictures the buyer took.
    pub images: Vec<Picture>,
    /// What the shop answered.
    pub reply: Option<String>,
    /// When.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub replied_at: Option<OffsetDateTime>,
    /// Staff picked it as one of the best.
    pub is_best: bool,
    /// Who wrote it, half hidden; none: somebody who left.
    pub author: Option<String>,
    /// The reader wrote it.
    pub mine: bool,
    /// When it was written.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
}

/// One review.
#[derive(Serialize, ToSchema)]
pub struct ReviewAnswer {
    /// It.
    pub review: ReviewView,
}

/// What the reviews of a product come to.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewSummary {
    /// How many match what was asked for.
    pub total_count: i64,
    /// How many the product has.
    pub count: i64,
    /// How many of those have a picture.
    pub pictured: i64,
    /// Their average in hundredths of a star; 0 without reviews.
    pub star: i64,
    /// How many have one star, two, ... five.
    pub stars: [i64; 5],
}

impl ReviewSummary {
    /// Of a product's reviews, so many of which match.
    pub fn of(stars: Option<&ProductStars>, total_count: i64) -> Self {
        Self {
            total_count,
            count: stars.map_or(0, |stars| stars.count),
            pictured: stars.map_or(0, |stars| stars.pictured),
            star: stars.map_or(0, ProductStars::average),
            stars: stars.map_or([0; 5], ProductStars::by_star),
        }
    }
}

/// Reviews as `reader` sees them.
///
/// # Errors
/// The database's.
pub(crate) async fn views(
    app: &AppState,
    reader: Option<MemberId>,
    rows: &[ReviewRow],
) -> AppResult<Vec<ReviewView>> {
    let names = nicknames(app, rows.iter().map(|row| row.author)).await?;
    rows.iter()
        .map(|row| {
            let review = row.review()?;
            let nickname = names.get(&row.author);
            Ok(ReviewView {
                id: row.id,
                product: review.product,
                name: review.name,
                option_name: review.option_name,
                star: review.star,
                subject: review.subject,
                content: review.content,
                // their files went with whoever left
                images: match nickname {
                    Some(_) => review.images,
                    None => Vec::new(),
                },
                reply: Some(review.reply).filter(|reply| !reply.is_empty()),
                replied_at: row.replied_at,
                is_best: review.is_best,
                author: nickname.map(|name| masked_nickname(name)),
                mine: reader == Some(row.author),
                created_at: row.created_at,
            })
        })
        .collect()
}
