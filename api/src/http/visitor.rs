//! Identifies visitors per day. Only a hash with the day's salt is stored, and the salt is deleted afterwards.

use crate::http::{ApiError, ApiResult};
use axum::extract::FromRequestParts;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use sha2::{Digest, Sha256};

use super::operation::{OperationInput, Signature};
use crate::app::AppState;
use crate::limits::ClientAddress;

/// Bytes of the hash that are stored: enough to distinguish the visitors of a day.
const KEPT: usize = 16;

/// The client address and browser of a request.
#[derive(Clone, Debug)]
pub struct Visitor(Sha256);

impl Visitor {
    /// The visitor's hash with the salt of a day.
    pub fn on(&self, salt: &[u8]) -> Vec<u8> {
        let hash = self.0.clone().chain_update(salt).finalize();
        hash.into_iter().take(KEPT).collect()
    }
}

impl FromRequestParts<AppState> for Visitor {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> ApiResult<Self> {
        let client = ClientAddress {
            behind_proxy: app.settings.server.behind_proxy,
        };
        let address = client.of(&parts.headers, &parts.extensions);
        let address = address.map(|address| address.to_string());
        let agent = parts.headers.get(USER_AGENT);
        Ok(Self(
            Sha256::new()
                .chain_update(address.unwrap_or_default())
                .chain_update([0_u8])
                .chain_update(agent.map(|agent| agent.as_bytes()).unwrap_or_default())
                .chain_update([0_u8]),
        ))
    }
}

impl OperationInput for Visitor {
    fn describe(_: &mut Signature) {}
}
