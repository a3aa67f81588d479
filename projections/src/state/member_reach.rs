//! Whom a sending would reach: what decides it of each member, and the count of a whole target.

use domain::ids::MemberId;
use domain::sending::{SendingChannel, SkipReason, consent_to};
use sqlx::PgPool;

use crate::error::ReadError;
use crate::members::{MemberTarget, of_target};

/// Name of the policy that keeps it, for waiting until it has caught up.
pub const POLICY: &str = "policy_member_reach";

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

/// The reasons in the order in which they are looked at.
const REASONS: [SkipReason; 4] = [
    SkipReason::NoConsent,
    SkipReason::SwitchedOff,
    SkipReason::NoMobile,
    SkipReason::AddressStopped,
];

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
        "SELECT reason, count(*) FROM (SELECT CASE \
         WHEN $5 AND $6 <> ALL(coalesce(r.consents, '{}')) THEN 0 \
         WHEN ($5 OR $4) AND (NOT s.is_show OR $7 = ANY(s.disabled_categories)) THEN 1 \
         WHEN $8 AND r.number IS NULL THEN 2 \
         WHEN a.stopped THEN 3 END AS reason FROM (SELECT id ",
        of_target!(),
        ") m LEFT JOIN member_reach r ON r.member = m.id LEFT JOIN alarm_settings s ON s.member = m.id \
         LEFT JOIN member_mails e ON e.member = m.id LEFT JOIN stopped_addresses a \
         ON a.hash = CASE WHEN $8 THEN r.number WHEN NOT $4 THEN e.hash END) found GROUP BY reason ORDER BY reason",
    );
    let found: Vec<(Option<i32>, i64)> = sqlx::query_as_with(sql, target.arguments()?)
        .bind(channel == SendingChannel::Alarm)
        .bind(advertising)
        .bind(consent_to(channel))
        .bind(category)
        .bind(channel == SendingChannel::Sms)
        .fetch_all(pool)
        .await?;
    let reason = |place: i32| REASONS.get(usize::try_from(place).ok()?).copied();
    let found = found.into_iter();
    Ok(found
        .map(|(place, count)| (place.and_then(reason), count))
        .collect())
}
