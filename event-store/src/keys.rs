//! Crypto-shredding: personal data is sealed with a key per subject and purpose, and erased by destroying the key.
//!
//! Each (subject, purpose) has its own data key, created at its first seal and stored in `keys.data_key`, wrapped by the master key
//! (both AES-256-GCM). A destroyed key remains as a row without bytes: it is never created again, and everything it sealed, in the
//! log, a read model, an index or a backup, opens as [`SealContent::Erased`] from then on.
//!
//! The associated data of every seal is its subject, purpose and type: the label of the sealed type ([`SealLabel`]), or one chosen
//! by the caller ([`KeyRing::seal_as`]). A seal copied to another subject, purpose or type does not open.
//!
//! After the log is restored without its keys they are *away*: what they sealed opens as [`SealContent::Erased`] until they are [merged
//! back](crate::backup::Incoming::merge_keys). Sealing for a subject whose key is away creates a new key, which coexists with the
//! old one after the merge.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit, Nonce};
use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use domain::{Purpose, SealLabel, Sealed};
use hmac::{Hmac, Mac};
use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::Sha256;
use sqlx::PgPool;
use uuid::Uuid;

use crate::transaction::begin;

mod backup;

pub(crate) use backup::{CAME, make_room, merge};
pub use backup::{KeysMerged, MergeError};

/// Nonce length in bytes.
const NONCE: usize = 12;
/// Maximum number of unwrapped keys cached in memory.
const REMEMBERED: usize = 4_096;
/// Lifetime of a cached key: how long another process may still read after a destruction.
const FRESH: Duration = Duration::from_secs(30);

/// Errors of sealing and opening.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// Reading or writing the keys failed.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The key was destroyed, so nothing can be sealed for the subject.
    #[error("the {purpose} key of {subject} was destroyed", purpose = .purpose.as_str())]
    Destroyed {
        /// The subject.
        subject: Uuid,
        /// The purpose of the key.
        purpose: Purpose,
    },
    /// The seal is malformed, belongs to another subject or type, or was made with another master key.
    #[error("the seal does not open")]
    Forged,
    /// The value cannot be serialised as JSON, or the sealed value has another type.
    #[error("the sealed value: {0}")]
    Json(#[from] serde_json::Error),
    /// The keys of this database are wrapped by another master key.
    #[error("the keys of this database are wrapped by another master key")]
    OtherMaster,
    /// The text is not a master key.
    #[error("a master key is 32 bytes in base64")]
    MasterKey,
}

/// The key that wraps all data keys. Together with `keys.data_key` it gives access to all personal data.
#[derive(Clone)]
pub struct MasterKey([u8; 32]);

impl MasterKey {
    /// Generates a random key.
    pub fn generate() -> Self {
        Self(rand::random())
    }

    /// Creates the key from its bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Parses the text form.
    ///
    /// # Errors
    /// [`KeyError::MasterKey`].
    pub fn from_base64(text: &str) -> Result<Self, KeyError> {
        let bytes = BASE64
            .decode(text.trim())
            .map_err(|_| KeyError::MasterKey)?;
        bytes.try_into().map(Self).map_err(|_| KeyError::MasterKey)
    }

    /// The text form, for the settings file.
    pub fn to_base64(&self) -> String {
        BASE64.encode(self.0)
    }

    /// The secret that signs the hash chain where no separate key is configured: the same on every machine of a shop.
    pub fn chain_secret(&self) -> [u8; 32] {
        self.derive("chain")
    }

    /// Derives a key for one use, so that no key is used for two purposes.
    fn derive(&self, use_: &str) -> [u8; 32] {
        mac(&self.0, &[b"jangbu", use_.as_bytes()])
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(..)")
    }
}

/// Result of opening a seal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealContent<T> {
    /// The value.
    Value(T),
    /// The key was destroyed; the value cannot be read any more.
    Erased,
}

impl<T> SealContent<T> {
    /// The value, unless it was erased.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Erased => None,
        }
    }
}

type Name = (Uuid, Purpose);

/// Seals and opens personal data. Cheap to clone; clones share the key cache.
#[derive(Clone)]
pub struct KeyRing {
    pool: PgPool,
    wrap: Aes256Gcm,
    lookup: [u8; 32],
    /// Generation of the master key as counted by the database; `None` if it was not checked.
    generation: Option<i64>,
    remembered: Arc<Mutex<HashMap<Name, CachedKey>>>,
}

#[derive(Clone)]
struct CachedKey {
    keys: SubjectKeys,
    until: Instant,
}

/// The keys of a subject for one purpose.
#[derive(Clone)]
enum SubjectKeys {
    /// The key was destroyed.
    Destroyed,
    /// The keys, newest first; only the newest one seals. Empty if all are away.
    Keys {
        keys: Vec<Aes256Gcm>,
        /// Whether some keys are only in a backup.
        away: bool,
    },
}

impl SubjectKeys {
    /// The key that seals.
    fn newest(&self) -> Option<&Aes256Gcm> {
        match self {
            Self::Destroyed => None,
            Self::Keys { keys, .. } => keys.first(),
        }
    }
}

/// A row of `keys.data_key`: `wrapped`, `earlier`, `away`, and whether it was destroyed.
type KeyRow = (Option<Vec<u8>>, Vec<Vec<u8>>, bool, bool);

impl KeyRing {
    /// The keys in the database of `pool`, wrapped by `master`, without checking it; the look-up key is derived from it.
    /// Long-running programs use [`KeyRing::load`].
    pub fn new(pool: PgPool, master: MasterKey) -> Self {
        Self {
            pool,
            wrap: Aes256Gcm::new(&master.derive("wrap").into()),
            lookup: master.derive("lookup"),
            generation: None,
            remembered: Arc::default(),
        }
    }

    /// As [`KeyRing::new`], but checks that `master` is the master key of this database.
    ///
    /// # Errors
    /// [`KeyError::OtherMaster`]; database errors.
    pub async fn load(pool: PgPool, master: MasterKey) -> Result<Self, KeyError> {
        let mut ring = Self::new(pool, master);
        let known = sqlx::query_as("SELECT generation, lookup FROM keys.ring")
            .fetch_optional(&ring.pool)
            .await?;
        let (generation, lookup): (i64, Vec<u8>) = match known {
            Some(known) => known,
            None => {
                sqlx::query_as(
                    "INSERT INTO keys.ring AS r (lookup) VALUES ($1)
                     ON CONFLICT (single) DO UPDATE SET lookup = r.lookup RETURNING generation, lookup",
                )
                .bind(encrypt(&ring.wrap, LOOKUP, &ring.lookup)?)
                .fetch_one(&ring.pool)
                .await?
            }
        };
        let lookup = decrypt(&ring.wrap, LOOKUP, &lookup).map_err(|_| KeyError::OtherMaster)?;
        ring.lookup = lookup.try_into().map_err(|_| KeyError::Forged)?;
        ring.generation = Some(generation);
        Ok(ring)
    }

    /// Wraps all keys by another master key, in one transaction, and returns their number. Programs that still use the old one can
    /// no longer read or create keys, so nothing is ever wrapped by the wrong key; look-up hashes do not change.
    ///
    /// # Errors
    /// [`KeyError::Forged`] if a key is not wrapped by the present master key, in which case nothing is changed; database errors.
    pub async fn rotate(&self, master: &MasterKey) -> Result<u64, KeyError> {
        let wrap = Aes256Gcm::new(&master.derive("wrap").into());
        let mut transaction = begin(&self.pool).await?;
        sqlx::query("LOCK TABLE keys.ring, keys.data_key IN ACCESS EXCLUSIVE MODE")
            .execute(&mut *transaction)
            .await?;
        let lookup = encrypt(&wrap, LOOKUP, &self.lookup)?;
        let changed = sqlx::query(
            "UPDATE keys.ring SET generation = generation + 1, lookup = $1, rotated_at = clock_timestamp()
             WHERE generation = $2",
        )
        .bind(lookup)
        .bind(self.generation)
        .execute(&mut *transaction)
        .await?;
        if changed.rows_affected() == 0 {
            return Err(KeyError::OtherMaster);
        }
        let earlier: Vec<(Uuid, String, Vec<Vec<u8>>)> = sqlx::query_as(
            "SELECT subject, purpose, earlier FROM keys.data_key WHERE earlier <> '{}'",
        )
        .fetch_all(&mut *transaction)
        .await?;
        for (subject, purpose, old) in earlier {
            let about = data_key(subject, &purpose);
            let new = old
                .iter()
                .map(|old| encrypt(&wrap, &about, &decrypt(&self.wrap, &about, old)?))
                .collect::<Result<Vec<_>, _>>()?;
            sqlx::query(
                "UPDATE keys.data_key SET earlier = $3 WHERE subject = $1 AND purpose = $2",
            )
            .bind(subject)
            .bind(&purpose)
            .bind(new)
            .execute(&mut *transaction)
            .await?;
        }
        let rows: Vec<(Uuid, String, Vec<u8>)> = sqlx::query_as(
            "SELECT subject, purpose, wrapped FROM keys.data_key WHERE wrapped IS NOT NULL",
        )
        .fetch_all(&mut *transaction)
        .await?;
        for some in rows.chunks(REMEMBERED) {
            let (mut subjects, mut purposes, mut wrapped) = (Vec::new(), Vec::new(), Vec::new());
            for (subject, purpose, old) in some {
                let about = data_key(*subject, purpose);
                let key = decrypt(&self.wrap, &about, old)?;
                subjects.push(*subject);
                purposes.push(purpose.as_str());
                wrapped.push(encrypt(&wrap, &about, &key)?);
            }
            sqlx::query(
                "UPDATE keys.data_key k SET wrapped = n.wrapped
                 FROM unnest($1::uuid[], $2::text[], $3::bytea[]) AS n(subject, purpose, wrapped)
                 WHERE k.subject = n.subject AND k.purpose = n.purpose",
            )
            .bind(subjects)
            .bind(purposes)
            .bind(wrapped)
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(u64::try_from(rows.len()).unwrap_or(u64::MAX))
    }

    /// Seals `value` for `subject`, creating the key at first use.
    ///
    /// # Errors
    /// [`KeyError::Destroyed`]; database errors.
    pub async fn seal<T: Serialize + SealLabel>(
        &self,
        subject: Uuid,
        purpose: Purpose,
        value: &T,
    ) -> Result<Sealed<T>, KeyError> {
        self.seal_as(T::LABEL, subject, purpose, value).await
    }

    /// Seals `value` so that it opens only under the same label (its type, e.g. `receiver`).
    ///
    /// # Errors
    /// As [`KeyRing::seal`].
    pub async fn seal_as<T: Serialize>(
        &self,
        label: &str,
        subject: Uuid,
        purpose: Purpose,
        value: &T,
    ) -> Result<Sealed<T>, KeyError> {
        let name = (subject, purpose);
        let plain = serde_json::to_vec(value)?;
        let keys = match self.find(name).await? {
            Some(SubjectKeys::Keys { keys, .. }) if keys.is_empty() => self.make(name).await?,
            Some(keys) => keys,
            None => self.make(name).await?,
        };
        let key = keys
            .newest()
            .ok_or(KeyError::Destroyed { subject, purpose })?;
        let sealed = encrypt(key, &about(name, label), &plain)?;
        Ok(Sealed::from_parts(subject, purpose, BASE64.encode(sealed)))
    }

    /// Opens a seal made by [`KeyRing::seal`] for the same type.
    ///
    /// # Errors
    /// [`KeyError::Forged`]; [`KeyError::Json`]; database errors. A destroyed key is not an error but [`SealContent::Erased`].
    pub async fn open<T: DeserializeOwned + SealLabel>(
        &self,
        sealed: &Sealed<T>,
    ) -> Result<SealContent<T>, KeyError> {
        self.open_as(T::LABEL, sealed).await
    }

    /// Opens a seal made under `label`.
    ///
    /// # Errors
    /// As [`KeyRing::open`].
    pub async fn open_as<T: DeserializeOwned>(
        &self,
        label: &str,
        sealed: &Sealed<T>,
    ) -> Result<SealContent<T>, KeyError> {
        let name = (sealed.subject, sealed.purpose);
        // A key that does not exist cannot have sealed anything; after restoring a log without its keys it counts as destroyed.
        let Some(SubjectKeys::Keys { keys, away }) = self.find(name).await? else {
            return Ok(SealContent::Erased);
        };
        let bytes = BASE64
            .decode(&sealed.sealed)
            .map_err(|_| KeyError::Forged)?;
        let about = about(name, label);
        let opened = keys
            .iter()
            .find_map(|key| decrypt(key, &about, &bytes).ok());
        match opened {
            Some(plain) => Ok(SealContent::Value(serde_json::from_slice(&plain)?)),
            // Sealed by a key that is away.
            None if away => Ok(SealContent::Erased),
            None => Err(KeyError::Forged),
        }
    }

    /// Loads the keys of several subjects in one query, so that opening a page of rows needs one round trip.
    ///
    /// # Errors
    /// Database errors; [`KeyError::Forged`] if a key was wrapped by another master key.
    pub async fn prefetch(
        &self,
        wanted: impl IntoIterator<Item = (Uuid, Purpose)>,
    ) -> Result<(), KeyError> {
        let mut missing: Vec<Name> = wanted
            .into_iter()
            .filter(|name| self.recall(*name).is_none())
            .collect();
        missing.sort_unstable();
        missing.dedup();
        if missing.is_empty() {
            return Ok(());
        }
        let (subjects, purposes): (Vec<Uuid>, Vec<&str>) = missing
            .iter()
            .map(|(subject, purpose)| (*subject, purpose.as_str()))
            .unzip();
        type Row = (Uuid, String, Option<Vec<u8>>, Vec<Vec<u8>>, bool, bool);
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT k.subject, k.purpose, k.wrapped, k.earlier, k.away, k.destroyed_at IS NOT NULL FROM keys.data_key k
             JOIN unnest($1::uuid[], $2::text[]) AS w(subject, purpose)
               ON w.subject = k.subject AND w.purpose = k.purpose",
        )
        .bind(subjects)
        .bind(purposes)
        .fetch_all(&self.pool)
        .await?;
        for (subject, purpose, wrapped, earlier, away, destroyed) in rows {
            let found = missing
                .iter()
                .find(|(who, what)| *who == subject && what.as_str() == purpose);
            if let Some(name) = found {
                self.unwrap_keys(*name, (wrapped, earlier, away, destroyed))?;
            }
        }
        Ok(())
    }

    /// Destroys the key irrevocably. Repeating it has no effect.
    ///
    /// Other processes may still open its seals for half a minute, from their caches.
    ///
    /// # Errors
    /// Database errors.
    pub async fn destroy(&self, subject: Uuid, purpose: Purpose) -> Result<(), KeyError> {
        sqlx::query(
            "INSERT INTO keys.data_key AS k (subject, purpose, wrapped, destroyed_at)
             VALUES ($1, $2, NULL, clock_timestamp())
             ON CONFLICT (subject, purpose) DO UPDATE
                 SET wrapped = NULL, earlier = '{}', away = false,
                     destroyed_at = coalesce(k.destroyed_at, excluded.destroyed_at)",
        )
        .bind(subject)
        .bind(purpose.as_str())
        .execute(&self.pool)
        .await?;
        self.remember((subject, purpose), SubjectKeys::Destroyed);
        Ok(())
    }

    /// Empties the key cache; the next use reads from the database.
    pub fn forget_cached(&self) {
        self.cache().clear();
    }

    /// A keyed hash of `value`, for look-up columns and reservations: equal values can be found, but without the master key values
    /// cannot be guessed. `scope` keeps a phone number from matching in another column.
    pub fn lookup_hash(&self, scope: &str, value: &str) -> [u8; 32] {
        mac(&self.lookup, &[scope.as_bytes(), value.as_bytes()])
    }

    /// The keys; `None` if none was ever created.
    async fn find(&self, name: Name) -> Result<Option<SubjectKeys>, KeyError> {
        if let Some(known) = self.recall(name) {
            return Ok(Some(known));
        }
        let row: Option<KeyRow> = sqlx::query_as(
            "SELECT wrapped, earlier, away, destroyed_at IS NOT NULL FROM keys.data_key WHERE subject = $1 AND purpose = $2",
        )
        .bind(name.0)
        .bind(name.1.as_str())
        .fetch_optional(&self.pool)
        .await?;
        row.map(|row| self.unwrap_keys(name, row)).transpose()
    }

    /// Creates the key, or loads it if another process just created it.
    async fn make(&self, name: Name) -> Result<SubjectKeys, KeyError> {
        let key: [u8; 32] = rand::random();
        let wrapped = encrypt(&self.wrap, &data_key(name.0, name.1.as_str()), &key)?;
        let kept: Option<KeyRow> = sqlx::query_as(
            "INSERT INTO keys.data_key AS k (subject, purpose, wrapped)
             SELECT $1, $2, $3 WHERE $4::bigint IS NULL OR EXISTS (SELECT FROM keys.ring WHERE generation = $4 FOR SHARE)
             ON CONFLICT (subject, purpose) DO UPDATE
                 SET wrapped = CASE WHEN k.destroyed_at IS NULL THEN coalesce(k.wrapped, excluded.wrapped) END
             RETURNING wrapped, earlier, away, destroyed_at IS NOT NULL",
        )
        .bind(name.0)
        .bind(name.1.as_str())
        .bind(wrapped)
        .bind(self.generation)
        .fetch_optional(&self.pool)
        .await?;
        self.unwrap_keys(name, kept.ok_or(KeyError::OtherMaster)?)
    }

    fn unwrap_keys(
        &self,
        name: Name,
        (wrapped, earlier, away, destroyed): KeyRow,
    ) -> Result<SubjectKeys, KeyError> {
        let keys = if destroyed {
            SubjectKeys::Destroyed
        } else {
            let about = data_key(name.0, name.1.as_str());
            let keys = wrapped.iter().chain(&earlier).map(|wrapped| {
                let bytes = decrypt(&self.wrap, &about, wrapped)?;
                Aes256Gcm::new_from_slice(&bytes).map_err(|_| KeyError::Forged)
            });
            SubjectKeys::Keys {
                keys: keys.collect::<Result<_, _>>()?,
                away,
            }
        };
        self.remember(name, keys.clone());
        Ok(keys)
    }

    fn recall(&self, name: Name) -> Option<SubjectKeys> {
        let cache = self.cache();
        let known = cache.get(&name)?;
        (known.until > Instant::now()).then(|| known.keys.clone())
    }

    fn remember(&self, name: Name, keys: SubjectKeys) {
        let now = Instant::now();
        let mut cache = self.cache();
        if cache.len() >= REMEMBERED {
            cache.retain(|_, known| known.until > now);
        }
        if cache.len() >= REMEMBERED {
            cache.clear();
        }
        let until = now + FRESH;
        cache.insert(name, CachedKey { keys, until });
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, HashMap<Name, CachedKey>> {
        // A panic elsewhere cannot leave the map inconsistent.
        self.remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyRing(..)")
    }
}

/// Associated data of the wrapped look-up key.
const LOOKUP: &[u8] = b"lookup key";

/// Associated data of a wrapped data key.
fn data_key(subject: Uuid, purpose: &str) -> Vec<u8> {
    format!("{subject}|{purpose}|data key").into_bytes()
}

/// Associated data of a seal: subject, purpose and label; the first two contain no `|`, so it is unambiguous.
fn about((subject, purpose): Name, label: &str) -> Vec<u8> {
    format!("{subject}|{}|{label}", purpose.as_str()).into_bytes()
}

/// nonce ‖ ciphertext ‖ tag
fn encrypt(key: &Aes256Gcm, about: &[u8], plain: &[u8]) -> Result<Vec<u8>, KeyError> {
    let nonce: [u8; NONCE] = rand::random();
    let payload = Payload {
        msg: plain,
        aad: about,
    };
    let sealed = key
        .encrypt(&Nonce::from(nonce), payload)
        .map_err(|_| KeyError::Forged)?;
    Ok([nonce.as_slice(), &sealed].concat())
}

fn decrypt(key: &Aes256Gcm, about: &[u8], bytes: &[u8]) -> Result<Vec<u8>, KeyError> {
    let (nonce, sealed) = bytes.split_first_chunk::<NONCE>().ok_or(KeyError::Forged)?;
    let payload = Payload {
        msg: sealed,
        aad: about,
    };
    key.decrypt(&Nonce::from(*nonce), payload)
        .map_err(|_| KeyError::Forged)
}

/// HMAC-SHA256 of parts; each is preceded by its length, so that different lists never yield the same input.
fn mac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let mut block = [0; 64]; // HMAC pads a key shorter than the hash's block with zeros
    for (place, byte) in block.iter_mut().zip(key) {
        *place = *byte;
    }
    let mut mac = <Hmac<Sha256> as hmac::KeyInit>::new(&block.into());
    for part in parts {
        mac.update(&part.len().to_be_bytes());
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}
