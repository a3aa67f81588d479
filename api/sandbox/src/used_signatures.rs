//! Signatures of calls to the gateway of texts: each is valid once, for 15 minutes.

use std::collections::HashMap;

use time::{Duration, OffsetDateTime};

/// How far the date of a call may be from the present.
pub(crate) const SKEW: Duration = Duration::minutes(15);

/// Signatures that were used, with their dates.
#[derive(Debug, Default)]
pub(crate) struct UsedSignatures(HashMap<String, OffsetDateTime>);

impl UsedSignatures {
    /// Notes a signature; false if it was used before.
    pub(crate) fn note(&mut self, signature: &str, now: OffsetDateTime) -> bool {
        self.0.retain(|_, at| now - *at <= SKEW);
        self.0.insert(signature.to_owned(), now).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_used_once() {
        let (mut used, now) = (UsedSignatures::default(), OffsetDateTime::UNIX_EPOCH);
        assert!(used.note("a", now));
        assert!(!used.note("a", now + SKEW));
        assert!(used.note("b", now));
        assert!(used.note("a", now + SKEW * 3));
    }
}
