//! Passwords: Argon2id, on threads of their own and only a few at a time.

use std::sync::Arc;
use std::thread::available_parallelism;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::error::{ApiError, ApiResult};

/// Hashes and checks passwords. One check takes 19 MiB and about 20 ms, so they queue instead of piling up.
#[derive(Clone)]
pub struct Passwords {
    permits: Arc<Semaphore>,
}

/// The right to hash one password now.
pub struct Turn(#[expect(dead_code, reason = "held until dropped")] OwnedSemaphorePermit);

impl Default for Passwords {
    /// One check per core at a time.
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self {
            permits: Arc::new(Semaphore::new(cores)),
        }
    }
}

impl Passwords {
    /// Waits for a turn. No row may be locked meanwhile, nor while a password is hashed: others would wait for it.
    ///
    /// # Errors
    /// Never, unless the program is ending.
    pub async fn turn(&self) -> ApiResult<Turn> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        permit.map(Turn).map_err(ApiError::internal)
    }

    /// The hash to keep of a password, in PHC form with its own salt.
    ///
    /// # Errors
    /// When the system has no randomness to give.
    pub async fn hash(&self, _turn: &Turn, password: String) -> ApiResult<String> {
        tokio::task::spawn_blocking(move || hash_now(&password))
            .await?
            .map_err(ApiError::internal)
    }

    /// Whether a password belongs to a kept hash; without one, where nobody has that name, it takes as long and says no.
    ///
    /// # Errors
    /// When the kept hash is not one.
    pub async fn verify(
        &self,
        _turn: &Turn,
        password: String,
        kept: Option<&str>,
    ) -> ApiResult<bool> {
        let kept = kept.map(str::to_owned);
        let fits = tokio::task::spawn_blocking(move || -> anyhow::Result<bool> {
            let Some(kept) = kept else {
                return hash_now(&password).map(|_| false);
            };
            let hash = PasswordHash::new(&kept)
                .map_err(|error| anyhow::anyhow!("kept password hash: {error}"))?;
            Ok(Argon2::default()
                .verify_password(password.as_bytes(), &hash)
                .is_ok())
        })
        .await??;
        Ok(fits)
    }
}

fn hash_now(password: &str) -> anyhow::Result<String> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    Ok(hash
        .map_err(|error| anyhow::anyhow!("hashing a password: {error}"))?
        .to_string())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_password_fits_its_own_hash_only() {
        let passwords = Passwords::default();
        let turn = passwords.turn().await.unwrap();
        let hash = passwords.hash(&turn, "abcd123!".to_owned()).await.unwrap();
        assert!(hash.starts_with("$argon2id$"));
        assert!(
            passwords
                .verify(&turn, "abcd123!".to_owned(), Some(&hash))
                .await
                .unwrap()
        );
        assert!(
            !passwords
                .verify(&turn, "abcd123?".to_owned(), Some(&hash))
                .await
                .unwrap()
        );
        assert!(
            !passwords
                .verify(&turn, "abcd123!".to_owned(), None)
                .await
                .unwrap()
        );
    }
}
