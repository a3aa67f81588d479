//! Commands of policies that were refused: written down where operators see them.

use sqlx::PgConnection;

use crate::recorded::Recorded;

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
    event: &Recorded,
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
