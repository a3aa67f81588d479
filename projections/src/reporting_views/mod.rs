//! A role that may look at how the shop does and at nobody: documented views (`docs/analyst.md`) without what people told about
//! themselves.

use sqlx::{Connection, Executor, PgPool};

/// The role. It cannot sign in before the owner of the database lets it (`ALTER ROLE ... LOGIN PASSWORD ...`).
pub const ROLE: &str = "jangbu_analyst";

/// Makes the views and the role, or makes them anew. The read models have to be there.
///
/// # Errors
/// The database's; its user has to be allowed to make roles.
pub async fn make(pool: &PgPool) -> Result<(), sqlx::Error> {
    let mut connection = pool.acquire().await?;
    let mut transaction = connection.begin().await?;
    transaction.execute(include_str!("views.sql")).await?;
    transaction.commit().await
}
