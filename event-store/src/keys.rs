//! Personal data: sealed with a key of one person and one purpose, so that destroying the key forgets the person.
//!
//! Each (subject, purpose) has a data key of its own, made at its first seal, kept in `keys.data_key` wrapped by
//! the master key (both AES-256-GCM). A destroyed key stays as a row without bytes: it is never made again, and
//! whatever it sealed, in the log, a read model, an index or a backup, opens as [`Opened::Erased`] for ever.
//!
//! The associated data of every seal is who it is about, what for, and what it is: the label of the sealed
//! type ([`SealLabel`]), or one of the caller's choosing ([`KeyRing::seal_as`]). A seal copied to another person, purpose or
//! kind of value does not open.
//!
//! After the log was restored without its keys they are *away*: what they sealed opens as [`Opened::Erased`] until they come
//! [back](crate::backup::Incoming::merge_keys), and who gives something new before that gets a new key, beside which the old one comes back.

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

/// Bytes of a nonce.
const NONCE: usize = 12;
/// Most unwrapped keys kept in memory.
const REMEMBERED: usize = 4_096;
/// How long an unwrapped key is kept: the longest another process may still read after a destruction.
const FRESH: Duration = Duration::from_secs(30);

/// What can go wrong with a seal.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The keys could not be read or written.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// Nothing can be sealed for somebody who was forgotten.
    #[error("the {purpose} key of {subject} was destroyed", purpose = .purpose.as_str())]
    Destroyed {
        /// Whose key.
        subject: Uuid,
        /// What for.
        purpose: Purpose,
    },
    /// The seal is not one, is about somebody or something else, or was made with another master key.
    #[error("the seal does not open")]
    Forged,
    /// The value could not be written as JSON, or what was sealed is no such value.
    #[error("the sealed value: {0}")]
    Json(#[from] serde_json::Error),
    /// The keys of this database are wrapped by another master key.
    #[error("this is not the master key that the keys of this database are wrapped with")]
    OtherMaster,
    /// The master key is not 32 bytes in base64.
    #[error("a master key is 32 bytes in base64")]
    MasterKey,
}

/// The key that wraps all data keys. Whoever has it and `keys.data_key` can read all personal data.
#[derive(Clone)]
pub struct MasterKey([u8; 32]);

impl MasterKey {
    /// A new one.
    pub fn generate() -> Self {
        Self(rand::random())
    }

    /// From its bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// From its text form.
    ///
    /// # Errors
    /// [`KeyError::MasterKey`].
    pub fn from_base64(text: &str) -> Result<Self, KeyError> {
        let bytes = BASE64
            .decode(text.trim())
            .map_err(|_| KeyError::MasterKey)?;
        bytes.try_into().map(Self).map_err(|_| KeyError::MasterKey)
    }

    /// Its text form, for the settings file.
    pub fn to_base64(&self) -> String {
        BASE64.encode(self.0)
    }

    /// What signs the chain over the log where no key of its own was set: the same on every machine of a shop.
    pub fn chain_secret(&self) -> [u8; 32] {
        self.derive("chain")
    }

    /// A key for one use, so that no key is used for two things.
    fn derive(&self, use_: &str) -> [u8; 32] {
        mac(&self.0, &[b"jangbu", use_.as_bytes()])
    }
}

impl fmt::Debug for MasterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MasterKey(..)")
    }
}

/// What is under a seal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opened<T> {
    /// The value.
    Value(T),
    /// The person was forgotten; there is nothing to read any more.
    Erased,
}

impl<T> Opened<T> {
    /// The value, if it is still there.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Value(value) => Some(value),
            Self::Erased => None,
        }
    }
}

type Name = (Uuid, Purpose);

/// Seals and opens personal data. Cheap to clone; clones share the remembered keys.
#[derive(Clone)]
pub struct KeyRing {
    pool: PgPool,
    wrap: Aes256Gcm,
    lookup: [u8; 32],
    /// Which master key this is, by the database's count; `None`: nobody asked.
    generation: Option<i64>,
    remembered: Arc<Mutex<HashMap<Name, CachedKey>>>,
}

#[derive(Clone)]
struct CachedKey {
    held: Held,
    until: Instant,
}

/// What there is of somebody's keys for one purpose.
#[derive(Clone)]
enum Held {
    /// Never again.
    Destroyed,
    /// The newest first; only that one seals. None: all are away.
    Keys {
        keys: Vec<Aes256Gcm>,
        /// Some are not here but in a backup.
        away: bool,
    },
}

impl Held {
    /// The one that seals.
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
    /// The keys in the database of `pool`, wrapped by `master`, whose look-up key they have. For a program that goes on for long
    /// there is [`KeyRing::load`].
    pub fn new(pool: PgPool, master: MasterKey) -> Self {
        Self {
            pool,
            wrap: Aes256Gcm::new(&master.derive("wrap").into()),
            lookup: master.derive("lookup"),
            generation: None,
            remembered: Arc::default(),
        }
    }

    /// The same, if `master` is the master key of this database.
    ///
    /// # Errors
    /// [`KeyError::OtherMaster`]; the database's.
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

    /// Wraps all keys by another master key, in one transaction. Programs that still have the old one can neither read nor
    /// make keys any more, so nothing is ever wrapped by the wrong one; look-up hashes stay what they are. Answers how many
    /// keys there are.
    ///
    /// # Errors
    /// [`KeyError::Forged`] if a key is not wrapped by the present master key: nothing is changed then; the database's.
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

    /// Seals `value` for `subject`, making their key at first use.
    ///
    /// # Errors
    /// [`KeyError::Destroyed`] if they were forgotten; the database's.
    pub async fn seal<T: Serialize + SealLabel>(
        &self,
        subject: Uuid,
        purpose: Purpose,
        value: &T,
    ) -> Result<Sealed<T>, KeyError> {
        self.seal_as(T::LABEL, subject, purpose, value).await
    }

    /// Seals `value` so that it opens only under the same label (what it is, e.g. `receiver`).
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
        let held = match self.find(name).await? {
            Some(Held::Keys { keys, .. }) if keys.is_empty() => self.make(name).await?,
            Some(held) => held,
            None => self.make(name).await?,
        };
        let key = held
            .newest()
            .ok_or(KeyError::Destroyed { subject, purpose })?;
        let sealed = encrypt(key, &about(name, label), &plain)?;
        Ok(Sealed::from_parts(subject, purpose, BASE64.encode(sealed)))
    }

    /// Opens a seal made by [`KeyRing::seal`] of the same type.
    ///
    /// # Errors
    /// [`KeyError::Forged`]; [`KeyError::Json`]; the database's. A destroyed key is no error: [`Opened::Erased`].
    pub async fn open<T: DeserializeOwned + SealLabel>(
        &self,
        sealed: &Sealed<T>,
    ) -> Result<Opened<T>, KeyError> {
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
    ) -> Result<Opened<T>, KeyError> {
        let name = (sealed.subject, sealed.purpose);
        // a key that never was cannot have sealed anything; after restoring a log without its keys it is as good as destroyed
        let Some(Held::Keys { keys, away }) = self.find(name).await? else {
            return Ok(Opened::Erased);
        };
        let bytes = BASE64
            .decode(&sealed.sealed)
            .map_err(|_| KeyError::Forged)?;
        let about = about(name, label);
        let opened = keys
            .iter()
            .find_map(|key| decrypt(key, &about, &bytes).ok());
        match opened {
            Some(plain) => Ok(Opened::Value(serde_json::from_slice(&plain)?)),
            // by one that is not here
            None if away => Ok(Opened::Erased),
            None => Err(KeyError::Forged),
        }
    }

    /// Fetches the keys of many in one query, so that opening a page of rows asks the database once.
    ///
    /// # Errors
    /// The database's; [`KeyError::Forged`] if a key was wrapped by another master key.
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

    /// Forgets the person for this purpose, for ever. Doing it again does nothing.
    ///
    /// Other processes may still open their seals for half a minute.
    ///
    /// # Errors
    /// The database's.
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
        self.remember((subject, purpose), Held::Destroyed);
        Ok(())
    }

    /// Drops all keys from memory; the next use reads them again.
    pub fn forget_cached(&self) {
        self.cache().clear();
    }

    /// A keyed hash of `value`, for look-up columns and reservations: equal values are found, nobody without the
    /// master key can try out values. `scope` keeps a phone number from matching in another column.
    pub fn lookup_hash(&self, scope: &str, value: &str) -> [u8; 32] {
        mac(&self.lookup, &[scope.as_bytes(), value.as_bytes()])
    }

    /// The keys; `None`: none was ever made.
    async fn find(&self, name: Name) -> Result<Option<Held>, KeyError> {
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

    /// Makes the key, unless somebody else just did: then theirs.
    async fn make(&self, name: Name) -> Result<Held, KeyError> {
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
    ) -> Result<Held, KeyError> {
        let held = if destroyed {
            Held::Destroyed
        } else {
            let about = data_key(name.0, name.1.as_str());
            let keys = wrapped.iter().chain(&earlier).map(|wrapped| {
                let bytes = decrypt(&self.wrap, &about, wrapped)?;
                Aes256Gcm::new_from_slice(&bytes).map_err(|_| KeyError::Forged)
            });
            Held::Keys {
                keys: keys.collect::<Result<_, _>>()?,
                away,
            }
        };
        self.remember(name, held.clone());
        Ok(held)
    }

    fn recall(&self, name: Name) -> Option<Held> {
        let cache = self.cache();
        let known = cache.get(&name)?;
        (known.until > Instant::now()).then(|| known.held.clone())
    }

    fn remember(&self, name: Name, held: Held) {
        let now = Instant::now();
        let mut cache = self.cache();
        if cache.len() >= REMEMBERED {
            cache.retain(|_, known| known.until > now);
        }
        if cache.len() >= REMEMBERED {
            cache.clear();
        }
        let until = now + FRESH;
        cache.insert(name, CachedKey { held, until });
    }

    fn cache(&self) -> std::sync::MutexGuard<'_, HashMap<Name, CachedKey>> {
        // a panic elsewhere cannot leave a map half written
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

/// The associated data of the wrapped look-up key.
const LOOKUP: &[u8] = b"lookup key";

/// The associated data of a wrapped data key.
fn data_key(subject: Uuid, purpose: &str) -> Vec<u8> {
    format!("{subject}|{purpose}|data key").into_bytes()
}

/// The associated data: subject, purpose and label; the first two have no `|` in them, so it reads one way only.
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

/// HMAC-SHA256 of parts; each is preceded by its length, so no two lists read the same.
fn mac(key: &[u8; 32], parts: &[&[u8]]) -> [u8; 32] {
    let mut block = [0; 64]; // a key shorter than the hash's block is padded with zeros, says HMAC
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
