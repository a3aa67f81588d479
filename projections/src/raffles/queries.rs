//! Raffles by their events, and their entries.

use std::collections::BTreeMap;

use domain::ids::{MemberId, ShopEventId};
use domain::raffle::RaffleHash;
use sqlx::PgPool;
use uuid::Uuid;

use super::{RaffleEntryRow, RaffleRow};
use crate::error::ReadError;
use crate::page::{List, ListPage, Page, typed};

/// The raffles of some events.
///
/// # Errors
/// [`ReadError`].
pub async fn raffles(pool: &PgPool, events: &[ShopEventId]) -> Result<Vec<RaffleRow>, ReadError> {
    let ids: Vec<Uuid> = events.iter().map(|event| event.0).collect();
    let sql = "SELECT to_jsonb(r) FROM raffles r WHERE r.id = ANY($1)";
    let found = sqlx::query_scalar(sql).bind(ids).fetch_all(pool).await?;
    typed(found)
}

/// Who has which number.
///
/// # Errors
/// [`ReadError`].
pub async fn entrants(
    pool: &PgPool,
    raffle: ShopEventId,
) -> Result<BTreeMap<u32, MemberId>, ReadError> {
    let sql = "SELECT number, member FROM raffles_entries WHERE raffle = $1";
    let found: Vec<(i64, Uuid)> = sqlx::query_as(sql).bind(raffle.0).fetch_all(pool).await?;
    let known = found.into_iter();
    let known = known.filter_map(|(number, member)| {
        let number = u32::try_from(number).ok()?;
        Some((number, MemberId(member)))
    });
    Ok(known.collect())
}

/// The marks of `most` entries after a number, in the order of their numbers.
///
/// # Errors
/// [`ReadError`].
pub async fn marks(
    pool: &PgPool,
    raffle: ShopEventId,
    (after, most): (u32, u32),
) -> Result<Vec<RaffleHash>, ReadError> {
    let sql = "SELECT to_jsonb(mark) FROM raffles_entries WHERE raffle = $1 AND number > $2 ORDER BY number LIMIT $3";
    let found = sqlx::query_scalar(sql)
        .bind(raffle.0)
        .bind(i64::from(after))
        .bind(i64::from(most))
        .fetch_all(pool)
        .await?;
    typed(found)
}

/// The entries that won, in the order of their numbers.
///
/// # Errors
/// [`ReadError`].
pub async fn winning_entries(
    pool: &PgPool,
    raffle: ShopEventId,
    page: Page,
) -> Result<ListPage<RaffleEntryRow>, ReadError> {
    List {
        select: "to_jsonb(e)",
        from: "raffles_entries e",
        narrow: "raffles_entries e",
        key: "e.id",
        order: "e.number",
    }
    .page(pool, page, |query| {
        query.push("e.won AND e.raffle = ").push_bind(raffle.0);
    })
    .await
}
