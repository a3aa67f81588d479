//! Responses of the reCAPTCHA widget: each is valid once, for two minutes.

use std::collections::HashMap;
use std::time::Duration;

use time::OffsetDateTime;
use uuid::Uuid;

/// How long a response is valid.
const LIFE: Duration = Duration::from_secs(120);

/// Responses that were handed out and not used yet.
#[derive(Debug, Default)]
pub(crate) struct Responses(HashMap<String, OffsetDateTime>);

impl Responses {
    pub(crate) fn hand_out(&mut self, now: OffsetDateTime) -> String {
        self.0.retain(|_, at| now - *at < LIFE);
        let response = format!("sandbox-{}", Uuid::new_v4());
        self.0.insert(response.clone(), now);
        response
    }

    /// When a response was handed out, if it is valid; it is not any more.
    pub(crate) fn take(&mut self, response: &str, now: OffsetDateTime) -> Option<OffsetDateTime> {
        let at = self.0.remove(response)?;
        (now - at < LIFE).then_some(at)
    }
}
