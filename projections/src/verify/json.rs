//! JSON that borrows from its source: comparing a million rows is mostly parsing, and nothing of a row is kept.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Number, Value};

/// A value whose texts borrow from the source.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json<'a> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    /// By name, without duplicates.
    Object(Vec<(Cow<'a, str>, Json<'a>)>),
}

impl<'a> Json<'a> {
    /// A field of an object.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Object(fields) = self else {
            return None;
        };
        let place = fields.binary_search_by(|(field, _)| field.as_ref().cmp(name));
        fields.get(place.ok()?).map(|(_, value)| value)
    }

    /// The same as an owned value.
    pub fn value(&self) -> Value {
        match self {
            Self::Null => Value::Null,
            Self::Bool(yes) => Value::Bool(*yes),
            Self::Number(number) => Value::Number(number.clone()),
            Self::Text(text) => Value::String(text.clone().into_owned()),
            Self::List(items) => items.iter().map(Self::value).collect(),
            Self::Object(fields) => fields
                .iter()
                .map(|(name, value)| (name.clone().into_owned(), value.value()))
                .collect(),
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = Json<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Json<'de>, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, yes: bool) -> Result<Json<'de>, E> {
        Ok(Json::Bool(yes))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json<'de>, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json<'de>, E> {
        Ok(Json::Number(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json<'de>, E> {
        Ok(Number::from_f64(number).map_or(Json::Null, Json::Number))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Json<'de>, E> {
        Ok(Json::Text(Cow::Owned(text.to_owned())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Json<'de>, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Json::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Json<'de>, A::Error> {
        let mut object: Vec<(Cow<'de, str>, Json<'de>)> = Vec::new();
        while let Some((Name(name), value)) = fields.next_entry()? {
            object.push((name, value));
        }
        // of duplicate fields the last one counts
        object.reverse();
        object.sort_by(|(one, _), (other, _)| one.cmp(other));
        object.dedup_by(|(later, _), (first, _)| later == first);
        Ok(Json::Object(object))
    }
}

/// A name, borrowed if there is nothing to unescape in it.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn says_what_a_value_says() {
        let text = r#"{"b": [1, -2, 1.5, true, null], "a": {"\u00e4": "x\ny"}, "b": "last", "": 18446744073709551615}"#;
        let read: Json<'_> = serde_json::from_str(text).unwrap();
        assert_eq!(read.value(), serde_json::from_str::<Value>(text).unwrap());
        assert_eq!(read.get("b"), Some(&Json::Text("last".into())));
        assert_eq!(read.get("c"), None);
    }
}
