//! Setting `mail.bounce_secret`: who may report mail that a relay could not deliver.

use std::fmt;

use sha2::{Digest, Sha256};

use super::SettingsError;
use super::draft::Draft;

/// The secret of the relay that reports bounces.
#[derive(Clone)]
pub struct BounceSecret(String);

impl fmt::Debug for BounceSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BounceSecret(..)")
    }
}

impl BounceSecret {
    /// Whether this is it. Hashes are compared, so that the time tells nothing of it.
    pub fn is(&self, given: &str) -> bool {
        Sha256::digest(&self.0) == Sha256::digest(given)
    }
}

/// The secret, if one is set.
pub(super) fn read(draft: &mut Draft) -> Result<Option<BounceSecret>, SettingsError> {
    let secret = draft.optional("mail.bounce_secret")?;
    if secret.as_ref().is_some_and(|secret| secret.len() < 16) {
        return Err(draft.bad("mail.bounce_secret", "needs at least 16 letters"));
    }
    Ok(secret.map(BounceSecret))
}
