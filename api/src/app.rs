//! x
use std::sync::Arc;
use crate::clock::Clock;
use crate::http::passwords::Passwords;
use crate::http::tokens::Tokens;
/// x
#[derive(Clone)]
pub struct AppState {
    /// x
    pub clock: Arc<dyn Clock>,
    /// x
    pub tokens: Tokens,
    /// x
    pub passwords: Passwords,
}
