//! Merges restored keys into the present ones, without reviving destroyed ones.

use aes_gcm::{Aes256Gcm, KeyInit};
use domain::Purpose;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{KeyError, LOOKUP, MasterKey, data_key, decrypt, encrypt};

/// Temporary tables that hold the rows of a backup until they are merged.
pub(crate) const CAME: [(&str, &str); 2] = [
    ("keys.ring", "pg_temp.came_ring"),
    ("keys.data_key", "pg_temp.came_key"),
];

/// Reasons why a merge fails; nothing is changed then.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The given master key does not open the backup.
    #[error(
        "this backup of the keys is wrapped by another master key; name the file of the one it was made with (--wrapped-by)"
    )]
    OtherMaster,
    /// The master key does not open the keys of the database.
    #[error("the master key is not the one of this database")]
    OtherDatabase,
    /// The keys belong to another shop.
    #[error("these are the keys of another shop")]
    OtherShop,
    /// A key or database error.
    #[error(transparent)]
    Key(#[from] KeyError),
}

impl From<sqlx::Error> for MergeError {
    fn from(error: sqlx::Error) -> Self {
        Self::Key(error.into())
    }
}

/// Result of a merge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeysMerged {
    /// Keys restored.
    pub restored: u64,
    /// Keys that were present already.
    pub here: u64,
    /// Keys in the backup that have been destroyed since: they stay destroyed.
    pub stayed_destroyed: u64,
    /// Keys destroyed by the merge because the backup records their destruction and the database does not: the database is older
    /// than the backup.
    pub destroyed: Vec<(Uuid, String)>,
}

/// Creates the temporary tables.
pub(crate) async fn make_room(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    for (table, waiting) in CAME {
        let sql = format!(
            "CREATE TEMPORARY TABLE {} (LIKE {table} INCLUDING DEFAULTS)",
            waiting.trim_start_matches("pg_temp.")
        );
        sqlx::query(&sql).execute(&mut *connection).await?;
    }
    Ok(())
}

/// The master keys of a merge.
struct Masters {
    /// The master key of this program.
    present: Aes256Gcm,
    /// The master key of the backup.
    backup: Aes256Gcm,
}

/// Merges the temporary tables into `keys`: keys destroyed here, in the backup or according to the log (`forgotten`) stay
/// destroyed.
pub(crate) async fn merge(
    connection: &mut PgConnection,
    present: &MasterKey,
    backup: &MasterKey,
    forgotten: &[(Uuid, Purpose)],
) -> Result<KeysMerged, MergeError> {
    let masters = Masters {
        present: Aes256Gcm::new(&present.derive("wrap").into()),
        backup: Aes256Gcm::new(&backup.derive("wrap").into()),
    };
    sqlx::query("LOCK TABLE keys.ring, keys.data_key IN ACCESS EXCLUSIVE MODE")
        .execute(&mut *connection)
        .await?;
    ring(connection, &masters).await?;
    let mut merged = KeysMerged {
        stayed_destroyed: stay_destroyed(connection, forgotten).await?,
        ..KeysMerged::default()
    };
    wrap_anew(connection, &masters).await?;
    merged.destroyed = sqlx::query_as(
        "UPDATE keys.data_key k
         SET wrapped = NULL, earlier = '{}', away = false, destroyed_at = c.destroyed_at
         FROM pg_temp.came_key c
         WHERE c.subject = k.subject AND c.purpose = k.purpose AND c.destroyed_at IS NOT NULL AND k.destroyed_at IS NULL
         RETURNING k.subject, k.purpose",
    )
    .fetch_all(&mut *connection)
    .await?;
    let back = [
        // Keys that were away.
        "UPDATE keys.data_key k SET wrapped = c.wrapped, earlier = c.earlier, away = c.away
         FROM pg_temp.came_key c
         WHERE c.subject = k.subject AND c.purpose = k.purpose AND k.wrapped IS NULL AND k.destroyed_at IS NULL
           AND c.wrapped IS NOT NULL",
        // Keys unknown to this database.
        "INSERT INTO keys.data_key (subject, purpose, wrapped, created_at, destroyed_at, away, earlier)
         SELECT subject, purpose, wrapped, created_at, destroyed_at, away, earlier FROM pg_temp.came_key c
         WHERE NOT EXISTS (SELECT FROM keys.data_key k WHERE k.subject = c.subject AND k.purpose = c.purpose)",
    ];
    let before = living(connection).await?;
    for sql in back {
        sqlx::query(sql).execute(&mut *connection).await?;
    }
    merged.restored = living(connection).await?.saturating_sub(before);
    let beside = beside(connection, &masters.present).await?;
    merged.restored = merged.restored.saturating_add(beside);
    let offered: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM pg_temp.came_key c JOIN keys.data_key k USING (subject, purpose)
         WHERE c.wrapped IS NOT NULL AND k.wrapped IS NOT NULL",
    )
    .fetch_one(&mut *connection)
    .await?;
    merged.here = u64::try_from(offered)
        .unwrap_or_default()
        .saturating_sub(merged.restored);
    Ok(merged)
}

async fn living(connection: &mut PgConnection) -> Result<u64, sqlx::Error> {
    let count: i64 =
        sqlx::query_scalar("SELECT count(*) FROM keys.data_key WHERE wrapped IS NOT NULL")
            .fetch_one(connection)
            .await?;
    Ok(u64::try_from(count).unwrap_or_default())
}

/// Merges the look-up key, which must be the one that hashed the names in this database.
async fn ring(connection: &mut PgConnection, masters: &Masters) -> Result<(), MergeError> {
    let came: Option<(i64, Vec<u8>)> =
        sqlx::query_as("SELECT generation, lookup FROM pg_temp.came_ring")
            .fetch_optional(&mut *connection)
            .await?;
    let (generation, lookup) = came.ok_or(MergeError::OtherShop)?;
    let lookup = decrypt(&masters.backup, LOOKUP, &lookup).map_err(|_| MergeError::OtherMaster)?;
    let here: Option<Vec<u8>> = sqlx::query_scalar("SELECT lookup FROM keys.ring")
        .fetch_optional(&mut *connection)
        .await?;
    if let Some(here) = here {
        match decrypt(&masters.present, LOOKUP, &here) {
            Ok(here) if here == lookup => return Ok(()),
            Ok(_) => return Err(MergeError::OtherShop),
            // Restored from a backup made under another master key: the newer key ring replaces it if it opens no keys here.
            Err(_) if living(connection).await? > 0 => return Err(MergeError::OtherDatabase),
            Err(_) => {}
        }
    }
    sqlx::query(
        "INSERT INTO keys.ring AS r (generation, lookup) VALUES ($1, $2)
         ON CONFLICT (single) DO UPDATE
             SET generation = greatest(r.generation, excluded.generation) + 1, lookup = excluded.lookup,
                 rotated_at = clock_timestamp()",
    )
    .bind(generation)
    .bind(encrypt(&masters.present, LOOKUP, &lookup)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// Destroys the keys of erased subjects, restored or present; returns how many of the restored ones.
async fn stay_destroyed(
    connection: &mut PgConnection,
    forgotten: &[(Uuid, Purpose)],
) -> Result<u64, sqlx::Error> {
    let (subjects, purposes): (Vec<Uuid>, Vec<&str>) = forgotten
        .iter()
        .map(|(subject, purpose)| (*subject, purpose.as_str()))
        .unzip();
    sqlx::query(
        "INSERT INTO keys.data_key AS k (subject, purpose, wrapped, destroyed_at)
         SELECT subject, purpose, NULL, clock_timestamp() FROM unnest($1::uuid[], $2::text[]) AS f(subject, purpose)
         ON CONFLICT (subject, purpose) DO UPDATE
             SET wrapped = NULL, earlier = '{}', away = false,
                 destroyed_at = coalesce(k.destroyed_at, excluded.destroyed_at)",
    )
    .bind(&subjects)
    .bind(&purposes)
    .execute(&mut *connection)
    .await?;
    let stayed = sqlx::query(
        "UPDATE pg_temp.came_key c
         SET wrapped = NULL, earlier = '{}', away = false, destroyed_at = k.destroyed_at
         FROM keys.data_key k
         WHERE c.subject = k.subject AND c.purpose = k.purpose AND k.destroyed_at IS NOT NULL AND c.destroyed_at IS NULL",
    )
    .execute(connection)
    .await?;
    Ok(stayed.rows_affected())
}

/// Checks that the backup's master key opens every restored key, and wraps them by the present one if it differs.
async fn wrap_anew(connection: &mut PgConnection, masters: &Masters) -> Result<(), MergeError> {
    type WrappedKeyRow = (Uuid, String, Option<Vec<u8>>, Vec<Vec<u8>>);
    let rows: Vec<WrappedKeyRow> = sqlx::query_as(
        "SELECT subject, purpose, wrapped, earlier FROM pg_temp.came_key WHERE wrapped IS NOT NULL OR earlier <> '{}'",
    )
    .fetch_all(&mut *connection)
    .await?;
    for (subject, purpose, wrapped, earlier) in rows {
        let about = data_key(subject, &purpose);
        let mut same = true;
        let mut anew = |old: &Vec<u8>| {
            let key = decrypt(&masters.backup, &about, old)?;
            if decrypt(&masters.present, &about, old).is_ok() {
                return Ok::<_, KeyError>(old.clone());
            }
            same = false;
            encrypt(&masters.present, &about, &key)
        };
        let wrapped = wrapped.as_ref().map(&mut anew).transpose()?;
        let earlier = earlier
            .iter()
            .map(&mut anew)
            .collect::<Result<Vec<_>, _>>()?;
        if same {
            continue;
        }
        sqlx::query(
            "UPDATE pg_temp.came_key SET wrapped = $3, earlier = $4 WHERE subject = $1 AND purpose = $2",
        )
        .bind(subject)
        .bind(&purpose)
        .bind(wrapped)
        .bind(earlier)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Combines a key restored from the backup with a new one created while it was away; returns the number of such keys.
async fn beside(connection: &mut PgConnection, wrap: &Aes256Gcm) -> Result<u64, MergeError> {
    type Two = (
        Uuid,
        String,
        Vec<u8>,
        Vec<Vec<u8>>,
        Vec<u8>,
        Vec<Vec<u8>>,
        bool,
    );
    let rows: Vec<Two> = sqlx::query_as(
        "SELECT k.subject, k.purpose, k.wrapped, k.earlier, c.wrapped, c.earlier, c.away
         FROM keys.data_key k JOIN pg_temp.came_key c USING (subject, purpose)
         WHERE k.away AND k.wrapped IS NOT NULL AND c.wrapped IS NOT NULL",
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut back = 0;
    for (subject, purpose, newest, mut earlier, came, came_earlier, away) in rows {
        let about = data_key(subject, &purpose);
        let mut known = vec![decrypt(wrap, &about, &newest)?];
        for wrapped in &earlier {
            known.push(decrypt(wrap, &about, wrapped)?);
        }
        let before = known.len();
        for came in std::iter::once(came).chain(came_earlier) {
            let key = decrypt(wrap, &about, &came)?;
            if !known.contains(&key) {
                known.push(key);
                earlier.push(came);
            }
        }
        sqlx::query(
            "UPDATE keys.data_key SET earlier = $3, away = $4 WHERE subject = $1 AND purpose = $2",
        )
        .bind(subject)
        .bind(&purpose)
        .bind(earlier)
        .bind(away)
        .execute(&mut *connection)
        .await?;
        back += u64::from(known.len() > before);
    }
    Ok(back)
}
