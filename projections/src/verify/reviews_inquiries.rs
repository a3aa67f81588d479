//! Reviews with their totals, and inquiries.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::compare::{ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event, RecordEvent};
use super::{Fold, VerifyError, bad};

/// A document written by a member and answered by the shop.
struct MemberDocument {
    data: Map<String, Value>,
    created_at: Value,
    replied_at: Value,
    removed: bool,
    barred: bool,
    /// Time, version and position of its last event.
    last: (Value, u64, i64),
}

impl MemberDocument {
    fn says(&self, field: &str) -> Value {
        self.data.get(field).cloned().unwrap_or_default()
    }

    /// The columns both tables have.
    fn row(&self, id: &str) -> Map<String, Value> {
        let row = json!({
            "id": id, "product": self.says("_product"), "seller": self.says("_seller"), "author": self.says("_user"),
            "removed": self.removed, "barred": self.barred, "replied_at": self.replied_at, "data": self.data,
            "version": self.last.1, "created_at": self.created_at, "updated_at": self.last.0, "position": self.last.2,
        });
        row.as_object().cloned().unwrap_or_default()
    }
}

fn take(
    written: &mut BTreeMap<String, MemberDocument>,
    told: &DecodedEvent,
) -> Result<(), VerifyError> {
    let Event::Record(paper) = told.event()? else {
        return Ok(());
    };
    let when = moment(told.metadata.occurred_at);
    let id = &told.stream.id;
    if let RecordEvent::Created { data } = paper {
        let replied = data.get("reply").is_some_and(|reply| reply != "");
        let replied_at = if replied { when.clone() } else { Value::Null };
        match written.get_mut(id) {
            None => {
                let first = MemberDocument {
                    replied_at,
                    created_at: when.clone(),
                    removed: false,
                    barred: false,
                    last: (Value::Null, 0, 0),
                    data: data.clone(),
                };
                written.insert(id.clone(), first);
            }
            Some(back) => {
                if back.data.get("reply") != data.get("reply") {
                    back.replied_at = replied_at;
                }
                back.data = data.clone();
                back.removed = false;
                back.barred = false;
            }
        }
    }
    let known = written
        .get_mut(id)
        .ok_or_else(|| bad(told, format!("{} has no beginning", told.stream)))?;
    match paper {
        RecordEvent::Created { .. } => {}
        RecordEvent::Revised { changes } => {
            for (field, change) in changes {
                if field == "reply" {
                    let gone = change.to == "";
                    known.replied_at = if gone { Value::Null } else { when.clone() };
                }
                known.data.insert(field.clone(), change.to.clone());
            }
        }
        RecordEvent::Removed {} => {
            known.removed = true;
            known.barred = told.metadata.actor.get("kind") == Some(&json!("operator"));
        }
    }
    known.last = (when, told.version, told.position);
    Ok(())
}

/// Row counts, if there ever was a row.
fn counts(
    view: &'static str,
    kind: &str,
    written: &BTreeMap<String, MemberDocument>,
) -> ExpectedRows {
    let live = written.values().filter(|one| !one.removed).count();
    let row = json!({ "kind": kind, "live": live });
    ExpectedRows {
        view,
        key: &["kind"],
        rows: (!written.is_empty()).then_some(row).into_iter().collect(),
    }
}

#[derive(Default)]
pub(super) struct ReviewsFold(BTreeMap<String, MemberDocument>);

impl Fold for ReviewsFold {
    fn name(&self) -> &'static str {
        "reviews"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["review"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        take(&mut self.0, told)
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let mut rows = Vec::new();
        // input of a product's totals: the stars of each review, and whether it has a picture
        let mut seen: BTreeMap<String, Vec<(Value, bool)>> = BTreeMap::new();
        for (id, review) in &self.0 {
            let pictures = review.says("images").as_array().map_or(0, Vec::len);
            let mut row = review.row(id);
            row.insert("purchase_no".to_owned(), review.says("_purchase"));
            row.insert("star".to_owned(), review.says("star"));
            row.insert("pictures".to_owned(), json!(pictures));
            row.insert("best".to_owned(), review.says("isBest"));
            row.insert("shows".to_owned(), review.says("shows"));
            rows.push(Value::Object(row));
            let product = review.says("_product");
            let of = seen
                .entry(product.as_str().unwrap_or_default().to_owned())
                .or_default();
            if !review.removed && review.says("shows") == true {
                of.push((review.says("star"), pictures > 0));
            }
        }
        let sums = seen.into_iter().map(|(product, reviews)| {
            let of = |star: i64| reviews.iter().filter(|(given, _)| *given == star).count();
            json!({
                "product": product, "count": reviews.len(),
                "pictured": reviews.iter().filter(|(_, pictured)| *pictured).count(),
                "star1": of(1), "star2": of(2), "star3": of(3), "star4": of(4), "star5": of(5),
            })
        });
        Ok(vec![
            counts("reviews_counts", "review", &self.0),
            ExpectedRows {
                view: "reviews_products",
                key: &["product"],
                rows: sums.collect(),
            },
            ExpectedRows {
                view: "reviews",
                key: &["id"],
                rows,
            },
        ])
    }
}

#[derive(Default)]
pub(super) struct InquiresFold(BTreeMap<String, MemberDocument>);

impl Fold for InquiresFold {
    fn name(&self) -> &'static str {
        "inquires"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["inquire"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        take(&mut self.0, told)
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let rows = self.0.iter().map(|(id, inquire)| {
            let mut row = inquire.row(id);
            row.insert("secret".to_owned(), inquire.says("secret"));
            row.insert("state".to_owned(), inquire.says("state"));
            Value::Object(row)
        });
        Ok(vec![
            counts("inquires_counts", "inquire", &self.0),
            ExpectedRows {
                view: "inquires",
                key: &["id"],
                rows: rows.collect(),
            },
        ])
    }
}
