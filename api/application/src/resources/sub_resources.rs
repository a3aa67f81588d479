//! Sub-resources: the elements of a list in a record, as records of their own on the wire.
//!
//! They have no store: an element is created, changed and removed by one revision of its owner, with the owner's rules, access, version and
//! history. An element's id on the wire is `{id of the owner}.{id within its list}`, so it is found without an index, in the log.

pub mod declared;
pub mod lists;

use std::sync::atomic::{AtomicUsize, Ordering};

use domain::record::Document;
use domain::validation::FieldError;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use uuid::Uuid;

use super::element_ids::{ID, text};
use super::input::Draft;
use super::schema::Filter;
use super::write::Edit;
use super::{AdminResource, DocumentSchema, WireNames};
use crate::access::{Editor, RowScope};
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{CommandContext, CommandOutcome};

/// Place in the list, from 0.
const INDEX: &str = "index";
const VERSION: &str = "version";
const STOCK: &str = "stock";
/// The seller of the owner; a filter too.
const SELLER: &str = "_seller";

/// What identifies an element within its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Its field `_id`; its place, from 1, where it was stored without one.
    Own,
    /// The first of these fields that has a value.
    Named(&'static [&'static str]),
    /// The element is a text, which has this name on the wire.
    Text(&'static str),
}

/// A declared sub-resource.
#[derive(Clone, Copy, Debug)]
pub struct SubResource {
    /// Kind of its owners.
    pub owner: &'static str,
    /// Name of the owner's id on the wire.
    pub owner_field: &'static str,
    /// The list in the owner's document.
    pub list: &'static str,
    /// Names on the wire.
    pub wire: WireNames,
    /// Name of its schema in the OpenAPI document.
    pub schema_name: &'static str,
    /// What identifies an element.
    pub identity: Identity,
    /// Fields with another name on the wire: in the document, on the wire.
    pub renamed: &'static [(&'static str, &'static str)],
    /// The texts that a search covers.
    pub search: &'static [&'static str],
    /// The fields that the elements of one owner can be sorted by.
    pub sorts: &'static [&'static str],
    /// The filters, by names in the document.
    pub filters: &'static [Filter],
    /// The schema of an element, without the fields every element has.
    pub element: DocumentSchema,
    /// Elements are goods: they show their `stock`, and may be created with one.
    pub counted: bool,
}

/// Stored result, returned when the idempotency key is replayed.
#[derive(Serialize, Deserialize)]
struct ElementResult {
    /// Id of the element on the wire.
    id: String,
}

/// The owner and the id within it of an id on the wire.
fn parts(id: &str) -> AppResult<(&str, &str)> {
    let (owner, key) = id.split_once('.').ok_or_else(AppError::not_found)?;
    is_id(owner).map(|()| (owner, key))
}

fn is_id(owner: &str) -> AppResult<()> {
    Uuid::parse_str(owner)
        .map(|_| ())
        .map_err(|_| AppError::not_found())
}

impl SubResource {
    /// The kind of its owners.
    ///
    /// # Errors
    /// The declaration names no kind.
    pub fn resource(&self) -> AppResult<&'static AdminResource> {
        super::find(self.owner)
            .ok_or_else(|| AppError::internal(anyhow::anyhow!("no kind {}", self.owner)))
    }

    /// One element within these rows, from the log.
    ///
    /// # Errors
    /// `access_denied`; `not_found`, also for elements of others.
    pub async fn find(&self, app: &App, rows: RowScope, id: &str) -> AppResult<Document> {
        let (owner, key) = parts(id)?;
        let shown = self.resource()?.find(app, rows, owner).await?;
        let list = self.stored(&shown)?;
        let place = self.place_of(&list, key).ok_or_else(AppError::not_found)?;
        let element = list.get(place).cloned().unwrap_or_default();
        Ok(self.shown(owner, element, place, &shown))
    }

    /// An element after a change, or what is left to say of one that was removed.
    ///
    /// # Errors
    /// Database errors.
    pub async fn after_change(&self, app: &App, rows: RowScope, id: &str) -> AppResult<Document> {
        match self.find(app, rows, id).await {
            Err(error) if error.code() == Code::NotFound => {
                let (owner, _) = parts(id)?;
                let version = self.resource()?.load(app, owner).await?.version;
                let gone =
                    json!({ ID: id, self.owner_field: owner, VERSION: version, "removed": true });
                super::document_of(&gone)
            }
            found => found,
        }
    }

    /// Adds an element to its owner, at `index` or at the end; returns its id.
    ///
    /// # Errors
    /// `access_denied`; `invalid` with every invalid field; `not_found` for owners of others; `version_conflict` if a version is sent.
    pub async fn create(
        &self,
        app: &App,
        command: &CommandContext,
        editor: Editor,
        draft: Draft,
    ) -> AppResult<(String, CommandOutcome)> {
        let mut fields = draft.0;
        self.resource()?.may_keep(editor.rows)?;
        let owner = text(&fields, self.owner_field).ok_or_else(|| {
            AppError::invalid_field(self.owner_field, "required", "대상을 선택해 주세요.")
        })?;
        let started_from = number(&mut fields, VERSION)?;
        let index = number(&mut fields, INDEX)?;
        let mut element = self.input(fields);
        if self.identity == Identity::Own {
            element.insert(ID.to_owned(), json!(Uuid::now_v7()));
        }
        let element = self.value(element)?;
        let add = |list: &mut Vec<Value>| {
            let place = place(index).unwrap_or(list.len()).min(list.len());
            list.insert(place, element.clone());
            Ok(Some(place))
        };
        let done = self.change(app, command, editor, &owner, started_from, &add);
        let done = done.await?;
        let ElementResult { id } = done.result()?;
        Ok((id, done))
    }

    /// Changes fields of an element, and its place if `index` is sent; omitted fields stay unchanged. An element that is identified by what
    /// it names has another id after that is changed; returns its id.
    ///
    /// # Errors
    /// `access_denied`, `invalid`, `not_found`, `version_conflict` with both versions.
    pub async fn revise(
        &self,
        app: &App,
        command: &CommandContext,
        editor: Editor,
        id: &str,
        mut draft: Draft,
    ) -> AppResult<(String, CommandOutcome)> {
        self.resource()?.may_keep(editor.rows)?;
        let started_from = draft.version()?;
        let (owner, key) = parts(id)?;
        if draft
            .0
            .get(self.owner_field)
            .is_some_and(|sent| sent != owner)
        {
            let message = "다른 대상으로 옮길 수 없습니다.";
            return Err(AppError::invalid_field(
                self.owner_field,
                "read_only",
                message,
            ));
        }
        let index = number(&mut draft.0, INDEX)?;
        // Goods are counted through the product, with the stock that was seen.
        draft.0.remove(STOCK);
        let changes = self.input(draft.0);
        let edit = |list: &mut Vec<Value>| {
            let at = self.place_of(list, key).ok_or_else(AppError::not_found)?;
            let mut element = list.remove(at);
            match &mut element {
                Value::Object(element) => element.extend(changes.clone()),
                element if !changes.is_empty() => *element = self.value(changes.clone())?,
                _ => {}
            }
            let to = place(index).unwrap_or(at).min(list.len());
            list.insert(to, element);
            Ok(Some(to))
        };
        let done = self.change(app, command, editor, owner, Some(started_from), &edit);
        let done = done.await?;
        let ElementResult { id } = done.result()?;
        Ok((id, done))
    }

    /// Removes an element from its owner.
    ///
    /// # Errors
    /// `access_denied`, `not_found`; `invalid` if the owner needs it.
    pub async fn remove(
        &self,
        app: &App,
        command: &CommandContext,
        editor: Editor,
        id: &str,
    ) -> AppResult<CommandOutcome> {
        self.resource()?.may_keep(editor.rows)?;
        let (owner, key) = parts(id)?;
        self.change(app, command, editor, owner, None, &|list| {
            let at = self.place_of(list, key).ok_or_else(AppError::not_found)?;
            list.remove(at);
            Ok(None)
        })
        .await
    }

    /// Changes the list of an owner by one revision; `edit` returns the place of the element it wrote.
    async fn change(
        &self,
        app: &App,
        command: &CommandContext,
        editor: Editor,
        owner: &str,
        started_from: Option<u64>,
        edit: &(dyn Fn(&mut Vec<Value>) -> AppResult<Option<usize>> + Sync),
    ) -> AppResult<CommandOutcome> {
        is_id(owner)?;
        let resource = self.resource()?;
        let of = Edit {
            by: editor.member,
            rows: editor.rows,
            id: owner,
            started_from,
        };
        let written = AtomicUsize::new(usize::MAX);
        let edit_document = |document: &mut Document| {
            let mut list = self.stored(document)?;
            let at = edit(&mut list)?;
            written.store(at.unwrap_or(usize::MAX), Ordering::Relaxed);
            let key = at.and_then(|at| self.key(list.get(at)?, at));
            self.once(&list, key.as_deref())?;
            document.insert(self.list.to_owned(), Value::Array(list));
            let result = ElementResult {
                id: format!("{owner}.{}", key.unwrap_or_default()),
            };
            Ok(serde_json::to_value(result)?)
        };
        let done = resource.edit_with_result(app, command, of, &edit_document);
        let done = done.await;
        done.map_err(|error| self.of_element(&error, written.load(Ordering::Relaxed)))
    }

    /// The list of an owner, its elements complete.
    fn stored(&self, document: &Document) -> AppResult<Vec<Value>> {
        let whole = self.resource()?.record.complete(document.clone())?;
        let list = whole.get(self.list).and_then(Value::as_array);
        Ok(list.cloned().unwrap_or_default())
    }

    /// Checks that no other element has this id: it would not be found.
    fn once(&self, list: &[Value], key: Option<&str>) -> AppResult<()> {
        let same = (0..).zip(list).filter_map(|(at, one)| self.key(one, at));
        let same = same.filter(|one| Some(one.as_str()) == key).count();
        if same < 2 {
            return Ok(());
        }
        let field = match self.identity {
            Identity::Own => ID,
            Identity::Text(name) => name,
            Identity::Named(names) => names.last().map_or(ID, |name| self.on_wire(name)),
        };
        let message = "같은 항목이 이미 있습니다.";
        Err(AppError::invalid_field(field, "duplicate", message))
    }

    /// The id of an element within its list.
    fn key(&self, element: &Value, place: usize) -> Option<String> {
        let fields = element.as_object();
        match self.identity {
            Identity::Own => {
                let stored = fields.and_then(|fields| text(fields, ID));
                Some(stored.unwrap_or_else(|| place.saturating_add(1).to_string()))
            }
            Identity::Named(names) => names.iter().find_map(|name| text(fields?, name)),
            Identity::Text(_) => element.as_str().map(str::to_owned),
        }
    }

    fn place_of(&self, list: &[Value], key: &str) -> Option<usize> {
        let mut places = (0..).zip(list);
        places
            .find(|(place, element)| self.key(element, *place).as_deref() == Some(key))
            .map(|(place, _)| place)
    }

    /// The name on the wire of a field of the document.
    fn on_wire<'a>(&self, name: &'a str) -> &'a str {
        let mut known = self.renamed.iter();
        known
            .find(|(stored, _)| *stored == name)
            .map_or(name, |(_, wire)| *wire)
    }

    /// The fields of a form by their names in the document, without those that are not the element's.
    fn input(&self, mut fields: Document) -> Document {
        for name in [ID, self.owner_field, "createdAt", "updatedAt", "removed"] {
            fields.remove(name);
        }
        for (stored, wire) in self.renamed {
            if let Some(value) = fields.remove(*wire) {
                fields.insert((*stored).to_owned(), value);
            }
        }
        if let Identity::Text(name) = self.identity {
            fields.retain(|field, _| field == name);
        }
        fields
    }

    /// An element as it is stored.
    fn value(&self, mut fields: Document) -> AppResult<Value> {
        let Identity::Text(name) = self.identity else {
            return Ok(Value::Object(fields));
        };
        fields
            .remove(name)
            .filter(|value| !value.is_null())
            .ok_or_else(|| AppError::invalid_field(name, "required", "대상을 선택해 주세요."))
    }

    /// Names the fields of an error as the form of the element at `place` has them.
    fn of_element(&self, error: &AppError, place: usize) -> AppError {
        if !matches!(error.code(), Code::Invalid | Code::InvalidBody) {
            return error.clone();
        }
        let at = format!("{}.{place}", self.list);
        let fields = error.fields().iter().map(|field| {
            let name = match (field.field.strip_prefix(&at), self.identity) {
                (Some(rest), _) if rest.starts_with('.') => {
                    let rest = rest.trim_start_matches('.');
                    let (first, more) = rest.split_at(rest.find('.').unwrap_or(rest.len()));
                    format!("{}{more}", self.on_wire(first))
                }
                (Some(""), Identity::Text(name)) => name.to_owned(),
                (_, Identity::Text(name)) if field.field == self.list => name.to_owned(),
                _ => field.field.clone(),
            };
            FieldError::new(name, &field.code, &field.message)
        });
        AppError::new(error.code()).with_fields(fields.collect())
    }

    /// An element as the wire has it; `owner` is the owner as the console shows it.
    fn shown(&self, id: &str, element: Value, place: usize, owner: &Document) -> Document {
        let key = self.key(&element, place).unwrap_or_default();
        let mut shown = match (element, self.identity) {
            (Value::Object(fields), _) => fields,
            (value, Identity::Text(name)) => Document::from_iter([(name.to_owned(), value)]),
            _ => Document::new(),
        };
        for (stored, wire) in self.renamed {
            if let Some(value) = shown.remove(*stored) {
                shown.insert((*wire).to_owned(), value);
            }
        }
        for field in [SELLER, VERSION, "createdAt", "updatedAt"] {
            shown.insert(
                field.to_owned(),
                owner.get(field).cloned().unwrap_or_default(),
            );
        }
        shown.insert(ID.to_owned(), json!(format!("{id}.{key}")));
        shown.insert(self.owner_field.to_owned(), json!(id));
        shown.insert(INDEX.to_owned(), json!(place));
        shown.insert("removed".to_owned(), json!(false));
        if self.counted {
            let piles = owner.get(STOCK).and_then(Value::as_array);
            let mut piles = piles.into_iter().flatten();
            let pile = piles.find(|pile| pile.get("_stock") == Some(&json!(key)));
            let available = pile.and_then(|pile| pile.get("available"));
            shown.insert(STOCK.to_owned(), available.cloned().unwrap_or_default());
        }
        shown
    }
}

/// A place sent in a form.
fn place(index: Option<u64>) -> Option<usize> {
    index.map(|index| usize::try_from(index).unwrap_or(usize::MAX))
}

/// Takes a whole number out of a form.
fn number(fields: &mut Document, name: &str) -> AppResult<Option<u64>> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_u64() {
            Some(number) => Ok(Some(number)),
            None => Err(AppError::invalid_field(
                name,
                "type",
                "형식이 올바르지 않습니다.",
            )),
        },
    }
}
