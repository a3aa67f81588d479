//! Earlier codes of records, for the kinds whose page address is their code: brands and showrooms. The code of a category never changes
//! ([`domain::catalogue::tree`]), and the address of a product page is its id.

use std::collections::BTreeMap;

use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};

use crate::error::ReadError;
use crate::macros::projection;
use crate::record_event::given_up;
use crate::row_store::{Row, save};

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "earlier_codes";

/// The projection.
pub struct EarlierCodes;

/// An earlier code of a record, which another record may use now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct EarlierCode {
    kind: String,
    code: String,
    id: String,
    position: i64,
}

impl Row for EarlierCode {
    const TABLE: &'static str = "p_earlier_codes_v1";
    const KEY: &'static [&'static str] = &["kind", "code"];
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let mut rows = BTreeMap::new();
    for recorded in batch {
        let Some(code) = given_up(recorded, "code")? else {
            continue;
        };
        let (kind, id) = (recorded.stream.kind.clone(), recorded.stream.id.clone());
        let row = EarlierCode {
            kind: kind.clone(),
            code: code.clone(),
            id,
            position: recorded.position,
        };
        rows.insert((kind, code), row);
    }
    let rows: Vec<EarlierCode> = rows.into_values().collect();
    save(connection, &rows).await
}

/// The id of the record of this kind that last gave up this code.
///
/// # Errors
/// [`ReadError`].
pub async fn had(pool: &PgPool, kind: &str, code: &str) -> Result<Option<String>, ReadError> {
    Ok(
        sqlx::query_scalar("SELECT id FROM earlier_codes WHERE kind = $1 AND code = $2")
            .bind(kind)
            .bind(code)
            .fetch_optional(pool)
            .await?,
    )
}

projection!(EarlierCodes, version 1, reads "brand", "showroom"; rows of many; parks);
