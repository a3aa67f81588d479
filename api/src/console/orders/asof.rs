//! GET /api/console/shop/orders/{id}/asof: an order at a position of the log or at a time. Replayed from the log, so it is the state at
//! that time, independent of the read models.

use axum::extract::State;
use domain::ids::OrderId;
use domain::order::{Order, Reader};
use domain::payment::{Payment, PaymentEvent};
use event_store::{At, StreamId};
use projections::order_timeline::timeline;
use projections::orders::{OrderDetail, OrderView, PaymentCard, TimesOfClaims};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use utoipa::{IntoParams, ToSchema};

use super::within;
use crate::app::AppState;
use crate::http::query::invalid_query;
use crate::http::{ApiResult, AppError, AppResult, Code, Json, Path, Query, RowScope, Staff};
use crate::shop::orders::detail::View;
use application::orders::find::FoundOrder;
use application::payments::attempts::Attempt;

/// The point in time.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Moment {
    /// After everything up to this position of the log.
    position: Option<i64>,
    /// After everything up to this time (RFC 3339).
    time: Option<String>,
}

/// An order at a point in time.
#[derive(Serialize, ToSchema)]
pub struct AsOfAnswer {
    /// The order.
    order: OrderDetail,
    /// The requested position, or the one at the requested time.
    position: i64,
}

/// An order at a point in time.
#[utoipa::path(
    get, path = "/api/console/shop/orders/{id}/asof", tag = "console", operation_id = "orderAsOf",
    params(("id" = String, Path), Moment), security(("access" = [])), responses((status = OK, body = AsOfAnswer))
)]
pub(crate) async fn asof(
    State(app): State<AppState>,
    _who: Staff,
    Path(id): Path<String>,
    Query(moment): Query<Moment>,
) -> ApiResult<Json<AsOfAnswer>> {
    let found = within(&app, RowScope::All, &id).await?;
    let position = position_of(&app, moment.position, moment.time.as_deref())
        .await?
        .ok_or_else(|| AppError::new(Code::InvalidQuery))?;
    Ok(Json(AsOfAnswer {
        order: order_at(&app, &found, position).await?,
        position,
    }))
}

/// The position given directly or as a time (RFC 3339); none if neither is given.
///
/// # Errors
/// `invalid_query` for both at once, a negative position, or a malformed time.
pub(in crate::console) async fn position_of(
    app: &AppState,
    position: Option<i64>,
    time: Option<&str>,
) -> AppResult<Option<i64>> {
    match (position, time) {
        (None, None) => Ok(None),
        (Some(position), None) if position >= 0 => Ok(Some(position)),
        (None, Some(time)) => {
            let time = OffsetDateTime::parse(time, &Rfc3339).map_err(|_| invalid_query("time"))?;
            Ok(Some(app.store.position_at(time).await?))
        }
        _ => Err(AppError::new(Code::InvalidQuery)),
    }
}

/// An order after everything up to a position.
///
/// # Errors
/// `not_found` before it was placed.
pub(crate) async fn order_at(
    app: &AppState,
    found: &FoundOrder,
    position: i64,
) -> AppResult<OrderDetail> {
    let then = app
        .store
        .load_at::<Order>(&found.id.to_string(), At::Position(position))
        .await?;
    if then.version == 0 {
        return Err(AppError::not_found());
    }
    let claim_times = claim_times_at(app, found.id, position).await?;
    let view = View(OrderView {
        id: found.id,
        state: &then.state,
        claim_times: &claim_times,
        created_at: found.created_at,
        version: i64::try_from(then.version).unwrap_or(i64::MAX),
        position: then.position,
    });
    let payments = payments_at(app, found.id, position).await?;
    let story = timeline(app.pool(), found.id, Some(position)).await?;
    view.detail_with(app, Reader::Staff, payments, story).await
}

async fn claim_times_at(app: &AppState, order: OrderId, position: i64) -> AppResult<TimesOfClaims> {
    let events = app.store.read_stream(&StreamId::of::<Order>(order)).await?;
    let mut times = TimesOfClaims::default();
    for recorded in events
        .iter()
        .take_while(|recorded| recorded.position <= position)
    {
        let event = recorded.event::<Order>()?;
        times.take(&event, recorded.metadata.occurred_at);
    }
    Ok(times)
}

async fn payments_at(app: &AppState, order: OrderId, position: i64) -> AppResult<Vec<PaymentCard>> {
    let mut cards = Vec::new();
    for attempt in Attempt::all_of_order(app, order).await? {
        let events = app
            .store
            .read_stream(&StreamId::of::<Payment>(attempt.id))
            .await?;
        let mut payment = Payment::default();
        let (mut began, mut approved_at, mut receipt) = (None, None, None);
        for recorded in events
            .iter()
            .take_while(|recorded| recorded.position <= position)
        {
            let at = recorded.metadata.occurred_at;
            began = began.or(Some(at));
            let event = recorded.event::<Payment>()?;
            if let PaymentEvent::DepositReceived { .. } = &event {
                approved_at = Some(at);
            }
            if let PaymentEvent::PaymentApproved { receipt_url, .. } = &event {
                approved_at = Some(at);
                receipt.clone_from(receipt_url);
            }
            payment.evolve(event);
        }
        let (Some(created_at), Some(status)) = (began, payment.status()) else {
            continue;
        };
        let card = PaymentCard {
            id: attempt.id,
            order,
            order_no: attempt.started.order_no,
            user_payment_no: attempt.started.user_payment.map(|of| of.number),
            attempt: attempt.started.attempt,
            method: attempt.started.method,
            status,
            amount: attempt.started.amount,
            refunded: payment.refunded()?,
            approved_at,
            receipt_url: receipt,
            account: None,
            awaits_deposit: false,
            needs_refund_account: false,
            refused_refunds: Vec::new(),
            refund_account: None,
            sealed_account: None,
            created_at,
        };
        cards.push(card.telling(&payment));
    }
    Ok(cards)
}
