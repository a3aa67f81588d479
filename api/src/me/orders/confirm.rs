//! POST /api/v1/me/orders/{id}/confirm: I have it and keep it.

use axum::extract::State;
use domain::forms::{Checks, Form};
use domain::order::{Action, Order, OrderAct, Reader};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::commands::{Change, Command, decide};
use crate::http::{Answer, ApiResult, Asked, OrderReader, Path};
use crate::shop::orders::detail::{FoundOrder, OrderAnswer, after};

/// What is confirmed.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmed {
    /// The purchase; without one everything that can be.
    #[serde(default)]
    purchase_no: Option<String>,
}

impl Form for Confirmed {
    fn check(&self, _checks: &mut Checks) {}
}

/// Confirm purchases.
#[utoipa::path(
    post, path = "/api/v1/me/orders/{id}/confirm", tag = "me", operation_id = "confirmMyOrder", security(("access" = [])),
    params(("id" = String, Path)), request_body = Confirmed,
    responses((status = OK, body = OrderAnswer), (status = CONFLICT, description = "not_allowed_now"))
)]
pub(crate) async fn confirm(
    State(app): State<AppState>,
    who: OrderReader,
    Path(id): Path<String>,
    Asked { body, origin }: Asked<Confirmed>,
) -> ApiResult<Answer<OrderAnswer>> {
    let id = FoundOrder::own(&app, &id, &who).await?.id;
    let command = Command::new("confirm-purchase", who.actor(), &origin);
    let done = app
        .commander
        .run(&command, |context| {
            let (app, named) = (&app, body.purchase_no.clone());
            async move {
                let order = app.store.load::<Order>(&id.to_string()).await?;
                let all = || order.state.purchases_for(Reader::Buyer, Action::Confirm);
                let purchase_nos = named.map_or_else(all, |named| vec![named]);
                let act = OrderAct::Confirm { purchase_nos };
                Ok(Change::of([decide(id, &order, act, &context)?]))
            }
        })
        .await?;
    after(&app, &done, id, Reader::Buyer).await
}
