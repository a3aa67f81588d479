//! GET /api/console/analytics/waiting: what waits for staff or a seller, and today's sales beside yesterday's. Each count is that of a list of
//! the console with a filter.

use application::resources;
use axum::extract::State;
use domain::business_day::{day, starts};
use projections::orders::{
    self, ConsoleFilter, DispatchState, Sales, SalesFilter, TabCounts, sales_in_all, tab_counts,
};
use projections::record_lists::{LOW, OUT, narrowed_count};
use projections::refunds::{self, RefundList, owed_refunds};
use projections::{Page, inquires, messages, products, records, stock, waiting};
use serde::Serialize;
use time::Duration;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::console::purchases::dispatch::sums_of;
use crate::http::{ApiResponse, ApiResult, AppResult, ConsistencyToken, RowScope, StaffOrSeller};

/// Purchases with an open claim, by kind.
#[derive(Serialize, ToSchema)]
pub struct WaitingClaims {
    /// Cancellations.
    cancel: i64,
    /// Exchanges.
    exchange: i64,
    /// Returns.
    #[serde(rename = "return")]
    returns: i64,
}

/// Paid purchases that are not sent.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingParcels {
    /// To be prepared.
    new: i64,
    /// Prepared, to be sent.
    preparing: i64,
    /// Not sent although they should have been.
    late: i64,
    /// Of the first two, to be sent today.
    due_today: i64,
}

/// Visible products with too little stock.
#[derive(Serialize, ToSchema)]
pub struct WaitingStock {
    /// Nothing is left.
    out: i64,
    /// At most five pieces are left of an option.
    low: i64,
}

/// Questions without an answer.
#[derive(Serialize, ToSchema)]
pub struct WaitingAnswers {
    /// About products.
    inquires: i64,
    /// To the center; none for sellers.
    questions: Option<i64>,
    /// Sent with a form; none for sellers.
    inquiries: Option<i64>,
    /// From visitors; none for sellers.
    contacts: Option<i64>,
}

/// Refunds, by state.
#[derive(Serialize, ToSchema)]
pub struct WaitingRefunds {
    /// Owed, or in progress at the payment service.
    due: i64,
    /// The result is unknown.
    unknown: i64,
    /// Refused by the payment service.
    refused: i64,
}

/// What waits.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingAnswer {
    /// Claims.
    claims: WaitingClaims,
    /// Parcels.
    parcels: WaitingParcels,
    /// Products.
    stock: WaitingStock,
    /// Questions.
    answers: WaitingAnswers,
    /// Refunds; none for sellers.
    refunds: Option<WaitingRefunds>,
    /// Messages that were given up; none for sellers.
    given_up_messages: Option<i64>,
    /// Sales of today in Seoul so far.
    today: Sales,
    /// Sales of yesterday up to the same time of day.
    yesterday: Sales,
}

/// What waits for staff, or for a seller: their own.
#[utoipa::path(
    get, path = "/api/console/analytics/waiting", tag = "console", operation_id = "showWaiting",
    security(("access" = [])), responses((status = OK, body = WaitingAnswer))
)]
pub(crate) async fn show(
    State(app): State<AppState>,
    who: StaffOrSeller,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<WaitingAnswer>> {
    let read = [
        orders::NAME,
        inquires::NAME,
        products::NAME,
        stock::NAME,
        records::NAME,
        refunds::NAME,
        messages::NAME,
    ];
    let fresh = wait.until(&app, &read).await?;
    let rows = who.rows;
    let is_staff = rows.seller().is_none();
    let pending = ConsoleFilter {
        pending: true,
        seller: rows.seller(),
        ..ConsoleFilter::default()
    };
    let (today, yesterday) = sales(&app, rows).await?;
    Ok(fresh.answer(WaitingAnswer {
        claims: claims(&tab_counts(app.pool(), &pending).await?),
        parcels: parcels(&app, rows).await?,
        stock: WaitingStock {
            out: visible_with_stock(&app, rows, OUT).await?,
            low: visible_with_stock(&app, rows, LOW).await?,
        },
        answers: WaitingAnswers {
            inquires: unanswered(&app, rows, "inquire").await?,
            questions: for_staff(&app, rows, "question").await?,
            inquiries: for_staff(&app, rows, "inquiry").await?,
            contacts: for_staff(&app, rows, "contact").await?,
        },
        refunds: match is_staff {
            true => Some(owed(&app).await?),
            false => None,
        },
        given_up_messages: match is_staff {
            true => Some(waiting::given_up_messages(app.pool()).await?),
            false => None,
        },
        today,
        yesterday,
    }))
}

const fn claims(counts: &TabCounts) -> WaitingClaims {
    WaitingClaims {
        cancel: counts.cancel,
        exchange: counts.exchange,
        returns: counts.returns,
    }
}

async fn parcels(app: &AppState, rows: RowScope) -> AppResult<WaitingParcels> {
    let filter = ConsoleFilter {
        seller: rows.seller(),
        ..ConsoleFilter::default()
    };
    let sums = sums_of(app, &filter).await?;
    let of = |state: DispatchState| {
        let sum = sums.iter().find(|sum| sum.state == state);
        sum.map_or(0, |sum| sum.purchases)
    };
    Ok(WaitingParcels {
        new: of(DispatchState::New),
        preparing: of(DispatchState::Preparing),
        late: of(DispatchState::Late),
        due_today: sums.iter().map(|sum| sum.due_today).sum(),
    })
}

/// The number of records that the console's list has with these filters.
async fn listed(
    app: &AppState,
    rows: RowScope,
    kind: &str,
    filters: &[(&str, &str)],
) -> AppResult<i64> {
    let Some(resource) = resources::find(kind) else {
        return Ok(0);
    };
    let pairs: Vec<(String, String)> = filters
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let query = resource
        .list_query(&app.application(), rows, &pairs)
        .await?;
    Ok(narrowed_count(app.pool(), &query).await?)
}

async fn unanswered(app: &AppState, rows: RowScope, kind: &str) -> AppResult<i64> {
    listed(app, rows, kind, &[("state", "ANSWER_AWAITING")]).await
}

/// Like [`unanswered`], for a kind that only staff answer.
async fn for_staff(app: &AppState, rows: RowScope, kind: &str) -> AppResult<Option<i64>> {
    match rows.seller() {
        None => Ok(Some(unanswered(app, rows, kind).await?)),
        Some(_) => Ok(None),
    }
}

async fn visible_with_stock(app: &AppState, rows: RowScope, level: &str) -> AppResult<i64> {
    listed(app, rows, "product", &[("shows", "true"), ("stock", level)]).await
}

async fn owed(app: &AppState) -> AppResult<WaitingRefunds> {
    Ok(WaitingRefunds {
        due: owed_in(app, RefundList::Due).await?,
        unknown: owed_in(app, RefundList::Unknown).await?,
        refused: owed_in(app, RefundList::Refused).await?,
    })
}

async fn owed_in(app: &AppState, list: RefundList) -> AppResult<i64> {
    let none = Page { skip: 0, limit: 0 };
    Ok(owed_refunds(app.pool(), list, none).await?.total_count)
}

/// Sales of today so far, and of yesterday up to the same time of day.
async fn sales(app: &AppState, rows: RowScope) -> AppResult<(Sales, Sales)> {
    // Sales are counted before a moment: what was paid at this one counts.
    let now = app.clock.now() + Duration::MICROSECOND;
    let begin = starts(day(now));
    let today = SalesFilter {
        from: begin,
        to: now,
        seller: rows.seller(),
    };
    let yesterday = SalesFilter {
        from: begin - Duration::DAY,
        to: now - Duration::DAY,
        ..today
    };
    Ok((
        sales_in_all(app.pool(), &today).await?,
        sales_in_all(app.pool(), &yesterday).await?,
    ))
}
