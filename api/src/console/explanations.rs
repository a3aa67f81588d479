//! GET /api/console/explanations/{subject}/{id}(/{amount}): explains an amount from the events of the log.

use axum::extract::State;
use domain::registry::event_title;
use projections::mask::masked;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::history::{HistoryEvent, named};
use super::orders::asof::position_of;
use crate::app::AppState;
use crate::audit::explain::{self, Contribution, Explainable, Moment, NamedAmount};
use crate::http::{ApiResult, AppResult, Json, Path, Query, Staff};

/// The point in time to explain.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AsOf {
    /// After everything up to this position of the log; default: now.
    position: Option<i64>,
    /// After everything up to this time (RFC 3339).
    time: Option<String>,
}

impl AsOf {
    async fn moment(&self, app: &AppState) -> AppResult<Moment> {
        match position_of(app, self.position, self.time.as_deref()).await? {
            None => Ok(Moment::now(app)),
            Some(position) => Moment::at(app, position).await,
        }
    }
}

/// The amounts of an entity.
#[derive(Serialize, ToSchema)]
pub struct AmountsAnswer {
    /// Amounts that can be explained.
    amounts: Vec<NamedAmount>,
}

/// The explanation of an amount.
#[derive(Serialize, ToSchema)]
pub struct ExplanationAnswer {
    /// The amount.
    amount: NamedAmount,
    /// The contributions in the order of the calculation; they add up to the amount exactly.
    contributions: Vec<Contribution>,
    /// The events that the contributions refer to, oldest first.
    events: Vec<HistoryEvent>,
}

/// The amounts of an order, coupon, member's points or stock that can be explained.
#[utoipa::path(
    get, path = "/api/console/explanations/{subject}/{id}", tag = "console", operation_id = "amountsOf",
    params(("subject" = inline(Explainable), Path), ("id" = String, Path), AsOf), security(("access" = [])),
    responses((status = OK, body = AmountsAnswer))
)]
pub(crate) async fn list(
    State(app): State<AppState>,
    _who: Staff,
    Path((subject, id)): Path<(Explainable, String)>,
    Query(when): Query<AsOf>,
) -> ApiResult<Json<AmountsAnswer>> {
    let moment = when.moment(&app).await?;
    Ok(Json(AmountsAnswer {
        amounts: explain::amounts(&app, subject, &id, moment).await?,
    }))
}

/// Explain an amount: the events and rules it results from.
#[utoipa::path(
    get, path = "/api/console/explanations/{subject}/{id}/{amount}", tag = "console", operation_id = "explain",
    params(("subject" = inline(Explainable), Path), ("id" = String, Path), ("amount" = String, Path), AsOf),
    security(("access" = [])), responses((status = OK, body = ExplanationAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    _who: Staff,
    Path((subject, id, amount)): Path<(Explainable, String, String)>,
    Query(when): Query<AsOf>,
) -> ApiResult<Json<ExplanationAnswer>> {
    let moment = when.moment(&app).await?;
    let explained = explain::explain(&app, subject, &id, &amount, moment).await?;
    let mut events = Vec::with_capacity(explained.events.len());
    for recorded in &explained.events {
        let event = HistoryEvent::of(recorded, event_title(&recorded.event_type))?;
        events.push(event.saying(masked(&recorded.value()?)));
    }
    Ok(Json(ExplanationAnswer {
        amount: explained.amount,
        contributions: explained.contributions,
        events: named(&app, events).await?,
    }))
}
