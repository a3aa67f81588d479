//! The member's reviews: one for each confirmed purchase.

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

/// A review of the member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MyReview {
    /// The public part of the review.
    #[serde(flatten)]
    review: ReviewView,
    /// The purchase it belongs to.
    #[serde(rename = "_purchase")]
    purchase: String,
    /// Whether shoppers see it; staff may have hidden it.
    shows: bool,
    /// Whether it is removed.
    removed: bool,
}

/// One review of the member.
#[derive(Serialize, ToSchema)]
pub struct MyReviewAnswer {
    /// The review.
    review: MyReview,
}

/// The text of a review.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ReviewForm {
    /// One to five stars.
    star: u8,
    /// One-line summary.
    subject: String,
    /// Full text.
    content: String,
    /// Pictures, as returned by their upload.
    #[serde(default)]
    images: Vec<Picture>,
}

impl Validate for ReviewForm {
    /// The rules are those of the review record.
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

/// A review of the member, read from the log and so always current.
async fn own(app: &AppState, id: Uuid, member: MemberId) -> AppResult<MyReviewAnswer> {
    let row = application::reviews::own(app, id, member).await?;
    let review = mine(app, &[row]).await?.pop();
    Ok(MyReviewAnswer {
        review: review.ok_or_else(AppError::not_found)?,
    })
}

/// Reviews as returned to their author.
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
