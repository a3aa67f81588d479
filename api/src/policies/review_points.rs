//! Grants points for reviews, as set in the site setting, more for one with a picture. Once per purchase: a review that was removed
//! and written again earns nothing.

use domain::Amount;
use domain::points::PointsCommand;
use domain::record::{Record, RecordEvent};
use domain::review::Review;
use domain::site::SiteSetting;
use event_store::{StoredEvent, async_trait};
use serde_json::Value;

use super::Policy;
use super::purchase_points::{POINTS_LIFE, give, lot_of};
use crate::app::AppState;
use crate::http::AppResult;

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

    async fn react(&self, app: &AppState, event: &StoredEvent) -> AppResult<()> {
        let RecordEvent::Created { data, .. } = event.event::<Record<Review>>()? else {
            return Ok(());
        };
        // Only the first version: a later one restores a removed review.
        if event.version != 1 {
            return Ok(());
        }
        let review: Review = serde_json::from_value(Value::Object(data))?;
        let setting = app.store.load::<Record<SiteSetting>>("main").await?;
        let Ok(setting) = setting.state.data() else {
            return Ok(());
        };
        let amount = setting.review_points.of(&review);
        if amount <= Amount::ZERO {
            return Ok(());
        }
        let reason = match review.images.is_empty() {
            true => "상품 후기 적립",
            false => "사진 후기 적립",
        };
        let grant = PointsCommand::Grant {
            member: review.user,
            lot: lot_of("reviewed", &review.purchase),
            amount,
            reason: reason.to_owned(),
            order: None,
            expires_at: event.metadata.occurred_at + POINTS_LIFE,
        };
        give(
            app,
            event,
            ("rewarding", "reward-review"),
            review.user,
            grant,
        )
        .await
    }
}
