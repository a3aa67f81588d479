//! The category tree.

use std::collections::{BTreeMap, BTreeSet};

use domain::catalogue::tree::{CategoryFacts, CategoryTreeEvent};
use serde_json::{Value, json};

use crate::verify::compare::ExpectedRows;
use crate::verify::decoded_log::{DecodedEvent, Event};
use crate::verify::{Fold, VerifyError};

struct Node {
    code: String,
    parent: Option<String>,
    index: i32,
    facts: CategoryFacts,
}

/// The tree as a map from id to node.
#[derive(Default)]
pub struct Tree {
    nodes: BTreeMap<String, Node>,
    /// Ids in order of creation.
    order: Vec<String>,
}

impl Tree {
    pub(super) fn take(&mut self, event: &CategoryTreeEvent) {
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

    /// Codes from the root to the category.
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

    /// The whole tree as the table `categories` stores it.
    pub(super) fn kept(&self) -> Value {
        let nodes = self.order.iter().filter_map(|id| {
            let node = self.nodes.get(id)?;
            Some(json!({
                "id": id, "code": node.code, "parent": node.parent, "index": node.index, "facts": node.facts,
            }))
        });
        json!({"id": "main", "tree": {"categories": nodes.collect::<Vec<_>>()}})
    }

    /// These codes and all their ancestors.
    pub(super) fn and_above(&self, codes: &[String]) -> Vec<String> {
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
pub struct Categories {
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

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let row = |(id, node): (&String, &Node)| {
            let path = self.tree.path(id);
            json!({
                "id": id, "code": node.code, "name": node.facts.name, "parent": node.parent,
                "depth": path.len(), "index": node.index, "facts": node.facts, "path": path,
                "version": self.version, "position": self.position,
            })
        };
        Ok(vec![ExpectedRows {
            view: "categories",
            key: &["id"],
            rows: self.tree.nodes.iter().map(row).collect(),
        }])
    }
}
