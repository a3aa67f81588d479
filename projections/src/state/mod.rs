//! Working state: plain tables without history.

pub mod sign_in;

/// Its tables.
static TABLES: sqlx::migrate::Migrator = {
    let mut tables = sqlx::migrate!("src/state/migrations");
    tables.ignore_missing = true;
    tables
};

/// Makes the tables or brings them up to date.
///
/// # Errors
/// The database's.
pub async fn migrate(pool: &sqlx::PgPool) -> Result<(), sqlx::migrate::MigrateError> {
    TABLES.run(pool).await
}
