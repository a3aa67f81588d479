//! Mail about accounts: the look-up of members by address, the requests the worker has to answer, and the links in the mails.
//!
//! There is no address, name or link in these tables, only keyed hashes, and hashes of tokens.

use domain::ids::MemberId;
use domain::message::Template;
use sqlx::{PgConnection, PgPool};
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

/// How long used and expired links are kept, so that they can be told from wrong ones.
const LINKS_KEPT: Duration = Duration::days(7);

/// A mail the worker has to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AccountMail {
    /// To everyone with this address: a link that shows the sign-in name.
    FindId {
        /// Keyed hash of the address.
        mail_hash: Vec<u8>,
    },
    /// To the member with this sign-in name and this address: a link to set a password.
    FindPassword {
        /// Keyed hash of the sign-in name.
        username_hash: Vec<u8>,
        /// Keyed hash of the address.
        mail_hash: Vec<u8>,
    },
    /// To a member whose password was changed.
    PasswordChanged {
        /// The member.
        member: MemberId,
    },
    /// To a member who asks for a link that confirms the address.
    ConfirmEmail {
        /// The member.
        member: MemberId,
    },
    /// To a member whose account was used on a device that it did not know.
    NewDevice {
        /// The member.
        member: MemberId,
    },
}

/// A request for a mail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountMailRequest {
    /// Its id, from which those of the messages are derived.
    pub id: Uuid,
    /// The mail.
    pub mail: AccountMail,
    /// When it was requested.
    pub requested_at: OffsetDateTime,
}

/// Sets the hash of a member's address; none removes it.
///
/// # Errors
/// The database's.
pub async fn set_mail(
    pool: &PgPool,
    member: MemberId,
    hash: Option<[u8; 32]>,
) -> Result<(), sqlx::Error> {
    match hash {
        Some(hash) => {
            sqlx::query(
                "INSERT INTO member_mails (member, hash) VALUES ($1, $2) \
                 ON CONFLICT (member) DO UPDATE SET hash = excluded.hash",
            )
            .bind(member.0)
            .bind(hash.as_slice())
            .execute(pool)
            .await?
        }
        None => {
            sqlx::query("DELETE FROM member_mails WHERE member = $1")
                .bind(member.0)
                .execute(pool)
                .await?
        }
    };
    Ok(())
}

/// Members with this address, the newest first.
///
/// # Errors
/// The database's.
pub async fn members_of(
    pool: &PgPool,
    mail_hash: &[u8],
    most: i64,
) -> Result<Vec<MemberId>, sqlx::Error> {
    let found: Vec<Uuid> = sqlx::query_scalar(
        "SELECT member FROM member_mails WHERE hash = $1 ORDER BY member DESC LIMIT $2",
    )
    .bind(mail_hash)
    .bind(most)
    .fetch_all(pool)
    .await?;
    Ok(found.into_iter().map(MemberId).collect())
}

/// Requests a mail.
///
/// # Errors
/// The database's.
pub async fn request(
    connection: &mut PgConnection,
    mail: &AccountMail,
    now: OffsetDateTime,
) -> Result<(), sqlx::Error> {
    let (kind, username_hash, mail_hash, member) = match mail {
        AccountMail::FindId { mail_hash } => ("FIND_ID", None, Some(mail_hash), None),
        AccountMail::FindPassword {
            username_hash,
            mail_hash,
        } => ("FIND_PASSWORD", Some(username_hash), Some(mail_hash), None),
        AccountMail::PasswordChanged { member } => ("PASSWORD_CHANGED", None, None, Some(member.0)),
        AccountMail::ConfirmEmail { member } => ("CONFIRM_EMAIL", None, None, Some(member.0)),
        AccountMail::NewDevice { member } => ("NEW_DEVICE", None, None, Some(member.0)),
    };
    sqlx::query(
        "INSERT INTO account_mail_requests (id, kind, username_hash, mail_hash, member, requested_at) \
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(Uuid::now_v7())
    .bind(kind)
    .bind(username_hash)
    .bind(mail_hash)
    .bind(member)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

type RequestRow = (
    Uuid,
    String,
    Option<Vec<u8>>,
    Option<Vec<u8>>,
    Option<Uuid>,
    OffsetDateTime,
);

/// Requests the worker has to answer, the oldest first.
///
/// # Errors
/// The database's.
pub async fn requests(pool: &PgPool, most: i64) -> Result<Vec<AccountMailRequest>, sqlx::Error> {
    let rows: Vec<RequestRow> = sqlx::query_as(
        "SELECT id, kind, username_hash, mail_hash, member, requested_at FROM account_mail_requests ORDER BY id LIMIT $1",
    )
    .bind(most)
    .fetch_all(pool)
    .await?;
    let requests = rows.into_iter().filter_map(
        |(id, kind, username_hash, mail_hash, member, requested_at)| {
            let mail = match (kind.as_str(), username_hash, mail_hash, member) {
                ("FIND_ID", _, Some(mail_hash), _) => AccountMail::FindId { mail_hash },
                ("FIND_PASSWORD", Some(username_hash), Some(mail_hash), _) => {
                    AccountMail::FindPassword {
                        username_hash,
                        mail_hash,
                    }
                }
                ("PASSWORD_CHANGED", _, _, Some(member)) => AccountMail::PasswordChanged {
                    member: MemberId(member),
                },
                ("CONFIRM_EMAIL", _, _, Some(member)) => AccountMail::ConfirmEmail {
                    member: MemberId(member),
                },
                ("NEW_DEVICE", _, _, Some(member)) => AccountMail::NewDevice {
                    member: MemberId(member),
                },
                _ => return None,
            };
            Some(AccountMailRequest {
                id,
                mail,
                requested_at,
            })
        },
    );
    Ok(requests.collect())
}

/// Deletes an answered request.
///
/// # Errors
/// The database's.
pub async fn answered(pool: &PgPool, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM account_mail_requests WHERE id = $1")
        .bind(id)
        .execute(pool)
        .await?;
    Ok(())
}

/// The stored kind of a link.
const fn kind_of(template: Template) -> &'static str {
    match template {
        Template::FindId => "FIND_ID",
        Template::ConfirmEmail => "CONFIRM_EMAIL",
        _ => "FIND_PASSWORD",
    }
}

/// Stores the hash of a link's token, unless it is known; with the hash of the address it is bound to, if it is.
///
/// # Errors
/// The database's.
pub async fn keep_link(
    pool: &PgPool,
    hash: &[u8; 32],
    (member, template): (MemberId, Template),
    mail_hash: Option<&[u8]>,
    expires_at: OffsetDateTime,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO account_links (hash, member, kind, mail_hash, expires_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT DO NOTHING",
    )
    .bind(hash.as_slice())
    .bind(member.0)
    .bind(kind_of(template))
    .bind(mail_hash)
    .bind(expires_at)
    .execute(pool)
    .await?;
    Ok(())
}

/// When the earliest of so many unexpired links that confirm an address ends; none while there are fewer. Links of the member and links
/// to the address count, used ones too, but not the one with the hash `except`.
///
/// # Errors
/// The database's.
pub async fn confirmations_until(
    pool: &PgPool,
    (member, mail_hash): (MemberId, &[u8]),
    except: &[u8],
    most: i64,
    now: OffsetDateTime,
) -> Result<Option<OffsetDateTime>, sqlx::Error> {
    let (many, earliest): (i64, Option<OffsetDateTime>) = sqlx::query_as(
        "SELECT count(*), min(expires_at) FROM account_links \
         WHERE kind = $5 AND (member = $1 OR mail_hash = $2) AND expires_at > $3 AND hash <> $4",
    )
    .bind(member.0)
    .bind(mail_hash)
    .bind(now)
    .bind(except)
    .bind(kind_of(Template::ConfirmEmail))
    .fetch_one(pool)
    .await?;
    Ok(earliest.filter(|_| many >= most))
}

/// Whether a link is bound to this address.
///
/// # Errors
/// The database's.
pub async fn is_bound_to(
    connection: &mut PgConnection,
    hash: &[u8; 32],
    mail_hash: &[u8],
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT EXISTS (SELECT FROM account_links WHERE hash = $1 AND mail_hash = $2)",
    )
    .bind(hash.as_slice())
    .bind(mail_hash)
    .fetch_one(connection)
    .await
}

/// What a link is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkState {
    /// It can be used.
    Valid,
    /// It was used.
    Used,
    /// It is too old.
    Expired,
    /// There is no such link for this member.
    Unknown,
}

/// The state of a link.
///
/// # Errors
/// The database's.
pub async fn link_state(
    connection: &mut PgConnection,
    hash: &[u8; 32],
    (member, template): (MemberId, Template),
    now: OffsetDateTime,
) -> Result<LinkState, sqlx::Error> {
    let found: Option<(bool, OffsetDateTime)> = sqlx::query_as(
        "SELECT used_at IS NOT NULL, expires_at FROM account_links \
         WHERE hash = $1 AND member = $2 AND kind = $3 FOR UPDATE",
    )
    .bind(hash.as_slice())
    .bind(member.0)
    .bind(kind_of(template))
    .fetch_optional(connection)
    .await?;
    Ok(match found {
        None => LinkState::Unknown,
        Some((true, _)) => LinkState::Used,
        Some((false, expires_at)) if expires_at <= now => LinkState::Expired,
        Some((false, _)) => LinkState::Valid,
    })
}

/// Uses a valid link, and with it every other link of its kind that the member has.
///
/// # Errors
/// The database's.
pub async fn use_links(
    connection: &mut PgConnection,
    (member, template): (MemberId, Template),
    now: OffsetDateTime,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE account_links SET used_at = $3 WHERE member = $1 AND kind = $2 AND used_at IS NULL",
    )
    .bind(member.0)
    .bind(kind_of(template))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes links that expired long ago; returns how many.
///
/// # Errors
/// The database's.
pub async fn forget_old(pool: &PgPool, now: OffsetDateTime) -> Result<u64, sqlx::Error> {
    let done = sqlx::query("DELETE FROM account_links WHERE expires_at < $1")
        .bind(now - LINKS_KEPT)
        .execute(pool)
        .await?;
    Ok(done.rows_affected())
}
