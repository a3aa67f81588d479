//! Owners of reserved names.

use std::collections::HashMap;

use crate::error::StoreError;
use crate::store::Store;

impl Store {
    /// The owner of a name; only [`crate::Append::reservations`] decides who gets it.
    ///
    /// # Errors
    /// Database errors.
    pub async fn reserved_by(
        &self,
        scope: &str,
        key_hash: &[u8; 32],
    ) -> Result<Option<String>, StoreError> {
        let owner =
            sqlx::query_scalar("SELECT owner FROM reservations WHERE scope = $1 AND key_hash = $2")
                .bind(scope)
                .bind(key_hash.as_slice())
                .fetch_optional(self.pool())
                .await?;
        Ok(owner)
    }

    /// The owners of these names of a scope; unreserved names are missing.
    ///
    /// # Errors
    /// Database errors.
    pub async fn holders(
        &self,
        scope: &str,
        key_hashes: &[[u8; 32]],
    ) -> Result<HashMap<[u8; 32], String>, StoreError> {
        let hashes: Vec<&[u8]> = key_hashes.iter().map(<[u8; 32]>::as_slice).collect();
        let held: Vec<(Vec<u8>, String)> = sqlx::query_as(
            "SELECT key_hash, owner FROM reservations WHERE scope = $1 AND key_hash = ANY($2)",
        )
        .bind(scope)
        .bind(hashes)
        .fetch_all(self.pool())
        .await?;
        let pairs = held.into_iter();
        Ok(pairs
            .filter_map(|(hash, owner)| Some((hash.try_into().ok()?, owner)))
            .collect())
    }
}
