//! Batches of coupon codes, and who redeemed which.

mod queries;

use domain::Actor;
use domain::coupon::CodeBatchEvent;
use domain::ids::{CodeBatchId, CouponId, IssuedCouponId, MemberId};
use event_store::StoredEvent;
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use time::OffsetDateTime;

use crate::error::ReadError;
use crate::event_decode::{at, event, of, stream_id, streams};
use crate::macros::projection;
use crate::row_store::{ChangedRows, Row, insert};

pub use queries::*;

/// Its name, for waiting until it has caught up.
pub const NAME: &str = "coupon_codes";

/// The projection.
pub struct CouponCodes;

/// A batch of codes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeBatchRow {
    /// The batch.
    pub id: CodeBatchId,
    /// The coupon its codes are for.
    pub coupon: CouponId,
    /// The first characters of each code.
    pub handle: String,
    /// How many codes, numbered from 1.
    pub count: u32,
    /// What they are for.
    pub memo: String,
    /// How many were redeemed.
    pub redeemed: u32,
    /// When staff stopped it.
    #[serde(with = "crate::timestamp::option")]
    pub stopped_at: Option<OffsetDateTime>,
    /// Why.
    pub stop_memo: Option<String>,
    /// When it was made.
    #[serde(with = "crate::timestamp")]
    pub created_at: OffsetDateTime,
    /// Who made it.
    pub created_by: Option<MemberId>,
    /// Position of its last event.
    pub position: i64,
}

impl Row for CodeBatchRow {
    const TABLE: &'static str = "p_coupon_codes_v1";
    const KEY: &'static [&'static str] = &["id"];
}

/// A redeemed code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RedeemedCodeRow {
    /// Its batch.
    pub batch: CodeBatchId,
    /// Its number.
    pub number: u32,
    /// Who redeemed it.
    pub member: MemberId,
    /// The coupon in the member's box.
    pub issued: IssuedCouponId,
    /// When.
    #[serde(with = "crate::timestamp")]
    pub redeemed_at: OffsetDateTime,
    /// Position of its event.
    pub position: i64,
}

impl Row for RedeemedCodeRow {
    const TABLE: &'static str = "p_coupon_codes_v1_redeemed";
    const KEY: &'static [&'static str] = &["batch", "number"];
}

/// Who did it, where it was a person.
fn by(recorded: &StoredEvent) -> Option<MemberId> {
    let actor = Actor::deserialize(&recorded.metadata.actor);
    actor.ok().and_then(|actor| actor.member())
}

/// What an event does to its batch.
fn take(
    rows: &mut ChangedRows<CodeBatchRow>,
    recorded: &StoredEvent,
) -> Result<Option<RedeemedCodeRow>, ReadError> {
    let key = &recorded.stream.id;
    let mut redemption = None;
    match event(recorded)? {
        CodeBatchEvent::CouponCodesMade {
            coupon,
            handle,
            count,
            memo,
        } => rows.put(
            key.clone(),
            CodeBatchRow {
                id: stream_id(recorded)?,
                coupon,
                handle,
                count,
                memo,
                redeemed: 0,
                stopped_at: None,
                stop_memo: None,
                created_at: at(recorded),
                created_by: by(recorded),
                position: 0,
            },
        ),
        CodeBatchEvent::CouponCodeRedeemed {
            number,
            member,
            issued,
        } => {
            let row = rows.known(key)?;
            row.redeemed = row.redeemed.saturating_add(1);
            redemption = Some(RedeemedCodeRow {
                batch: row.id,
                number,
                member,
                issued,
                redeemed_at: at(recorded),
                position: recorded.position,
            });
        }
        CodeBatchEvent::CouponCodesStopped { memo } => {
            let row = rows.known(key)?;
            row.stopped_at = Some(at(recorded));
            row.stop_memo = Some(memo);
        }
        CodeBatchEvent::CouponCodesDisclosed { .. } => {}
    }
    rows.known(key)?.position = recorded.position;
    Ok(redemption)
}

/// A batch, from its events; none if there are none.
///
/// # Errors
/// [`ReadError`].
pub fn row_of(events: &[StoredEvent]) -> Result<Option<CodeBatchRow>, ReadError> {
    let mut rows = ChangedRows::empty();
    for recorded in events {
        take(&mut rows, recorded)?;
    }
    Ok(rows.values().next().cloned())
}

async fn apply(connection: &mut PgConnection, batch: &[StoredEvent]) -> Result<(), ReadError> {
    let ids = streams(batch, "coupon-code-batch");
    let key = ("id", "uuid");
    let mut rows = ChangedRows::load(connection, key, ids, |row: &CodeBatchRow| {
        row.id.to_string()
    })
    .await?;
    let mut redeemed = Vec::new();
    for recorded in of(batch, "coupon-code-batch") {
        redeemed.extend(take(&mut rows, recorded)?);
    }
    rows.save(connection).await?;
    insert(connection, &redeemed).await
}

projection!(CouponCodes, version 1, reads "coupon-code-batch"; rows of one; stops);
