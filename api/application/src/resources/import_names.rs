//! Names in the cells of an imported table: a record, a category or a seller may be written by its name, its code or its id.
//!
//! The names of a batch are looked up together. A name of several records is a fault of its row; of groups that belong to sellers, only those
//! of the row's own seller are meant.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::catalogue::tree::{Category, CategoryTree, STREAM_ID};
use domain::ids::MemberId;
use domain::validation::FieldError;
use projections::record_lists::Source;
use projections::records;
use serde_json::{Value, json};
use uuid::Uuid;

use super::import_cells::CellValue;
use super::references::{MEMBER, SELLER, unknown_message};
use super::schema::Field;
use super::{AdminResource, find};
use crate::app::App;
use crate::error::AppResult;
use crate::nickname_index::IndexedMember;

/// Separates the names of a category and of those above it.
const UNDER: &str = ">";

/// A record that a text may mean.
#[derive(Clone, Debug)]
struct Candidate {
    key: String,
    seller: Option<String>,
}

impl Candidate {
    fn of(key: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            seller: None,
        }
    }
}

/// What the texts in the reference columns of a batch mean.
pub(super) struct Names(HashMap<(&'static str, String), Vec<Candidate>>);

impl Names {
    /// Looks up the texts of these rows.
    ///
    /// # Errors
    /// Database errors.
    pub(super) async fn of<'a>(
        app: &App,
        columns: &[Option<Field>],
        rows: impl Iterator<Item = &'a Vec<String>>,
    ) -> AppResult<Self> {
        let mut asked: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
        for cells in rows {
            for (field, cell) in columns.iter().zip(cells) {
                let Some((field, kind)) = field.and_then(|field| Some((field, field.resource?)))
                else {
                    continue;
                };
                if !field.read_only
                    && let Ok(Some(value)) = super::cell_format::read(&field, cell)
                {
                    let texts = texts(&value).map(|text| text.trim().to_owned());
                    asked.entry(kind).or_default().extend(texts);
                }
            }
        }
        let mut found = HashMap::new();
        for (kind, texts) in asked {
            for (text, candidates) in candidates(app, kind, texts).await? {
                found.insert((kind, text), candidates);
            }
        }
        Ok(Self(found))
    }

    /// Replaces the texts of a row's references by the keys they mean; `seller` is the row's seller, unless the row names it.
    pub(super) fn resolve(
        &self,
        written: &mut [CellValue<'_>],
        errors: &mut Vec<FieldError>,
        mut seller: Option<String>,
    ) {
        // The seller first: it decides which groups are meant.
        written.sort_by_key(|(field, _, _)| field.resource != Some(SELLER));
        for (field, _, value) in written {
            let Some((kind, value)) = field.resource.zip(value.as_mut()) else {
                continue;
            };
            let own = seller.as_deref().filter(|_| field.own);
            let resolved = match &mut *value {
                Value::Array(items) => items
                    .iter_mut()
                    .filter_map(|item| self.replace(kind, own, item).err())
                    .next()
                    .map_or(Ok(()), Err),
                one => self.replace(kind, own, &mut *one),
            };
            if let Err((code, message)) = resolved {
                errors.push(FieldError::new(field.name, code, &message));
            }
            if kind == SELLER
                && field.name == "_seller"
                && let Some(text) = value.as_str()
            {
                seller = Some(text.to_owned());
            }
        }
    }

    fn replace(
        &self,
        kind: &'static str,
        own: Option<&str>,
        value: &mut Value,
    ) -> Result<(), (&'static str, String)> {
        let Some(text) = value.as_str().map(|text| text.trim().to_owned()) else {
            return Ok(());
        };
        let candidates = self.0.get(&(kind, text.clone()));
        let candidates = candidates.map(Vec::as_slice).unwrap_or_default();
        let fits = |one: &&Candidate| {
            own.is_none_or(|own| one.seller.as_deref().is_none_or(|seller| seller == own))
        };
        // With none of the own seller, another seller's is refused by the rules of the record.
        let mut meant: Vec<&Candidate> = candidates.iter().filter(fits).collect();
        if meant.is_empty() {
            meant = candidates.iter().collect();
        }
        match meant.as_slice() {
            // A code of nothing is refused by the rules of the record, unless it stood there before.
            [] if is_by_code(kind) => Ok(()),
            [] => Err(("unknown", unknown_message(&text))),
            [one] => {
                *value = json!(one.key);
                Ok(())
            }
            [..] => {
                let message = format!(
                    "이름이 같은 항목이 여러 개입니다: {text}. 코드나 번호를 입력해 주세요."
                );
                Err(("ambiguous", message))
            }
        }
    }
}

/// Whether records of this kind are referred to by code.
fn is_by_code(kind: &str) -> bool {
    kind != SELLER && find(kind).is_none_or(|resource| resource.named_by_code)
}

fn texts(value: &Value) -> impl Iterator<Item = &str> {
    let many = value
        .as_array()
        .map_or(std::slice::from_ref(value), Vec::as_slice);
    many.iter().filter_map(Value::as_str)
}

/// What each text may mean in this kind.
async fn candidates(
    app: &App,
    kind: &'static str,
    texts: BTreeSet<String>,
) -> AppResult<HashMap<String, Vec<Candidate>>> {
    match kind {
        SELLER => sellers(app, texts).await,
        MEMBER => Ok(texts
            .into_iter()
            .map(|text| (text.clone(), vec![Candidate::of(text)]))
            .collect()),
        _ => match find(kind) {
            Some(resource) => records_of(app, resource, texts).await,
            None => categories(app, texts).await,
        },
    }
}

async fn sellers(app: &App, texts: BTreeSet<String>) -> AppResult<HashMap<String, Vec<Candidate>>> {
    let mut by_name: HashMap<String, Vec<Candidate>> = HashMap::new();
    for known in app.nickname_index.find("", IndexedMember::sells).await? {
        let name = known.nickname.trim().to_owned();
        let candidate = Candidate::of(known.id.to_string());
        by_name.entry(name).or_default().push(candidate);
    }
    let meant = |text: String| {
        let found = match text.parse::<MemberId>() {
            Ok(_) => vec![Candidate::of(&text)],
            Err(_) => by_name.get(&text).cloned().unwrap_or_default(),
        };
        (text, found)
    };
    Ok(texts.into_iter().map(meant).collect())
}

async fn categories(
    app: &App,
    texts: BTreeSet<String>,
) -> AppResult<HashMap<String, Vec<Candidate>>> {
    let tree = app.store.load::<CategoryTree>(STREAM_ID).await?.state;
    let path = |category: &Category| {
        let above = tree.ancestors(&category.code);
        let above = above.iter().rev().filter_map(|code| tree.by_code(code));
        let names: Vec<&str> = above
            .chain([category])
            .map(|one| one.facts.name.trim())
            .collect();
        names.join(UNDER)
    };
    let meant = |text: String| {
        if tree.by_code(&text).is_some() {
            return (text.clone(), vec![Candidate::of(text)]);
        }
        let words: Vec<&str> = text.split(UNDER).map(str::trim).collect();
        let joined = words.join(UNDER);
        let is_meant = |category: &&Category| match words.as_slice() {
            [name] => category.facts.name.trim() == *name,
            _ => path(category) == joined,
        };
        let found = tree.categories.iter().filter(is_meant);
        let found = found.map(|one| Candidate::of(&one.code)).collect();
        (text, found)
    };
    Ok(texts.into_iter().map(meant).collect())
}

async fn records_of(
    app: &App,
    resource: &'static AdminResource,
    texts: BTreeSet<String>,
) -> AppResult<HashMap<String, Vec<Candidate>>> {
    let unique = resource.record.unique;
    let hashes: HashMap<String, [u8; 32]> = texts
        .iter()
        .filter_map(|text| Some((text.clone(), app.keys.lookup_hash(unique?.scope, text))))
        .collect();
    let held = match unique {
        Some(unique) => {
            let all: Vec<[u8; 32]> = hashes.values().copied().collect();
            app.store.holders(unique.scope, &all).await?
        }
        None => HashMap::new(),
    };
    let (mut found, mut names) = (HashMap::new(), Vec::new());
    for text in texts {
        let holder = hashes.get(&text).and_then(|hash| held.get(hash));
        let key = match holder {
            Some(_) if resource.named_by_code => Some(text.clone()),
            Some(id) => Some(id.clone()),
            None if !resource.named_by_code && text.parse::<Uuid>().is_ok() => Some(text.clone()),
            None => None,
        };
        match key {
            Some(key) => {
                found.insert(text, vec![Candidate::of(key)]);
            }
            None => names.push(text),
        }
    }
    if !names.is_empty() && matches!(resource.source, Source::Records(_)) {
        let kind = resource.record.kind;
        for named in records::with_names(app.pool(), kind, &names).await? {
            let key = match resource.named_by_code {
                true => named.code,
                false => Some(named.id),
            };
            if let Some(key) = key {
                let seller = named.seller;
                found
                    .entry(named.name)
                    .or_insert_with(Vec::new)
                    .push(Candidate { key, seller });
            }
        }
    }
    Ok(found)
}
