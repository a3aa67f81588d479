//! Addresses that get no mail any more, by keyed hash. A policy keeps them beside the log.

use domain::ids::{MessageId, OrderId};
use sqlx::PgPool;
use time::OffsetDateTime;
use uuid::Uuid;

/// An address that a bounced message stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoppedAddress {
    /// Keyed hash of the address.
    pub hash: Vec<u8>,
    /// The message that bounced.
    pub message: MessageId,
    /// The owner of the key that the receiver is sealed with.
    pub subject: Uuid,
    /// Position of the event.
    pub position: i64,
    /// When it was stopped.
    pub since: OffsetDateTime,
}

/// Stops or frees an address, unless a later event about it is known.
///
/// # Errors
/// The database's.
pub async fn set(pool: &PgPool, stop: &StoppedAddress, stopped: bool) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO stopped_addresses (hash, message, subject, position, stopped, since) VALUES ($1, $2, $3, $4, $5, $6) \
         ON CONFLICT (hash) DO UPDATE SET message = excluded.message, subject = excluded.subject, \
         position = excluded.position, stopped = excluded.stopped, since = excluded.since \
         WHERE stopped_addresses.position < excluded.position",
    )
    .bind(&stop.hash)
    .bind(stop.message.0)
    .bind(stop.subject)
    .bind(stop.position)
    .bind(stopped)
    .bind(stop.since)
    .execute(pool)
    .await?;
    Ok(())
}

/// Whether mail to an address is stopped.
///
/// # Errors
/// The database's.
pub async fn is_stopped(pool: &PgPool, hash: &[u8; 32]) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar("SELECT EXISTS (SELECT FROM stopped_addresses WHERE hash = $1 AND stopped)")
        .bind(hash.as_slice())
        .fetch_one(pool)
        .await
}

/// Those of these messages that stop mail to their address.
///
/// # Errors
/// The database's.
pub async fn stopping(
    pool: &PgPool,
    messages: &[MessageId],
) -> Result<Vec<MessageId>, sqlx::Error> {
    let ids: Vec<Uuid> = messages.iter().map(|id| id.0).collect();
    let found: Vec<Uuid> = sqlx::query_scalar(
        "SELECT message FROM stopped_addresses WHERE stopped AND message = ANY($1)",
    )
    .bind(ids)
    .fetch_all(pool)
    .await?;
    Ok(found.into_iter().map(MessageId).collect())
}

/// Deletes what was kept with the key of a guest; that of members is deleted with their other rows.
///
/// # Errors
/// The database's.
pub async fn forget_guest(pool: &PgPool, order: OrderId) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM stopped_addresses WHERE subject = $1")
        .bind(order.0)
        .execute(pool)
        .await?;
    Ok(())
}
