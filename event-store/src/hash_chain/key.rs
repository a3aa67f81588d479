//! The key pair that signs blocks.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};

use super::ChainError;

/// Prefix of signed messages, so that the signature of a block cannot be reused elsewhere.
const ABOUT: &[u8] = b"jangbu log block 1";

/// The secret key. With it and access to the database the log can be rewritten undetected.
#[derive(Clone)]
pub struct ChainKey(SigningKey);

impl ChainKey {
    /// Creates the key from its 32 secret bytes.
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(bytes))
    }

    /// The public key.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    pub(super) fn sign(&self, hash: &[u8; 32]) -> [u8; 64] {
        self.0.sign(&message(hash)).to_bytes()
    }
}

impl fmt::Debug for ChainKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ChainKey({})", self.public())
    }
}

/// The public key: suffices to verify the chain, not to extend it. As text 32 bytes in base64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey([u8; 32]);

impl PublicKey {
    pub(super) const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }

    pub(super) fn signed(&self, hash: &[u8; 32], signature: &[u8]) -> bool {
        let (Ok(key), Ok(signature)) = (
            VerifyingKey::from_bytes(&self.0),
            Signature::from_slice(signature),
        ) else {
            return false;
        };
        key.verify_strict(&message(hash), &signature).is_ok()
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&BASE64.encode(self.0))
    }
}

impl FromStr for PublicKey {
    type Err = ChainError;

    fn from_str(text: &str) -> Result<Self, ChainError> {
        let bytes = BASE64.decode(text.trim()).map_err(|_| ChainError::Key)?;
        bytes.try_into().map(Self).map_err(|_| ChainError::Key)
    }
}

fn message(hash: &[u8; 32]) -> Vec<u8> {
    [ABOUT, hash].concat()
}
