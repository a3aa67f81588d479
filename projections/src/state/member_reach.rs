//! Whom a sending would reach: what decides it of each member, and the count of a whole target.

use domain::ids::MemberId;
use domain::sending::{SendingChannel, SkipReason, consent_to};
use serde_json::Value;
use sqlx::PgPool;

use crate::error::ReadError;
use crate::members::{MemberTarget, of_target};

/// What decides it of a member.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemberReach {
    /// Codes of the terms agreed to.
    pub consents: Vec<String>,
    /// Keyed hash of the mobile number.
    pub number: Option<[u8; 32]>,
}

/// Sets what decides it of a member; none removes it.
///
/// # Errors
/// [`ReadError`].
pub async fn set(
    pool: &PgPool,
    member: MemberId,
    reach: Option<&MemberReach>,
) -> Result<(), ReadError> {
    let query = match reach {
        Some(reach) => sqlx::query(
            "INSERT INTO member_reach (member, consents, number) VALUES ($1, $2, $3) \
             ON CONFLICT (member) DO UPDATE SET consents = excluded.consents, number = excluded.number",
        )
        .bind(member.0)
        .bind(&reach.consents)
        .bind(reach.number.as_ref().map(<[u8; 32]>::as_slice)),
        None => sqlx::query("DELETE FROM member_reach WHERE member = $1").bind(member.0),
    };
    query.execute(pool).await?;
    Ok(())
}

/// How many members of a target get nothing of a sending, by reason; none: those who get it. The log decides when their turn comes, in the
/// same order of reasons (`domain::sending::skip_reason`).
///
/// # Errors
/// [`ReadError`].
pub async fn skip_counts(
    pool: &PgPool,
    target: &MemberTarget,
    (channel, advertising, category): (SendingChannel, bool, &str),
) -> Result<Vec<(Option<SkipReason>, i64)>, ReadError> {
    let sql = concat!(
        "SELECT to_jsonb(reason), count(*) FROM (SELECT CASE \
         WHEN $5 AND $6 <> ALL(coalesce(r.consents, '{}')) THEN 'NO_CONSENT' \
         WHEN ($5 OR $4 = 'ALARM') AND (NOT s.is_show OR $7 = ANY(s.disabled_categories)) THEN 'SWITCHED_OFF' \
         WHEN $4 = 'SMS' AND r.number IS NULL THEN 'NO_MOBILE' \
         WHEN a.stopped THEN 'ADDRESS_STOPPED' END AS reason FROM (SELECT id ",
        of_target!(),
        ") m LEFT JOIN member_reach r ON r.member = m.id LEFT JOIN alarm_settings s ON s.member = m.id \
         LEFT JOIN member_mails e ON e.member = m.id LEFT JOIN stopped_addresses a \
         ON a.hash = CASE $4 WHEN 'SMS' THEN r.number WHEN 'MAIL' THEN e.hash END) found GROUP BY reason ORDER BY reason",
    );
    let found: Vec<(Option<Value>, i64)> = sqlx::query_as_with(sql, target.arguments()?)
        .bind(channel.code())
        .bind(advertising)
        .bind(consent_to(channel))
        .bind(category)
        .fetch_all(pool)
        .await?;
    let typed = |(reason, count): (Option<Value>, i64)| {
        Ok((reason.map(serde_json::from_value).transpose()?, count))
    };
    found.into_iter().map(typed).collect()
}
