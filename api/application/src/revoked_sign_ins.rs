//! Cache of the sign-ins that were ended within the life of an access token, so that their access tokens are refused although requests do
//! not query the database.
//!
//! New entries are read when a token has to be checked and the last read is older than [`MAX_AGE`]: at most one query per second and
//! process. The process that ends a sign-in reads at once. See docs/decisions/0048.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use projections::state::credentials;
use sqlx::PgPool;
use time::OffsetDateTime;
use tokio::sync::RwLock;
use uuid::Uuid;

use crate::access::ACCESS_LIFE;
use crate::error::AppResult;

/// Maximum time for which a sign-in that another process ended is still accepted.
pub const MAX_AGE: Duration = Duration::from_secs(1);

/// How long an ended sign-in is kept: longer than its last access token is valid, allowing for clock differences between processes.
pub const REMEMBERED: time::Duration = time::Duration::seconds(2 * ACCESS_LIFE.whole_seconds());

/// Overlap of each read with the last one: transactions take time, and the clocks of processes differ.
const OVERLAP: time::Duration = time::Duration::minutes(5);

/// The cache; one for the whole program.
#[derive(Default)]
pub struct RevokedSignIns(RwLock<Revoked>);

#[derive(Default)]
struct Revoked {
    /// Token families of ended sign-ins, and when they ended.
    families: HashMap<Uuid, OffsetDateTime>,
    /// The shop's time at the last read.
    read_at: Option<OffsetDateTime>,
    /// When the last read began; none if a sign-in was ended since.
    fresh_since: Option<Instant>,
}

impl Revoked {
    fn is_fresh(&self) -> bool {
        self.fresh_since
            .is_some_and(|since| since.elapsed() < MAX_AGE)
    }

    async fn refresh(&mut self, pool: &PgPool, now: OffsetDateTime) -> AppResult<()> {
        let begun = Instant::now();
        let oldest = now - REMEMBERED;
        let since = self.read_at.map_or(oldest, |at| oldest.max(at - OVERLAP));
        let new = credentials::revoked_since(pool, since).await?;
        self.families.extend(new);
        self.families.retain(|_, ended_at| *ended_at > oldest);
        self.read_at = Some(now);
        self.fresh_since = Some(begun);
        Ok(())
    }
}

impl RevokedSignIns {
    /// Whether the sign-in with this family of refresh tokens was ended; `now` is the shop's time.
    ///
    /// # Errors
    /// Database errors.
    pub async fn contains(
        &self,
        pool: &PgPool,
        now: OffsetDateTime,
        family: Uuid,
    ) -> AppResult<bool> {
        let revoked = self.0.read().await;
        if revoked.is_fresh() {
            return Ok(revoked.families.contains_key(&family));
        }
        drop(revoked);
        let mut revoked = self.0.write().await;
        // Another request may have read it meanwhile.
        if !revoked.is_fresh() {
            revoked.refresh(pool, now).await?;
        }
        Ok(revoked.families.contains_key(&family))
    }

    /// Makes the next check read again: a sign-in was ended, and its transaction is committed.
    pub async fn changed(&self) {
        self.0.write().await.fresh_since = None;
    }
}
