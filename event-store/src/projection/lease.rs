//! Leases: the process that holds a projection's advisory lock runs it; all on ONE connection per worker process.
//!
//! Losing that connection loses all leases: Postgres then grants the locks to another process. A worker that has not noticed yet (a
//! zombie) is fenced by the epoch in the checkpoint row, which every new holder raises.

use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use tokio::sync::{mpsc, watch};
use tokio::time::error::Elapsed;
use tokio::time::timeout;

use super::Projection;
use super::checkpoint::{self, Epoch, Key};
use crate::error::StoreError;
use crate::store::Store;

/// Interval at which leases that others hold are tried.
const TICK: Duration = Duration::from_millis(500);
/// Interval at which the connection is tested while all leases are held here.
const TEST: Duration = Duration::from_secs(2);
/// A connection without a reply for this long counts as lost.
const SILENCE: Duration = Duration::from_secs(5);

/// One projection's lease.
pub(super) struct Seat {
    pub key: Key,
    pub projection: Arc<dyn Projection>,
    /// The epoch while the lease is held.
    pub held: watch::Sender<Option<Epoch>>,
}

/// Tries to take all leases, in a loop. `fenced` names seats whose worker found a newer epoch.
pub(super) async fn keep(
    store: Store,
    seats: Arc<[Seat]>,
    mut fenced: mpsc::UnboundedReceiver<Key>,
) {
    let address = alive((*store.pool().connect_options()).clone());
    loop {
        if let Err(error) = hold(&address, &store, &seats, &mut fenced).await {
            tracing::warn!(%error, "the leases of the projections are lost");
        }
        for seat in seats.iter() {
            seat.held.send_replace(None);
        }
        tokio::time::sleep(TICK).await;
    }
}

/// TCP keep-alive settings that let the server detect a dead machine within half a minute.
fn alive(address: PgConnectOptions) -> PgConnectOptions {
    address.application_name("event-store leases").options([
        ("tcp_keepalives_idle", "10"),
        ("tcp_keepalives_interval", "5"),
        ("tcp_keepalives_count", "3"),
    ])
}

async fn hold(
    address: &PgConnectOptions,
    store: &Store,
    seats: &[Seat],
    fenced: &mut mpsc::UnboundedReceiver<Key>,
) -> Result<(), StoreError> {
    let mut connection = in_time(timeout(SILENCE, PgConnection::connect_with(address)).await)?;
    loop {
        for seat in try_for(&mut connection, seats).await? {
            match checkpoint::take(&mut connection, seat.key, seat.projection.create_sql()).await {
                Ok(epoch) => {
                    seat.held.send_replace(Some(epoch));
                }
                Err(error) if error.is_unavailable() => return Err(error),
                Err(error) => {
                    tracing::error!(projection = seat.key.name, %error, "its tables cannot be made");
                    let _ = checkpoint::failed(store.pool(), seat.key, &error.to_string()).await;
                    give_back(&mut connection, seat.key).await?;
                }
            }
        }
        let has_all = seats.iter().all(|seat| seat.held.borrow().is_some());
        let ended = tokio::select! {
            () = tokio::time::sleep(if has_all { TEST } else { TICK }) => ended(&mut connection, seats).await?,
            Some(key) = fenced.recv() => vec![key],
        };
        for key in ended {
            for seat in seats.iter().filter(|seat| seat.key.lease() == key.lease()) {
                seat.held.send_replace(None);
            }
            give_back(&mut connection, key).await?;
        }
    }
}

/// The held seats whose epoch is outdated: the checkpoint was deleted, or another process raised it. An idle worker would not
/// notice before the next event. Always queries the server, so it also tests the connection.
async fn ended(connection: &mut PgConnection, seats: &[Seat]) -> Result<Vec<Key>, sqlx::Error> {
    let held: Vec<(Key, Epoch)> = seats
        .iter()
        .filter_map(|seat| seat.held.borrow().map(|epoch| (seat.key, epoch)))
        .collect();
    let names: Vec<&str> = held.iter().map(|(key, _)| key.name).collect();
    let question = sqlx::query_as::<_, (String, i32, i64)>(
        "SELECT name, version, lease_epoch FROM projection_checkpoint WHERE name = ANY($1)",
    )
    .bind(names)
    .fetch_all(connection);
    let rows = in_time(timeout(SILENCE, question).await)?;
    let is_there = |(key, epoch): &(Key, Epoch)| {
        rows.iter().any(|(name, version, newest)| {
            name == key.name && *version == key.version && *newest == epoch.0
        })
    };
    Ok(held
        .into_iter()
        .filter(|one| !is_there(one))
        .map(|(key, _)| key)
        .collect())
}

/// The seats whose lease was free.
async fn try_for<'a>(
    connection: &mut PgConnection,
    seats: &'a [Seat],
) -> Result<Vec<&'a Seat>, sqlx::Error> {
    let wanted: Vec<&Seat> = seats
        .iter()
        .filter(|seat| seat.held.borrow().is_none())
        .collect();
    if wanted.is_empty() {
        return Ok(wanted);
    }
    let keys: Vec<i64> = wanted.iter().map(|seat| seat.key.lease()).collect();
    let question = sqlx::query_scalar(
        "SELECT pg_try_advisory_lock(key) FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted(key, nr) ORDER BY nr",
    )
    .bind(keys)
    .fetch_all(connection);
    let got: Vec<bool> = in_time(timeout(SILENCE, question).await)?;
    Ok(wanted
        .into_iter()
        .zip(got)
        .filter_map(|(seat, got)| got.then_some(seat))
        .collect())
}

async fn give_back(connection: &mut PgConnection, key: Key) -> Result<(), sqlx::Error> {
    let request = sqlx::query("SELECT pg_advisory_unlock($1)")
        .bind(key.lease())
        .execute(connection);
    in_time(timeout(SILENCE, request).await)?;
    Ok(())
}

/// A timeout counts as a lost connection.
fn in_time<T>(answer: Result<Result<T, sqlx::Error>, Elapsed>) -> Result<T, sqlx::Error> {
    answer.unwrap_or_else(|_| Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())))
}
