//! Public reviews of products.

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

/// A review, as shown to the public.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewView {
    /// Id of the review.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Id of the product.
    #[serde(rename = "_product")]
    pub product: ProductId,
    /// Name of the product at the time of the purchase.
    pub name: String,
    /// Name of the option at the time of the purchase.
    pub option_name: Option<String>,
    /// One to five stars.
    pub star: u8,
    /// One-line summary.
    pub subject: String,
    /// Full text.
    pub content: String,
    /// Pictures taken by the buyer.
    pub images: Vec<Picture>,
    /// The reply of the shop.
    pub reply: Option<String>,
    /// Time of the reply.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub replied_at: Option<OffsetDateTime>,
    /// Whether staff selected it as one of the best.
    pub is_best: bool,
    /// Masked name of the author; null if the account is closed.
    pub author: Option<String>,
    /// Whether the caller is its author.
    pub mine: bool,
    /// Time of the review.
    #[serde(with = "time::serde::rfc3339")]
    #[schema(value_type = String, format = DateTime)]
    pub created_at: OffsetDateTime,
}

/// One review.
#[derive(Serialize, ToSchema)]
pub struct ReviewAnswer {
    /// The review.
    pub review: ReviewView,
}

/// Summary of the reviews of a product.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReviewSummary {
    /// Number of reviews that match the filters.
    pub total_count: i64,
    /// Number of all reviews of the product.
    pub count: i64,
    /// Number of these with a picture.
    pub pictured: i64,
    /// Their average in hundredths of a star; 0 without reviews.
    pub star: i64,
    /// Number of reviews with one star, two, ... five.
    pub stars: [i64; 5],
}

impl ReviewSummary {
    /// The summary for a product, with this number of matching reviews.
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

/// Reviews as returned to `reader`.
///
/// # Errors
/// Database errors.
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
                // Their files were removed when the author's account was closed.
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
