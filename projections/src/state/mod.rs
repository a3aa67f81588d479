//! Working state: what needs no history and is lost without harm to the books. Plain tables, no positions.
//!
//! Personal data is only here sealed or as keyed hashes, so destroying a member's key makes it unreadable here too.

pub mod carts;
pub mod destinations;
pub mod order_contacts;
pub mod sign_in;

/// Its tables. Versions begin at 1000; the log's own migrations stay below and are left alone.
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
