//! My reviews: of purchases that are final, one each.

pub mod change;
pub mod images;
pub mod list;
pub mod remove;
pub mod show;
pub mod write;

use domain::catalogue::Picture;
use domain::forms::{FormErrors, Validate};
use domain::ids::MemberId;
use domain::review::ReviewWords;
use projections::reviews::ReviewRow;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{AppError, AppResult};
use crate::shop::reviews::{ReviewView, views};

/// A review of mine.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MyReview {
    /// What anybody reads.
    #[serde(flatten)]
    review: ReviewView,
    /// The purchase it belongs to.
    #[serde(rename = "_purchase")]
    purchase: String,
    /// Shoppers see it; staff may have hidden it.
    shows: bool,
    /// It was removed.
    removed: bool,
}

/// One review of mine.
#[derive(Serialize, ToSchema)]
pub struct MyReviewAnswer {
    /// It.
    review: MyReview,
}

/// What I say about what I bought.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ReviewForm {
    /// One to five.
    star: u8,
    /// In a line.
    subject: String,
    /// In full.
    content: String,
    /// Pictures, as giving them answered.
    #[serde(default)]
    images: Vec<Picture>,
}

impl Validate for ReviewForm {
    /// The rules are the record's own.
    fn check(&self, _checks: &mut FormErrors) {}
}

impl ReviewForm {
    fn words(&self) -> ReviewWords {
        ReviewWords {
            star: self.star,
            subject: self.subject.trim().to_owned(),
            content: self.content.trim().to_owned(),
            images: self.images.clone(),
        }
    }
}

/// A review of mine, from the log, so never behind.
async fn own(app: &AppState, id: Uuid, member: MemberId) -> AppResult<MyReviewAnswer> {
    let row = application::reviews::own(app, id, member).await?;
    let review = mine(app, &[row]).await?.pop();
    Ok(MyReviewAnswer {
        review: review.ok_or_else(AppError::not_found)?,
    })
}

/// Reviews as their writer sees them.
async fn mine(app: &AppState, rows: &[ReviewRow]) -> AppResult<Vec<MyReview>> {
    let author = rows.first().map(|row| row.author);
    let views = views(app, author, rows).await?;
    let rows = rows.iter().zip(views);
    Ok(rows
        .map(|(row, review)| MyReview {
            review,
            purchase: row.purchase_no.clone(),
            shows: row.shows,
            removed: row.removed,
        })
        .collect())
}
