//! Grants points for reviews, by [`domain::policies::review_points`].

use domain::policies::review_points::{grant, written_review};
use domain::record::Record;
use domain::review::Review;
use event_store::{StoredEvent, async_trait};

use super::Policy;
use super::purchase_points::{give, setting_at};
use crate::app::App;
use crate::error::AppResult;

/// Grants points for reviews.
pub struct ReviewReward;

#[async_trait]
impl Policy for ReviewReward {
    fn name(&self) -> &'static str {
        "policy_rewarding"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_rewarding")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["review"]
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let happened = event.event::<Record<Review>>()?;
        let Some(review) = written_review(happened, event.version)? else {
            return Ok(());
        };
        let Some(setting) = setting_at(app, event).await? else {
            return Ok(());
        };
        let written_at = event.metadata.occurred_at;
        match grant(&review, &setting.review_points, setting.points, written_at) {
            Some(grant) => {
                let names = ("rewarding", "reward-review");
                give(app, event, names, review.user, grant).await
            }
            None => Ok(()),
        }
    }
}
