//! Working state: what needs no history and whose loss does not affect the accounts. Plain tables without positions.
//!
//! Personal data is stored only sealed or as keyed hashes, so destroying a member's key makes it unreadable here too.

pub mod account_mail;
pub mod alarm_lists;
pub mod banner_logs;
pub mod carts;
pub mod claim_pictures;
pub mod credentials;
pub mod deadline_refusals;
pub mod demo;
pub mod destinations;
pub mod documents;
pub mod erasure;
pub mod files;
pub mod import_parts;
pub mod import_runs;
pub mod likes;
pub mod member_days;
pub mod member_reach;
pub mod notifications;
pub mod order_contacts;
pub mod ordered_lines;
pub mod password_tries;
pub mod recently_viewed;
pub mod saved_views;
pub mod search_rebuilds;
pub mod search_terms;
pub mod stopped_addresses;
pub mod unpaid_guests;

use sqlx::PgPool;
use sqlx::migrate::{MigrateError, Migrator};

/// Migrations of the tables. Versions start at 1000; those of the log are lower and are ignored.
pub static TABLES: Migrator = {
    let mut tables = sqlx::migrate!("src/state/migrations");
    tables.ignore_missing = true;
    tables
};

/// Applies pending migrations.
///
/// # Errors
/// The database refused.
pub async fn migrate(pool: &PgPool) -> Result<(), MigrateError> {
    TABLES.run(pool).await
}
