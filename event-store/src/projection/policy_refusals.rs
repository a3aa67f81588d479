//! Rejected commands of policies, stored for operators.

use sqlx::{PgConnection, PgPool};
use time::OffsetDateTime;

use crate::stored_event::StoredEvent;

/// SQL of the refusals table of a policy, for its `create_sql`: `refusals_table!("policy_points")`.
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

/// Stores that the command of policy `name` for `event` was rejected, in its table of [`refusals_table!`].
///
/// # Errors
/// Database errors.
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

/// A rejected command of a policy.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct PolicyRefusal {
    /// Position of the triggering event.
    pub position: i64,
    /// Error code.
    pub code: String,
    /// Error message.
    pub message: String,
    /// Time of the rejection.
    pub refused_at: OffsetDateTime,
}

/// The rejections of policy `name`, newest first, at most `most`; empty if it never ran.
///
/// # Errors
/// Database errors.
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
