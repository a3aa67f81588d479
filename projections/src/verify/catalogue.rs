//! What people look at and edit: members, records, products, categories and the documents of the search engine.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use domain::catalogue::tree::{CategoryFacts, CategoryTreeEvent};
use domain::catalogue::{BundledPart, Product, ProductType, ValueUnit};
use domain::ids::MemberId;
use domain::member::MemberEvent;
use domain::registry::RECORD_KINDS;
use domain::stock::StockEvent;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;

use super::compare::{Expected, moment};
use super::decoded_log::{DecodedEvent, Event, RecordEvent};
use super::{Fold, VerifyError, bad, id};

fn values(rows: BTreeMap<String, Map<String, Value>>) -> Vec<Value> {
    rows.into_values().map(Value::Object).collect()
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn set(row: &mut Map<String, Value>, column: &str, value: impl Into<Value>) {
    row.insert(column.to_owned(), value.into());
}

fn no_row(told: &DecodedEvent) -> VerifyError {
    bad(told, format!("{} has no beginning", told.stream))
}

#[derive(Default)]
pub(super) struct Members {
    rows: BTreeMap<String, Map<String, Value>>,
}

impl Fold for Members {
    fn name(&self) -> &'static str {
        "members"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["member"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::Member(event) = told.event()? else {
            return Ok(());
        };
        let id = &told.stream.id;
        if let MemberEvent::MemberJoined { .. } = event {
            let row = json!({
                "id": id, "membership_level": null, "joined_at": moment(told.metadata.occurred_at),
                "left_at": null, "leaving_reason": null,
            });
            self.rows.insert(id.clone(), object(row));
        }
        let row = self.rows.get_mut(id).ok_or_else(|| no_row(told))?;
        match event {
            MemberEvent::MemberJoined {
                member_type,
                level,
                scopes,
                profile,
                ..
            } => {
                set(row, "member_type", json!(member_type));
                set(row, "level", json!(level));
                set(row, "scopes", json!(scopes));
                set(row, "profile", json!(profile));
            }
            MemberEvent::ProfileRevised { profile } => set(row, "profile", json!(profile)),
            MemberEvent::ScopesChanged { scopes, level } => {
                set(row, "level", json!(level));
                set(row, "scopes", json!(scopes));
            }
            MemberEvent::MembershipLevelAssigned { code } => {
                set(row, "membership_level", code.as_str());
            }
            MemberEvent::DocumentHandedIn { .. } => {}
            MemberEvent::MemberLeft { reason, .. } => {
                // nothing of who they were may be left
                for column in ["membership_level", "profile"] {
                    set(row, column, Value::Null);
                }
                set(row, "level", "PERSON");
                set(row, "scopes", json!([]));
                set(row, "leaving_reason", json!(reason));
                set(row, "left_at", moment(told.metadata.occurred_at));
            }
            MemberEvent::StatutoryDataErased {} => {}
        }
        set(row, "version", told.version);
        set(row, "position", told.position);
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<Expected>, VerifyError> {
        Ok(vec![Expected {
            view: "members",
            key: &["id"],
            rows: values(self.rows),
        }])
    }
}

/// A document with what every record has.
struct Document {
    data: Map<String, Value>,
    removed: bool,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
    version: u64,
    position: i64,
}

/// The documents of some kinds, by kind and id.
#[derive(Default)]
struct Papers {
    rows: BTreeMap<(String, String), Document>,
}

impl Papers {
    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let Event::Record(paper) = told.event()? else {
            return Ok(());
        };
        let when = told.metadata.occurred_at;
        let key = (told.stream.kind.clone(), told.stream.id.clone());
        if let RecordEvent::Created { data } = paper {
            let row = self.rows.entry(key.clone()).or_insert(Document {
                data: Map::new(),
                removed: false,
                created_at: when,
                updated_at: when,
                version: 0,
                position: 0,
            });
            row.data = data.clone();
            row.removed = false;
        }
        let row = self.rows.get_mut(&key).ok_or_else(|| no_row(told))?;
        match paper {
            RecordEvent::Created { .. } => {}
            RecordEvent::Revised { changes } => {
                for (field, change) in changes {
                    row.data.insert(field.clone(), change.to.clone());
                }
            }
            RecordEvent::Removed {} => row.removed = true,
        }
        row.updated_at = when;
        row.version = told.version;
        row.position = told.position;
        Ok(())
    }

    /// How many of each kind there are, of the kinds there ever were.
    fn counts(&self, view: &'static str) -> Expected {
        let mut live = BTreeMap::<&str, i64>::new();
        for ((kind, _), document) in &self.rows {
            *live.entry(kind).or_default() += i64::from(!document.removed);
        }
        let row = |(kind, live)| json!({ "kind": kind, "live": live });
        Expected {
            view,
            key: &["kind"],
            rows: live.into_iter().map(row).collect(),
        }
    }
}

/// Kinds of records that other folds take.
const OWN_FOLD: [&str; 3] = ["product", "review", "inquire"];

static RECORDS: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    let kinds = RECORD_KINDS.iter().map(|record| record.kind);
    kinds.filter(|kind| !OWN_FOLD.contains(kind)).collect()
});

#[derive(Default)]
pub(super) struct Records {
    documents: Papers,
}

impl Fold for Records {
    fn name(&self) -> &'static str {
        "records"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &RECORDS
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        self.documents.take(told)
    }

    fn expected(self: Box<Self>) -> Result<Vec<Expected>, VerifyError> {
        let row = |((kind, id), document): ((String, String), Document)| {
            json!({
                "kind": kind, "id": id, "version": document.version, "data": document.data,
                "removed": document.removed, "created_at": moment(document.created_at),
                "updated_at": moment(document.updated_at), "position": document.position,
            })
        };
        Ok(vec![
            self.documents.counts("records_counts"),
            Expected {
                view: "records",
                key: &["kind", "id"],
                rows: self.documents.rows.into_iter().map(row).collect(),
            },
        ])
    }
}

/// Which record had each code last, by kind and code: what each is called now, and what was called so before.
#[derive(Default)]
pub(super) struct EarlierCodes {
    now: BTreeMap<(String, String), Value>,
    earlier: BTreeMap<(String, String), (String, i64)>,
}

impl Fold for EarlierCodes {
    fn name(&self) -> &'static str {
        "earlier_codes"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["brand", "showroom"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let (kind, id) = (&told.stream.kind, &told.stream.id);
        let key = (kind.clone(), id.clone());
        match told.event()? {
            Event::Record(RecordEvent::Created { data }) => {
                let code = data.get("code").cloned().unwrap_or_default();
                self.now.insert(key, code);
            }
            Event::Record(RecordEvent::Revised { changes }) => {
                if let Some(change) = changes.get("code") {
                    let before = self.now.insert(key, change.to.clone());
                    if let Some(Value::String(before)) = before.filter(|code| *code != change.to) {
                        let last = (id.clone(), told.position);
                        self.earlier.insert((kind.clone(), before), last);
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<Expected>, VerifyError> {
        let row = |((kind, code), (id, position))| json!({ "kind": kind, "code": code, "id": id, "position": position });
        Ok(vec![Expected {
            view: "earlier_codes",
            key: &["kind", "code"],
            rows: self.earlier.into_iter().map(row).collect(),
        }])
    }
}

/// One- and two-letter pieces, sorted, each once.
pub(super) fn pieces(texts: &[&str]) -> Vec<String> {
    let mut found = BTreeSet::new();
    for text in texts {
        let mut before: Option<char> = None;
        for letter in text.to_lowercase().chars() {
            found.insert(letter.to_string());
            if let Some(before) = before {
                found.insert(format!("{before}{letter}"));
            }
            before = Some(letter);
        }
    }
    found.into_iter().collect()
}

fn typed(data: &Map<String, Value>) -> Result<Product, VerifyError> {
    serde_json::from_value(Value::Object(data.clone()))
        .map_err(|error| VerifyError::Read(crate::error::ReadError::Shape(error)))
}

/// List price less the product's discount: percents round up, at most the limit, at most the price (spec V282-V284).
fn after_discount(product: &Product) -> i64 {
    let price = product.price.hundredths();
    let Some(discount) = product.discount else {
        return price;
    };
    let asked = match discount.unit {
        ValueUnit::Amount => discount.value,
        ValueUnit::Percent => {
            let parts = i128::from(price) * i128::from(discount.value);
            i64::try_from(parts.div_euclid(100) + i128::from(parts.rem_euclid(100) > 0))
                .unwrap_or(price)
        }
    };
    let limit = discount.limit.map_or(i64::MAX, |limit| limit.hundredths());
    price - asked.min(limit).min(price)
}

#[derive(Default)]
pub(super) struct Products {
    documents: Papers,
}

impl Fold for Products {
    fn name(&self) -> &'static str {
        "products"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["product"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        self.documents.take(told)
    }

    fn expected(self: Box<Self>) -> Result<Vec<Expected>, VerifyError> {
        let counts = self.documents.counts("products_counts");
        let mut rows = Vec::new();
        let mut options = Vec::new();
        for ((_, id), document) in self.documents.rows {
            let product = typed(&document.data)?;
            rows.push(json!({
                "id": id, "code": product.code, "name": product.name, "kind": product.kind,
                "seller": product.seller, "price": product.price, "sale_price": after_discount(&product),
                "brand": product.brand, "categories": product.categories,
                "has_options": product.options_conf.enabled, "shipping": product.shipping,
                "shows": product.shows, "removed": document.removed, "index": product.index,
                "pieces": pieces(&[&product.name, &product.code]), "data": document.data,
                "version": document.version, "created_at": moment(document.created_at),
                "updated_at": moment(document.updated_at), "position": document.position,
            }));
            for (line, option) in (1..).zip(product.options) {
                let line: i64 = line;
                options.push(json!({
                    "product": id, "id": option.id, "line": line, "hexa": option.hexa, "name": option.name,
                    "value": option.value, "price": option.price, "enabled": option.enabled,
                }));
            }
        }
        Ok(vec![
            counts,
            Expected {
                view: "products",
                key: &["id"],
                rows,
            },
            Expected {
                view: "products_options",
                key: &["product", "id"],
                rows: options,
            },
        ])
    }
}

struct Node {
    code: String,
    parent: Option<String>,
    index: i32,
    facts: CategoryFacts,
}

/// The tree as a map from id to node.
#[derive(Default)]
struct Tree {
    nodes: BTreeMap<String, Node>,
    /// Ids in the order they came.
    order: Vec<String>,
}

impl Tree {
    fn take(&mut self, event: &CategoryTreeEvent) {
        match event {
            CategoryTreeEvent::CategoryAdded {
                category,
                code,
                parent,
                index,
                facts,
            } => {
                let node = Node {
                    code: code.clone(),
                    parent: parent.map(|parent| parent.to_string()),
                    index: *index,
                    facts: facts.clone(),
                };
                self.nodes.insert(category.to_string(), node);
                self.order.push(category.to_string());
            }
            CategoryTreeEvent::CategoryRevised { category, facts } => {
                if let Some(node) = self.nodes.get_mut(&category.to_string()) {
                    node.facts = facts.clone();
                }
            }
            CategoryTreeEvent::CategoryMoved {
                category,
                parent,
                index,
            } => {
                if let Some(node) = self.nodes.get_mut(&category.to_string()) {
                    node.parent = parent.map(|parent| parent.to_string());
                    node.index = *index;
                }
            }
            CategoryTreeEvent::CategoryRemoved { category } => {
                self.nodes.remove(&category.to_string());
                self.order.retain(|id| *id != category.to_string());
            }
        }
    }

    /// Codes from the root down to the category.
    fn path(&self, id: &str) -> Vec<String> {
        let mut path = Vec::new();
        let mut next = self.nodes.get(id);
        while let Some(node) = next {
            path.insert(0, node.code.clone());
            next = node
                .parent
                .as_ref()
                .and_then(|parent| self.nodes.get(parent));
        }
        path
    }

    /// The whole tree as the documents' own table keeps it.
    fn kept(&self) -> Value {
        let nodes = self.order.iter().filter_map(|id| {
            let node = self.nodes.get(id)?;
            Some(json!({
                "id": id, "code": node.code, "parent": node.parent, "index": node.index, "facts": node.facts,
            }))
        });
        json!({"id": "main", "tree": {"categories": nodes.collect::<Vec<_>>()}})
    }

    /// These codes and all above them.
    fn and_above(&self, codes: &[String]) -> Vec<String> {
        let mut all: BTreeSet<String> = codes.iter().cloned().collect();
        for (id, node) in &self.nodes {
            if codes.contains(&node.code) {
                all.extend(self.path(id));
            }
        }
        all.into_iter().collect()
    }
}

#[derive(Default)]
pub(super) struct Categories {
    tree: Tree,
    version: u64,
    position: i64,
}

impl Fold for Categories {
    fn name(&self) -> &'static str {
        "categories"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["category-tree"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        if let Event::CategoryTree(event) = told.event()? {
            self.tree.take(event);
            self.version = told.version;
            self.position = told.position;
        }
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<Expected>, VerifyError> {
        let row = |(id, node): (&String, &Node)| {
            let path = self.tree.path(id);
            json!({
                "id": id, "code": node.code, "name": node.facts.name, "parent": node.parent,
                "depth": path.len(), "index": node.index, "facts": node.facts, "path": path,
                "version": self.version, "position": self.position,
            })
        };
        Ok(vec![Expected {
            view: "categories",
            key: &["id"],
            rows: self.tree.nodes.iter().map(row).collect(),
        }])
    }
}

struct Shown {
    data: Map<String, Value>,
    product: Product,
    /// What of its stock the document tells is told by these.
    ledgers: BTreeSet<String>,
    removed: bool,
    created_at: OffsetDateTime,
    /// What the engine gets, apart from what stock makes of it; null: nothing.
    document: Value,
    stock: InStock,
    position: i64,
}

/// What stock makes of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct InStock {
    sold_out: bool,
    sells: i64,
}

/// The documents of the search engine: whether one changed is asked after every event that could change it.
#[derive(Default)]
pub(super) struct Documents {
    shown: BTreeMap<String, Shown>,
    /// Which products look at a ledger, ever.
    watchers: HashMap<String, BTreeSet<String>>,
    /// Which products are made of a product, ever.
    wholes: HashMap<String, BTreeSet<String>>,
    available: HashMap<String, i64>,
    sells: HashMap<String, i64>,
    /// The product of each review, and the seller of each shipping group.
    abouts: BTreeMap<String, Value>,
    tree: Tree,
    has_tree: bool,
}

fn is_whole(product: &Product) -> bool {
    product.kind != ProductType::NormalProduct && !product.bundleds.is_empty()
}

/// The products it is made of, in order, each once.
fn parts_of(product: &Product) -> BTreeSet<String> {
    let parts = product.bundleds.iter();
    match is_whole(product) {
        true => parts.map(|part| part.product.to_string()).collect(),
        false => BTreeSet::new(),
    }
}

fn ledgers_of(id: &str, product: &Product) -> BTreeSet<String> {
    if is_whole(product) {
        let part = |part: &domain::catalogue::BundledPart| match part.option {
            Some(option) => option.to_string(),
            None => part.product.to_string(),
        };
        product.bundleds.iter().map(part).collect()
    } else if product.options_conf.enabled {
        product
            .options
            .iter()
            .map(|option| option.id.to_string())
            .collect()
    } else {
        BTreeSet::from([id.to_owned()])
    }
}

impl Documents {
    fn is_sold_out(&self, id: &str, shown: &Shown) -> bool {
        let product = &shown.product;
        let has = |ledger: &str, need: i64| {
            self.available.get(ledger).copied().unwrap_or(0) >= need.max(1)
        };
        let part = |part: &BundledPart| {
            let ledger = part.option.map_or(part.product.0, |option| option.0);
            has(&ledger.to_string(), i64::from(part.quantity))
        };
        if is_whole(product) && !self.holds_together(product) {
            return true;
        }
        match product.kind {
            ProductType::ProductBundle if !product.bundleds.is_empty() => {
                !product.bundleds.iter().all(part)
            }
            ProductType::VarietyBundle if !product.bundleds.is_empty() => {
                !product.bundleds.iter().any(part)
            }
            _ if product.options_conf.enabled => !product
                .options
                .iter()
                .any(|option| option.enabled && has(&option.id.to_string(), 1)),
            _ => !has(id, 1),
        }
    }

    /// Every part of a set is a plain product of the same seller, sold in the way the set names, one to 999 times, and no two
    /// are counted by one ledger.
    fn holds_together(&self, set: &Product) -> bool {
        let counted: BTreeSet<String> = ledgers_of("", set);
        counted.len() == set.bundleds.len()
            && set.bundleds.iter().all(|part| {
                let id = part.product.to_string();
                let Some(shown) = self.shown.get(&id).filter(|shown| !shown.removed) else {
                    return false;
                };
                let ways = match shown.product.options_conf.enabled {
                    true => shown
                        .product
                        .options
                        .iter()
                        .map(|one| one.id.to_string())
                        .collect(),
                    false => vec![id.clone()],
                };
                let way = part.option.map_or(id, |option| option.to_string());
                shown.product.seller == set.seller
                    && shown.product.kind == ProductType::NormalProduct
                    && (1..1_000).contains(&part.quantity)
                    && ways.contains(&way)
            })
    }

    /// Pieces sold, all bits below the highest cleared.
    fn sells_about(&self, shown: &Shown) -> i64 {
        let sold = shown.ledgers.iter().filter_map(|own| self.sells.get(own));
        let mut sells = sold.sum::<i64>().max(0);
        while sells & (sells - 1).max(0) != 0 {
            sells &= sells - 1;
        }
        sells
    }

    fn in_stock(&self, id: &str, shown: &Shown) -> InStock {
        if shown.removed {
            return InStock::default();
        }
        InStock {
            sold_out: self.is_sold_out(id, shown),
            sells: self.sells_about(shown),
        }
    }

    fn document(&self, id: &str, shown: &Shown) -> Value {
        if shown.removed {
            return Value::Null;
        }
        let product = &shown.product;
        json!({
            "id": id, "code": product.code, "name": product.name, "keywords": product.hashtags, "desc": product.desc,
            "brand": product.brand, "brandCode": product.brand, "sellerId": product.seller, "groups": product.groups,
            "categories": self.tree.and_above(&product.categories), "price": product.price,
            "salePrice": after_discount(product), "type": product.kind, "shows": product.shows,
            "createdAt": shown.created_at.unix_timestamp() * 1_000 + i64::from(shown.created_at.millisecond()),
        })
    }

    /// Looks whether a product's document changed in what it tells of the product.
    fn look_again(&mut self, id: &str, position: i64) {
        let Some(shown) = self.shown.get(id) else {
            return;
        };
        let document = self.document(id, shown);
        let changed = shown.document != document;
        if let Some(shown) = self.shown.get_mut(id).filter(|_| changed) {
            shown.document = document;
            shown.position = position;
        }
        self.look_at_stock(id, position);
    }

    /// Looks whether it changed in what it tells of stock.
    fn look_at_stock(&mut self, id: &str, position: i64) {
        let Some(shown) = self.shown.get(id) else {
            return;
        };
        let stock = self.in_stock(id, shown);
        let changed = shown.stock != stock;
        if let Some(shown) = self.shown.get_mut(id).filter(|_| changed) {
            shown.stock = stock;
            shown.position = position;
        }
    }

    fn product(&mut self, told: &DecodedEvent, paper: &RecordEvent) -> Result<(), VerifyError> {
        let id = &told.stream.id;
        if let RecordEvent::Created { data } = paper {
            let before = self.shown.remove(id);
            let shown = Shown {
                data: data.clone(),
                product: typed(data)?,
                ledgers: BTreeSet::new(),
                removed: false,
                created_at: before
                    .as_ref()
                    .map_or(told.metadata.occurred_at, |before| before.created_at),
                position: before
                    .as_ref()
                    .map_or(told.position, |before| before.position),
                stock: before
                    .as_ref()
                    .map_or_else(InStock::default, |before| before.stock),
                document: before.map(|before| before.document).unwrap_or_default(),
            };
            self.shown.insert(id.clone(), shown);
        }
        let shown = self.shown.get_mut(id).ok_or_else(|| no_row(told))?;
        match paper {
            RecordEvent::Created { .. } => {}
            RecordEvent::Revised { changes } => {
                for (field, change) in changes {
                    shown.data.insert(field.clone(), change.to.clone());
                }
                shown.product = typed(&shown.data)?;
            }
            RecordEvent::Removed {} => shown.removed = true,
        }
        shown.ledgers = ledgers_of(id, &shown.product);
        for ledger in &shown.ledgers {
            let watchers = self.watchers.entry(ledger.clone()).or_default();
            watchers.insert(id.clone());
        }
        for part in parts_of(&shown.product) {
            self.wholes.entry(part).or_default().insert(id.clone());
        }
        self.look_again(id, told.position);
        for whole in self.wholes.get(id).cloned().unwrap_or_default() {
            self.look_at_stock(&whole, told.position);
        }
        Ok(())
    }

    /// A review or a shipping group was written: whatever it is about, or was until now, is told again.
    fn heard_of(&mut self, told: &DecodedEvent, paper: &RecordEvent, field: &str) {
        let said = match paper {
            RecordEvent::Created { data } => data.get(field),
            RecordEvent::Revised { changes } => changes.get(field).map(|change| &change.to),
            RecordEvent::Removed {} => None,
        };
        let id = &told.stream.id;
        let before = self.abouts.get(id).cloned();
        if let Some(said) = said {
            self.abouts.insert(id.clone(), said.clone());
        }
        let after = self.abouts.get(id).cloned();
        for about in [before, after].iter().flatten().filter_map(Value::as_str) {
            if field == "_product" {
                if let Some(shown) = self.shown.get_mut(about) {
                    shown.position = told.position;
                }
                continue;
            }
            let theirs = |shown: &&mut Shown| shown.product.seller.to_string() == about;
            for shown in self.shown.values_mut().filter(theirs) {
                shown.position = told.position;
            }
        }
    }

    fn stock(&mut self, told: &DecodedEvent, event: &StockEvent) {
        let id = &told.stream.id;
        let available = self.available.entry(id.clone()).or_default();
        let sells = self.sells.entry(id.clone()).or_default();
        match event {
            StockEvent::StockCounted { quantity, .. } => *available = i64::from(*quantity),
            StockEvent::StockTaken { quantity, .. } => {
                *available -= i64::from(*quantity);
                *sells += i64::from(*quantity);
            }
            StockEvent::StockGivenBack { quantity, .. } => {
                *available += i64::from(*quantity);
                *sells -= i64::from(*quantity);
            }
        }
        for watcher in self.watchers.get(id).cloned().unwrap_or_default() {
            self.look_at_stock(&watcher, told.position);
        }
    }
}

impl Fold for Documents {
    fn name(&self) -> &'static str {
        "search_documents"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[
            "product",
            "stock",
            "category-tree",
            "member",
            "brand",
            "review",
            "shipping",
        ]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let position = told.position;
        match told.event()? {
            Event::Record(paper) if told.stream.kind == "review" => {
                self.heard_of(told, paper, "_product");
            }
            Event::Record(paper) if told.stream.kind == "shipping" => {
                self.heard_of(told, paper, "_seller");
            }
            Event::Record(_) if told.stream.kind == "brand" => {
                let branded = |shown: &&mut Shown| shown.product.brand.is_some();
                for shown in self.shown.values_mut().filter(branded) {
                    shown.position = position;
                }
            }
            Event::Record(paper) => self.product(told, paper)?,
            Event::Stock(event) => self.stock(told, event),
            Event::CategoryTree(event) => {
                self.tree.take(event);
                self.has_tree = true;
                let all: Vec<String> = self.shown.keys().cloned().collect();
                for id in all {
                    self.look_again(&id, position);
                }
            }
            Event::Member(MemberEvent::ProfileRevised { .. } | MemberEvent::MemberLeft { .. }) => {
                let seller: MemberId = id(told)?;
                let theirs = |shown: &&mut Shown| shown.product.seller == seller;
                for shown in self.shown.values_mut().filter(theirs) {
                    shown.position = position;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<Expected>, VerifyError> {
        let rows = self
            .shown
            .iter()
            .map(|(id, shown)| {
                let mut document = shown.document.clone();
                if let Value::Object(fields) = &mut document {
                    set(fields, "soldOut", shown.stock.sold_out);
                    set(fields, "sells", shown.stock.sells);
                }
                json!({
                    "product": id, "seller": shown.product.seller, "data": shown.data, "removed": shown.removed,
                    "created_at": moment(shown.created_at), "ledgers": ledgers_in_order(id, &shown.product),
                    "parts": parts_of(&shown.product),
                    "document": document, "position": shown.position,
                })
            })
            .collect();
        let stock = self
            .available
            .iter()
            .map(|(id, available)| json!({"id": id, "available": available, "sells": self.sells.get(id)}))
            .collect();
        let ties = self.abouts.iter();
        let ties = ties
            .map(|(id, about)| json!({"id": id, "about": about}))
            .collect();
        let tree = self.has_tree.then(|| self.tree.kept());
        Ok(vec![
            Expected {
                view: "search_documents_tree",
                key: &["id"],
                rows: tree.into_iter().collect(),
            },
            Expected {
                view: "search_documents",
                key: &["product"],
                rows,
            },
            Expected {
                view: "search_documents_ties",
                key: &["id"],
                rows: ties,
            },
            Expected {
                view: "search_documents_stock",
                key: &["id"],
                rows: stock,
            },
        ])
    }
}

/// Ledgers of a set sorted, those of options in the order of the options.
fn ledgers_in_order(id: &str, product: &Product) -> Vec<String> {
    let all = ledgers_of(id, product);
    let options = product.options.iter().map(|option| option.id.to_string());
    let own: Vec<String> = options.filter(|option| all.contains(option)).collect();
    if own.len() == all.len() && !own.is_empty() {
        own
    } else {
        all.into_iter().collect()
    }
}
