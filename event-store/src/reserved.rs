//! Who holds a name.

use crate::error::StoreError;
use crate::store::Store;

impl Store {
    /// Who holds a name now; only [`crate::Append::reservations`] decides who gets it.
    ///
    /// # Errors
    /// The database's.
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
}
