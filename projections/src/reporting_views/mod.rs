//! A database role for reporting: documented views (`docs/analyst.md`) without personal data.

use sqlx::{Connection, Executor, PgPool};

/// The role. It cannot log in until the owner of the database allows it (`ALTER ROLE ... LOGIN PASSWORD ...`).
pub const ROLE: &str = "jangbu_analyst";

/// Creates or replaces the views and the role. The read models must exist.
///
/// # Errors
/// The database's; its user needs the right to create roles.
pub async fn make(pool: &PgPool) -> Result<(), sqlx::Error> {
    let mut connection = pool.acquire().await?;
    let mut transaction = connection.begin().await?;
    transaction.execute(include_str!("views.sql")).await?;
    transaction.commit().await
}
