//! What people look at and edit: members, records, products, categories and the documents of the search engine.

use std::collections::{BTreeMap, BTreeSet};

use domain::catalogue::tree::{CategoryFacts, CategoryTreeEvent};
use domain::catalogue::{Product, ProductType, ValueUnit};
use domain::member::MemberEvent;
use event_store::Recorded;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;

use super::compare::{Expected, moment};
use super::{Fold, VerifyError, bad, decode};

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

fn no_row(recorded: &Recorded) -> VerifyError {
    bad(recorded, format!("{} has no beginning", recorded.stream))
}

#[derive(Default)]
pub(super) struct Members {
    rows: BTreeMap<String, Map<String, Value>>,
}

impl Fold for Members {
    fn name(&self) -> &'static str {
        "members"
    }

    fn take(&mut self, recorded: &Recorded) -> Result<(), VerifyError> {
        if recorded.stream.kind != "member" {
            return Ok(());
        }
        let id = recorded.stream.id.clone();
        let event: MemberEvent = decode(recorded)?;
        if let MemberEvent::MemberJoined { .. } = event {
            let row = json!({
                "id": id, "membership_level": null, "joined_at": moment(recorded.metadata.occurred_at),
                "left_at": null, "leaving_reason": null,
            });
            self.rows.insert(id.clone(), object(row));
        }
        let row = self.rows.get_mut(&id).ok_or_else(|| no_row(recorded))?;
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
            MemberEvent::MembershipLevelAssigned { code } => set(row, "membership_level", code),
            MemberEvent::DocumentHandedIn { .. } => {}
            MemberEvent::MemberLeft { reason, .. } => {
                // nothing of who they were may be left
                for column in ["membership_level", "profile"] {
                    set(row, column, Value::Null);
                }
                set(row, "level", "PERSON");
                set(row, "scopes", json!([]));
                set(row, "leaving_reason", json!(reason));
                set(row, "left_at", moment(recorded.metadata.occurred_at));
            }
            MemberEvent::StatutoryDataErased {} => {}
        }
        set(row, "version", recorded.version);
        set(row, "position", recorded.position);
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
    fn take(&mut self, recorded: &Recorded) -> Result<(), VerifyError> {
        let when = recorded.metadata.occurred_at;
        let key = (recorded.stream.kind.clone(), recorded.stream.id.clone());
        let payload = &recorded.payload;
        if let Some(data) = payload.pointer("/Created/data").and_then(Value::as_object) {
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
        let row = self.rows.get_mut(&key).ok_or_else(|| no_row(recorded))?;
        if let Some(changes) = payload
            .pointer("/Revised/changes")
            .and_then(Value::as_object)
        {
            for (field, change) in changes {
                let to = change.get("to").cloned().unwrap_or_default();
                row.data.insert(field.clone(), to);
            }
        }
        if payload.get("Removed").is_some() {
            row.removed = true;
        }
        row.updated_at = when;
        row.version = recorded.version;
        row.position = recorded.position;
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

#[derive(Default)]
pub(super) struct Records {
    documents: Papers,
}

impl Fold for Records {
    fn name(&self) -> &'static str {
        "records"
    }

    fn take(&mut self, recorded: &Recorded) -> Result<(), VerifyError> {
        match recorded.stream.kind.as_str() {
            "shipping"
            | "island"
            | "site-setting"
            | "level"
            | "coupon"
            | "brand"
            | "display"
            | "showroom"
            | "store"
            | "banner"
            | "band-banner"
            | "banner-advertisement"
            | "popup"
            | "terms" => self.documents.take(recorded),
            _ => Ok(()),
        }
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

    fn take(&mut self, recorded: &Recorded) -> Result<(), VerifyError> {
        if recorded.stream.kind == "product" {
            self.documents.take(recorded)?;
        }
        Ok(())
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
    fn take(&mut self, recorded: &Recorded) -> Result<(), VerifyError> {
        match decode(recorded)? {
            CategoryTreeEvent::CategoryAdded {
                category,
                code,
                parent,
                index,
                facts,
            } => {
                let node = Node {
                    code,
                    parent: parent.map(|parent| parent.to_string()),
                    index,
                    facts,
                };
                self.nodes.insert(category.to_string(), node);
                self.order.push(category.to_string());
            }
            CategoryTreeEvent::CategoryRevised { category, facts } => {
                if let Some(node) = self.nodes.get_mut(&category.to_string()) {
                    node.facts = facts;
                }
            }
            CategoryTreeEvent::CategoryMoved {
                category,
                parent,
                index,
            } => {
                if let Some(node) = self.nodes.get_mut(&category.to_string()) {
                    node.parent = parent.map(|parent| parent.to_string());
                    node.index = index;
                }
            }
            CategoryTreeEvent::CategoryRemoved { category } => {
                self.nodes.remove(&category.to_string());
                self.order.retain(|id| *id != category.to_string());
            }
        }
        Ok(())
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

    fn take(&mut self, recorded: &Recorded) -> Result<(), VerifyError> {
        if recorded.stream.kind == "category-tree" {
            self.tree.take(recorded)?;
            self.version = recorded.version;
            self.position = recorded.position;
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
    removed: bool,
    created_at: OffsetDateTime,
    document: Value,
    position: i64,
}

/// The documents of the search engine, made anew after every event that could change one.
#[derive(Default)]
pub(super) struct Documents {
    shown: BTreeMap<String, Shown>,
    /// Which products look at a ledger, ever.
    watchers: BTreeMap<String, BTreeSet<String>>,
    available: BTreeMap<String, i64>,
    sells: BTreeMap<String, i64>,
    tree: Tree,
    has_tree: bool,
}

fn ledgers_of(id: &str, product: &Product) -> BTreeSet<String> {
    if product.kind != ProductType::NormalProduct && !product.bundleds.is_empty() {
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
    fn is_sold_out(&self, id: &str, product: &Product) -> bool {
        let has = |ledger: String, need: i64| {
            self.available.get(&ledger).copied().unwrap_or(0) >= need.max(1)
        };
        match product.kind {
            ProductType::ProductBundle if !product.bundleds.is_empty() => {
                product.bundleds.iter().any(|part| {
                    let ledger = part.option.map_or(part.product.0, |option| option.0);
                    !has(ledger.to_string(), i64::from(part.quantity))
                })
            }
            ProductType::VarietyBundle if !product.bundleds.is_empty() => {
                !product.bundleds.iter().any(|part| {
                    let ledger = part.option.map_or(part.product.0, |option| option.0);
                    has(ledger.to_string(), i64::from(part.quantity))
                })
            }
            _ if product.options_conf.enabled => !product
                .options
                .iter()
                .any(|option| option.enabled && has(option.id.to_string(), 1)),
            _ => !has(id.to_owned(), 1),
        }
    }

    /// Pieces sold, all bits below the highest cleared.
    fn sells_about(&self, id: &str, product: &Product) -> i64 {
        let sold = ledgers_of(id, product);
        let sold = sold.iter().filter_map(|ledger| self.sells.get(ledger));
        let mut sells = sold.sum::<i64>().max(0);
        while sells & (sells - 1).max(0) != 0 {
            sells &= sells - 1;
        }
        sells
    }

    fn document(&self, id: &str, shown: &Shown) -> Value {
        if shown.removed {
            return Value::Null;
        }
        let product = &shown.product;
        json!({
            "id": id, "code": product.code, "name": product.name, "keywords": product.hashtags, "desc": product.desc,
            "brand": product.brand, "sellerId": product.seller,
            "categories": self.tree.and_above(&product.categories), "price": product.price,
            "salePrice": after_discount(product), "type": product.kind, "shows": product.shows,
            "soldOut": self.is_sold_out(id, product), "sells": self.sells_about(id, product),
            "createdAt": shown.created_at.unix_timestamp() * 1_000 + i64::from(shown.created_at.millisecond()),
        })
    }

    fn look_again(&mut self, ids: impl IntoIterator<Item = String>, position: i64) {
        for id in ids {
            let Some(shown) = self.shown.get(&id) else {
                continue;
            };
            let document = self.document(&id, shown);
            if let Some(shown) = self
                .shown
                .get_mut(&id)
                .filter(|shown| shown.document != document)
            {
                shown.document = document;
                shown.position = position;
            }
        }
    }

    fn product(&mut self, recorded: &Recorded) -> Result<(), VerifyError> {
        let id = recorded.stream.id.clone();
        let payload = &recorded.payload;
        if let Some(data) = payload.pointer("/Created/data").and_then(Value::as_object) {
            let before = self.shown.remove(&id);
            let shown = Shown {
                data: data.clone(),
                product: typed(data)?,
                removed: false,
                created_at: before
                    .as_ref()
                    .map_or(recorded.metadata.occurred_at, |before| before.created_at),
                position: before
                    .as_ref()
                    .map_or(recorded.position, |before| before.position),
                document: before.map(|before| before.document).unwrap_or_default(),
            };
            self.shown.insert(id.clone(), shown);
        }
        let shown = self.shown.get_mut(&id).ok_or_else(|| no_row(recorded))?;
        if let Some(changes) = payload
            .pointer("/Revised/changes")
            .and_then(Value::as_object)
        {
            for (field, change) in changes {
                let to = change.get("to").cloned().unwrap_or_default();
                shown.data.insert(field.clone(), to);
            }
            shown.product = typed(&shown.data)?;
        }
        if payload.get("Removed").is_some() {
            shown.removed = true;
        }
        for ledger in ledgers_of(&id, &shown.product) {
            self.watchers.entry(ledger).or_default().insert(id.clone());
        }
        self.look_again([id], recorded.position);
        Ok(())
    }

    fn stock(&mut self, recorded: &Recorded) {
        let id = &recorded.stream.id;
        let number = |name: &str| {
            let pointer = format!("/{name}/quantity");
            recorded.payload.pointer(&pointer).and_then(Value::as_i64)
        };
        let available = self.available.entry(id.clone()).or_default();
        if let Some(counted) = number("StockCounted") {
            *available = counted;
        }
        *available -= number("StockTaken").unwrap_or(0);
        *available += number("StockGivenBack").unwrap_or(0);
        let sells = self.sells.entry(id.clone()).or_default();
        *sells += number("StockTaken").unwrap_or(0) - number("StockGivenBack").unwrap_or(0);
        let watchers = self.watchers.get(id).cloned().unwrap_or_default();
        self.look_again(watchers, recorded.position);
    }
}

impl Fold for Documents {
    fn name(&self) -> &'static str {
        "search_documents"
    }

    fn take(&mut self, recorded: &Recorded) -> Result<(), VerifyError> {
        match recorded.stream.kind.as_str() {
            "product" => self.product(recorded)?,
            "stock" => self.stock(recorded),
            "category-tree" => {
                self.tree.take(recorded)?;
                self.has_tree = true;
                let all: Vec<String> = self.shown.keys().cloned().collect();
                self.look_again(all, recorded.position);
            }
            "member"
                if ["ProfileRevised", "MemberLeft"].contains(&recorded.event_type.as_str()) =>
            {
                for shown in self.shown.values_mut() {
                    if shown.product.seller.to_string() == recorded.stream.id {
                        shown.position = recorded.position;
                    }
                }
            }
            "brand" => {
                let branded = |shown: &&mut Shown| shown.product.brand.is_some();
                for shown in self.shown.values_mut().filter(branded) {
                    shown.position = recorded.position;
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
                json!({
                    "product": id, "seller": shown.product.seller, "data": shown.data, "removed": shown.removed,
                    "created_at": moment(shown.created_at), "ledgers": ledgers_in_order(id, &shown.product),
                    "document": shown.document, "position": shown.position,
                })
            })
            .collect();
        let stock = self
            .available
            .iter()
            .map(|(id, available)| json!({"id": id, "available": available, "sells": self.sells.get(id)}))
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
