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
use domain::record::{Record, RecordCommand};
use domain::review::{Review, ReviewWords};
use event_store::{StreamId, Versioned};
use projections::reviews::{self, ReviewRow};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::app::AppState;
use crate::http::{AppError, AppResult};
use crate::shop::reviews::{ReviewView, views};
use application::executor::{AppendBatch, decide};
use domain::ids::derived_id;

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

/// The review of a purchase: its id follows from the purchase, so that two of them are one stream, and come to one.
pub fn id_of_review(purchase_no: &str) -> Uuid {
    derived_id(&format!("review of {purchase_no}"))
}

/// A review loaded from the log.
struct LoadedReview {
    id: Uuid,
    record: Versioned<Record<Review>>,
    row: Option<ReviewRow>,
}

impl LoadedReview {
    async fn by_id(app: &AppState, id: Uuid) -> AppResult<Self> {
        let events = app
            .store
            .read_stream(&StreamId::of::<Record<Review>>(id))
            .await?;
        Ok(Self {
            id,
            record: Versioned::fold(&events)?,
            row: reviews::of_events(&events)?,
        })
    }

    /// If `member` wrote it.
    async fn own(app: &AppState, id: Uuid, member: MemberId) -> AppResult<Self> {
        let found = Self::by_id(app, id).await?;
        match &found.row {
            Some(row) if row.author == member => Ok(found),
            _ => Err(AppError::not_found()),
        }
    }

    /// What it takes to do this with it.
    fn change(
        &self,
        act: RecordCommand<Review>,
        context: &domain::Context,
    ) -> AppResult<AppendBatch> {
        Ok(AppendBatch::of([decide(
            self.id,
            &self.record,
            act,
            context,
        )?]))
    }

    async fn shown(&self, app: &AppState) -> AppResult<MyReviewAnswer> {
        let row = self.row.clone().ok_or_else(AppError::not_found)?;
        let review = mine(app, &[row]).await?.pop();
        Ok(MyReviewAnswer {
            review: review.ok_or_else(AppError::not_found)?,
        })
    }
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
