//! The raffle of an event as the shop shows it; GET /api/v1/shop/events/{id}/marks: the marks of its entries, from which anybody can
//! compute the chain.

use axum::extract::State;
use domain::coupon::Coupon;
use domain::ids::{CouponId, MemberId, ShopEventId};
use domain::raffle::{RaffleEntry, RaffleHash, raffle_entry_id};
use domain::record::Resource;
use projections::raffles::{self, RaffleRow};
use projections::records;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::{IntoParams, ToSchema};

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, AppError, AppResult, ConsistencyToken, Path, Query};

/// Maximum number of marks in an answer.
const MARKS_MOST: u32 = 10_000;

/// The raffle of an event. Members are not in it: entries are numbers.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RaffleView {
    /// Number of winners.
    winners: u32,
    /// The coupon that winners get, by its name; none without one.
    prize: Option<String>,
    /// SHA-256 of the seed, published since the raffle was opened.
    commitment: RaffleHash,
    /// Number of entries so far.
    entries: u32,
    /// The end of the chain of entries so far; the commitment without entries.
    chain: RaffleHash,
    /// The draw; none before it.
    draw: Option<RaffleDrawView>,
    /// The member's own entry; none for guests and members without one.
    mine: Option<OwnEntry>,
}

/// What the draw published.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RaffleDrawView {
    /// The seed.
    seed: RaffleHash,
    /// The winning numbers, in the order of their ranks.
    winners: Vec<u32>,
    /// Numbers of better ranks whose members had left.
    passed: Vec<u32>,
    /// When winners were drawn.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    drawn_at: Option<OffsetDateTime>,
}

/// A member's own entry.
#[derive(Serialize, ToSchema)]
pub struct OwnEntry {
    /// The number.
    pub number: u32,
    /// The mark of the number in the chain.
    pub mark: RaffleHash,
    /// Whether it won.
    pub won: bool,
}

impl OwnEntry {
    /// The entry of a member, from the log.
    ///
    /// # Errors
    /// Errors of the store.
    pub async fn of(
        app: &AppState,
        event: ShopEventId,
        member: MemberId,
    ) -> AppResult<Option<Self>> {
        let entry = raffle_entry_id(event, member).to_string();
        let entry = app.store.load::<RaffleEntry>(&entry).await?.state;
        Ok(entry.entered.map(|ticket| Self {
            number: ticket.number,
            mark: ticket.mark,
            won: entry.won,
        }))
    }
}

/// The raffle of an event, and the member's entry in it; none if it has none.
///
/// # Errors
/// Errors of the store and the database.
pub(super) async fn raffle_of(
    app: &AppState,
    member: Option<MemberId>,
    id: &str,
) -> AppResult<Option<RaffleView>> {
    let Ok(event) = id.parse::<ShopEventId>() else {
        return Ok(None);
    };
    let found = raffles::raffles(app.pool(), &[event]).await?.pop();
    let Some(raffle) = found else {
        return Ok(None);
    };
    let mine = match member {
        Some(member) => OwnEntry::of(app, event, member).await?,
        None => None,
    };
    let prize = match raffle.prize {
        Some(coupon) => coupon_name(app, coupon).await?,
        None => None,
    };
    Ok(Some(RaffleView::of(raffle, prize, mine)))
}

async fn coupon_name(app: &AppState, coupon: CouponId) -> AppResult<Option<String>> {
    let ids = [coupon.to_string()];
    let mut names = records::names(app.pool(), Coupon::KIND, &ids).await?;
    Ok(names.pop_first().map(|(_, name)| name))
}

impl RaffleView {
    fn of(row: RaffleRow, prize: Option<String>, mine: Option<OwnEntry>) -> Self {
        let drawn_at = row.drawn_at;
        Self {
            winners: row.winners,
            prize,
            commitment: row.commitment,
            entries: row.entries,
            chain: row.chain,
            draw: row.draw.map(|draw| RaffleDrawView {
                seed: draw.seed,
                winners: draw.winners,
                passed: draw.passed,
                drawn_at,
            }),
            mine,
        }
    }
}

/// Which marks.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct MarksQuery {
    /// Those after this number; from the first if missing.
    after: Option<u32>,
}

/// Marks of entries.
#[derive(Serialize, ToSchema)]
pub struct RaffleMarks {
    /// The marks in the order of their numbers, at most 10,000.
    marks: Vec<RaffleHash>,
}

/// The marks of the entries of an event's raffle.
#[utoipa::path(
    get, path = "/api/v1/shop/events/{id}/marks", tag = "shop", operation_id = "listRaffleMarks",
    params(("id" = String, Path), MarksQuery),
    responses((status = OK, body = RaffleMarks), (status = NOT_FOUND, description = "not_found"))
)]
pub(crate) async fn marks(
    State(app): State<AppState>,
    Path(id): Path<String>,
    Query(query): Query<MarksQuery>,
    wait: ConsistencyToken,
) -> ApiResult<ApiResponse<RaffleMarks>> {
    let fresh = wait.until(&app, &[raffles::NAME]).await?;
    let event = id.parse().map_err(|_| AppError::not_found())?;
    let after = query.after.unwrap_or_default();
    let marks = raffles::marks(app.pool(), event, (after, MARKS_MOST)).await?;
    Ok(fresh.answer(RaffleMarks { marks }))
}
