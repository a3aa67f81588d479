//! Password hashing: Argon2id on blocking threads, with limited concurrency.

use std::sync::Arc;
use std::thread::available_parallelism;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::{AppError, AppResult};

/// Hashes and verifies passwords. One operation takes 19 MiB and about 20 ms, so they queue for a permit.
#[derive(Clone)]
pub struct Passwords {
    permits: Arc<Semaphore>,
}

/// Permit to hash one password.
pub struct PasswordTurn(#[expect(dead_code, reason = "held until dropped")] OwnedSemaphorePermit);

impl Default for Passwords {
    /// One operation per core at a time.
    fn default() -> Self {
        let cores = available_parallelism().map_or(1, usize::from);
        Self {
            permits: Arc::new(Semaphore::new(cores)),
        }
    }
}

impl Passwords {
    /// Waits for a permit. No row may be locked meanwhile, nor during hashing: others would wait for it.
    ///
    /// # Errors
    /// Only while the program is shutting down.
    pub async fn turn(&self) -> AppResult<PasswordTurn> {
        let permit = Arc::clone(&self.permits).acquire_owned().await;
        permit.map(PasswordTurn).map_err(AppError::internal)
    }

    /// Hashes a password, in PHC form with its own salt.
    ///
    /// # Errors
    /// The system provides no randomness.
    pub async fn hash(&self, _turn: &PasswordTurn, password: String) -> AppResult<String> {
        tokio::task::spawn_blocking(move || hash_now(&password))
            .await?
            .map_err(AppError::internal)
    }

    /// Verifies a password against a stored hash; without one, for an unknown username, it takes as long and returns false.
    ///
    /// # Errors
    /// The stored hash is malformed.
    pub async fn verify(
        &self,
        _turn: &PasswordTurn,
        password: String,
        stored: Option<&str>,
    ) -> AppResult<bool> {
        let stored = stored.map(str::to_owned);
        let fits = tokio::task::spawn_blocking(move || -> anyhow::Result<bool> {
            let Some(stored) = stored else {
                return hash_now(&password).map(|_| false);
            };
            let hash = PasswordHash::new(&stored)
                .map_err(|error| anyhow::anyhow!("stored password hash: {error}"))?;
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
