//! Bulk insert by binary `COPY`: several times as fast as having Postgres parse JSON.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use sqlx::PgConnection;
use time::format_description::well_known::Rfc3339;
use time::macros::{date, datetime, format_description};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use crate::error::ReadError;
use crate::row_store::{Row, quoted, save};

/// Header of a binary `COPY`: signature, no flags, no extensions.
const BEGIN: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";
/// Trailer.
const END: i16 = -1;
/// Epoch of Postgres timestamps.
const EPOCH: OffsetDateTime = datetime!(2000-01-01 00:00 UTC);
/// Epoch of Postgres dates.
const FIRST_DAY: Date = date!(2000 - 01 - 01);

/// Encoding of a column, by its Postgres type.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Bool,
    Int4,
    Int8,
    Text,
    Texts,
    Uuid,
    Uuids,
    Moment,
    Day,
    Json,
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "boolean" => Self::Bool,
            "integer" => Self::Int4,
            "bigint" => Self::Int8,
            "text" => Self::Text,
            "text[]" => Self::Texts,
            "uuid" => Self::Uuid,
            "uuid[]" => Self::Uuids,
            "timestamp with time zone" => Self::Moment,
            "date" => Self::Day,
            "jsonb" => Self::Json,
            _ => return None,
        })
    }
}

/// Inserts rows none of which exists yet.
pub(crate) async fn copy<R: Row>(
    connection: &mut PgConnection,
    rows: &[R],
) -> Result<(), ReadError> {
    let texts: Vec<String> = rows
        .iter()
        .map(serde_json::to_string)
        .collect::<Result<_, _>>()?;
    let Some(first) = texts.first() else {
        return Ok(());
    };
    let Fields(first) = serde_json::from_str(first)?;
    let names: Vec<&str> = first.iter().map(|(name, _)| name.as_ref()).collect();
    let types: Vec<String> = sqlx::query_scalar(
        "SELECT format_type(a.atttypid, NULL) FROM unnest($2::text[]) WITH ORDINALITY AS wanted(name, nr)
         JOIN pg_attribute a ON a.attrelid = $1::regclass AND a.attname = wanted.name ORDER BY nr",
    )
    .bind(R::TABLE)
    .bind(&names)
    .fetch_all(&mut *connection)
    .await?;
    let kinds: Option<Vec<Kind>> = types.iter().map(|name| Kind::named(name)).collect();
    let Some(kinds) = kinds else {
        // a type without an encoding here
        return save(connection, rows).await;
    };
    let mut data = BEGIN.to_vec();
    for text in &texts {
        let Fields(fields) = serde_json::from_str(text)?;
        data.extend(i16::try_from(fields.len())?.to_be_bytes());
        for ((_, value), kind) in fields.iter().zip(&kinds) {
            put(&mut data, value.get(), *kind)?;
        }
    }
    data.extend(END.to_be_bytes());
    let sql = format!(
        "COPY {} ({}) FROM STDIN WITH (FORMAT binary)",
        R::TABLE,
        quoted(names)
    );
    let mut sink = connection.copy_in_raw(&sql).await?;
    sink.send(data).await?;
    sink.finish().await?;
    Ok(())
}

/// Writes one field: its length and its bytes.
fn put(data: &mut Vec<u8>, json: &str, kind: Kind) -> Result<(), ReadError> {
    if json == "null" {
        data.extend((-1_i32).to_be_bytes());
        return Ok(());
    }
    match kind {
        Kind::Bool => bytes(data, &[u8::from(serde_json::from_str::<bool>(json)?)]),
        Kind::Int4 => bytes(data, &serde_json::from_str::<i32>(json)?.to_be_bytes()),
        Kind::Int8 => bytes(data, &serde_json::from_str::<i64>(json)?.to_be_bytes()),
        Kind::Text => bytes(data, serde_json::from_str::<Text<'_>>(json)?.0.as_bytes()),
        Kind::Uuid => bytes(data, serde_json::from_str::<Uuid>(json)?.as_bytes()),
        Kind::Moment => {
            let Text(text) = serde_json::from_str(json)?;
            let since = OffsetDateTime::parse(&text, &Rfc3339)? - EPOCH;
            bytes(
                data,
                &i64::try_from(since.whole_microseconds())?.to_be_bytes(),
            )
        }
        Kind::Day => {
            let Text(text) = serde_json::from_str(json)?;
            let day = Date::parse(&text, format_description!("[year]-[month]-[day]"))?;
            let since = (day - FIRST_DAY).whole_days();
            bytes(data, &i32::try_from(since)?.to_be_bytes())
        }
        Kind::Json => {
            // version of the jsonb format, then the text
            let length = json.len().saturating_add(1);
            data.extend(i32::try_from(length)?.to_be_bytes());
            data.push(1);
            data.extend(json.as_bytes());
            Ok(())
        }
        Kind::Texts => {
            let texts: Vec<Text<'_>> = serde_json::from_str(json)?;
            let texts: Vec<&[u8]> = texts.iter().map(|text| text.0.as_bytes()).collect();
            list(data, 25, &texts)
        }
        Kind::Uuids => {
            let ids: Vec<Uuid> = serde_json::from_str(json)?;
            let ids: Vec<&[u8]> = ids.iter().map(|id| id.as_bytes().as_slice()).collect();
            list(data, 2950, &ids)
        }
    }
}

fn bytes(data: &mut Vec<u8>, bytes: &[u8]) -> Result<(), ReadError> {
    data.extend(i32::try_from(bytes.len())?.to_be_bytes());
    data.extend(bytes);
    Ok(())
}

/// A one-dimensional array without nulls; `of` is the OID of the element type.
fn list(data: &mut Vec<u8>, of: u32, members: &[&[u8]]) -> Result<(), ReadError> {
    let mut list = Vec::new();
    list.extend(i32::from(!members.is_empty()).to_be_bytes());
    list.extend(0_i32.to_be_bytes());
    list.extend(of.to_be_bytes());
    if !members.is_empty() {
        list.extend(i32::try_from(members.len())?.to_be_bytes());
        list.extend(1_i32.to_be_bytes());
        for member in members {
            bytes(&mut list, member)?;
        }
    }
    bytes(data, &list)
}

/// A text, borrowed if there is nothing to unescape in it.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// The fields of an object in order, unparsed.
struct Fields<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;

        impl<'de> Visitor<'de> for Reader {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a row")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some((Text(name), value)) = map.next_entry()? {
                    fields.push((name, value));
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Reader)
    }
}
