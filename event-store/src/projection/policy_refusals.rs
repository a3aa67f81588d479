//! Commands of policies that were refused: written down where operators see them.

use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::stored_event::StoredEvent;

/// The table of a policy's refusals, for its `create_sql`: `refusals_table!("policy_points")`.
#[macro_export]
macro_rules! refusals_table {
    ($name:literal) => {
        concat!(
            "CREATE TABLE p_",
            $name,
            "_v1 (event_id uuid PRIMARY KEY, position bigint NOT NULL, code text NOT NULL, message text NOT NULL,",
            " refused_at timestamptz NOT NULL DEFAULT clock_timestamp())"
        )
    };
}

/// Writes down that what the policy `name` did about `event` was refused, in its table of [`refusals_table!`].
///
/// # Errors
/// The database's.
pub async fn refused(
    tx: &mut PgConnection,
    name: &str,
    event: &StoredEvent,
    code: &str,
    message: &str,
) -> Result<(), sqlx::Error> {
    let insert = format!(
        "INSERT INTO \"p_{name}_v1\" (event_id, position, code, message) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING"
    );
    sqlx::query(&insert)
        .bind(event.event_id)
        .bind(event.position)
        .bind(code)
        .bind(message)
        .execute(tx)
        .await?;
    Ok(())
}

/// A refusal of a policy.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct PolicyRefusal {
    /// Position of the event it reacted to.
    pub position: i64,
    /// The refusal's code.
    pub code: String,
    /// Its words.
    pub message: String,
    /// When.
    pub refused_at: OffsetDateTime,
}

/// What the policy `name` was refused, the newest first, at most `most`; nothing if it never ran.
///
/// # Errors
/// The database's.
pub async fn refusals(
    pool: &PgPool,
    name: &str,
    most: i64,
) -> Result<Vec<PolicyRefusal>, sqlx::Error> {
    let runs: bool = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
        .bind(name)
        .fetch_one(pool)
        .await?;
    if !runs {
        return Ok(Vec::new());
    }
    let question = format!(
        "SELECT position, code, message, refused_at FROM \"{name}\" ORDER BY refused_at DESC LIMIT $1"
    );
    sqlx::query_as(&question).bind(most).fetch_all(pool).await
}
