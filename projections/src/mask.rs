//! Masks personal data in events.

use event_store::StoredEvent;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::error::ReadError;

/// Replacement for personal data.
pub const MASK: &str = "●●●";

/// The same JSON with every seal, and every keyed hash of a contact, replaced by [`MASK`].
pub fn masked(value: &Value) -> Value {
    match value {
        Value::Object(fields) if is_seal(fields) => Value::String(MASK.to_owned()),
        Value::Object(fields) => Value::Object(
            fields
                .iter()
                .map(|(name, value)| {
                    let value = if name == "contactHash" {
                        Value::String(MASK.to_owned())
                    } else {
                        masked(value)
                    };
                    (name.clone(), value)
                })
                .collect(),
        ),
        Value::Array(values) => Value::Array(values.iter().map(masked).collect()),
        other => other.clone(),
    }
}

/// The content of an event, masked. Most events have nothing to mask and keep their text.
pub(crate) fn content(recorded: &StoredEvent) -> Result<Box<RawValue>, ReadError> {
    // an escaped name could be one of the other two
    let signs = ["\"sealed\"", "\"contactHash\"", "\\u"];
    let text = recorded.payload.text();
    if signs.iter().any(|sign| text.contains(sign)) {
        return Ok(to_raw_value(&masked(&recorded.value()?))?);
    }
    Ok(RawValue::from_string(text.to_owned())?)
}

/// `domain::Sealed` on the wire: exactly these three fields.
fn is_seal(fields: &serde_json::Map<String, Value>) -> bool {
    fields.len() == 3
        && ["subject", "purpose", "sealed"]
            .iter()
            .all(|name| fields.contains_key(*name))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use domain::{Purpose, Sealed};
    use serde_json::json;

    #[test]
    fn no_seal_stays_wherever_it_is() {
        let seal: Sealed<String> =
            Sealed::from_parts(uuid::Uuid::nil(), Purpose::Profile, "c2VjcmV0".to_owned());
        let seal = serde_json::to_value(seal).unwrap();
        let event = json!({"OrderPlaced": {"sender": seal, "more": [seal, 1], "buyer": {"contactHash": "ab"}}});
        assert_eq!(
            masked(&event),
            json!({"OrderPlaced": {"sender": MASK, "more": [MASK, 1], "buyer": {"contactHash": MASK}}})
        );
    }
}
