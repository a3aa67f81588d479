//! Parcels, folded from the log into the columns of their table.

use std::collections::BTreeMap;

use domain::ids::{MemberId, ProductId};
use domain::order::OrderEvent;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;

use crate::verify::compare::moment;

/// The goods in a parcel.
pub(super) struct ParcelContents {
    pub purchase_no: String,
    pub order_no: String,
    pub seller: MemberId,
    pub product: ProductId,
    pub name: String,
    pub thumb: Option<String>,
    pub option_name: Option<String>,
    pub quantity: i64,
}

/// By id, each a map of its columns.
#[derive(Default)]
pub(super) struct Parcels(BTreeMap<String, Map<String, Value>>);

/// Looks up the goods of a purchase.
type PurchaseContents<'a> = dyn Fn(&str) -> Result<ParcelContents, String> + 'a;
/// Looks up the goods of a claim: those of its purchase, or their replacement.
type ClaimContents<'a> = dyn Fn(&str, bool) -> Result<ParcelContents, String> + 'a;

impl Parcels {
    pub fn rows(&self, order: &str) -> Vec<Value> {
        let rows = self.0.values().cloned().map(|mut row| {
            row.insert("order_id".to_owned(), order.into());
            Value::Object(row)
        });
        rows.collect()
    }

    /// Sets columns of a parcel, if it was sent.
    fn say(&mut self, id: &str, position: i64, columns: Value) {
        if let (Some(row), Value::Object(columns)) = (self.0.get_mut(id), columns) {
            row.extend(columns);
            row.insert("position".to_owned(), position.into());
        }
    }

    fn status(&self, id: &str) -> &str {
        let row = self.0.get(id);
        row.and_then(|row| row.get("status")?.as_str())
            .unwrap_or_default()
    }

    /// Adds a parcel, sent now.
    fn leave(
        &mut self,
        (id, direction, claim): (&str, &str, Option<&str>),
        goods: Result<ParcelContents, String>,
        when: OffsetDateTime,
    ) -> Result<(), String> {
        if self.0.contains_key(id) {
            return Ok(());
        }
        let goods = goods?;
        let row = json!({
            "id": id, "direction": direction, "claim": claim, "order_no": goods.order_no, "purchase_no": goods.purchase_no,
            "seller": goods.seller, "product": goods.product, "name": goods.name, "option_name": goods.option_name,
            "thumb": goods.thumb, "quantity": goods.quantity, "sent_at": moment(when), "arrived_at": null,
        });
        if let Value::Object(row) = row {
            self.0.insert(id.to_owned(), row);
        }
        Ok(())
    }

    pub fn take(
        &mut self,
        event: &OrderEvent,
        (when, position): (OffsetDateTime, i64),
        goods: &PurchaseContents<'_>,
        claimed: &ClaimContents<'_>,
        claims_on: &dyn Fn(&str) -> Vec<String>,
    ) -> Result<(), String> {
        let sent = |courier: Value, number: Value| json!({ "courier": courier, "invoice_no": number, "status": "SENT", "delay_reason": null });
        let late = |reason: &str| json!({ "status": "DELAYED", "delay_reason": reason });
        let there =
            json!({ "status": "ARRIVED", "arrived_at": moment(when), "delay_reason": null });
        match event {
            OrderEvent::PurchaseShipped {
                purchase_no: no,
                courier,
                invoice_no,
                ..
            } => {
                self.leave((no, "OUT", None), goods(no), when)?;
                self.say(no, position, sent(json!(courier), json!(invoice_no)));
            }
            OrderEvent::InvoiceCorrected {
                purchase_no: no,
                courier,
                invoice_no,
            } => self.say(no, position, sent(json!(courier), json!(invoice_no))),
            OrderEvent::PurchaseDelayed {
                purchase_no: no,
                reason,
            } => self.say(no, position, late(reason)),
            OrderEvent::PurchaseDelivered {
                purchase_no: no, ..
            } => {
                for claim in claims_on(no) {
                    let back_again = format!("{claim}-sent-back");
                    if self.status(&back_again) == "SENT" {
                        self.say(&back_again, position, there.clone());
                    }
                }
                // a parcel that was returned was not the one delivered
                if self.status(no) != "RETURNED" {
                    self.say(no, position, there);
                }
            }
            OrderEvent::PurchaseSplit {
                from,
                purchase_no: no,
                part,
            } => {
                if let Some(mut row) = self.0.get(from).cloned() {
                    let all = row.get("quantity").and_then(Value::as_i64);
                    let left = all.unwrap_or_default() - i64::from(part.quantity);
                    self.say(from, position, json!({ "quantity": left }));
                    row.insert("id".to_owned(), no.clone().into());
                    self.0.insert(no.clone(), row);
                    let new = json!({ "purchase_no": no, "quantity": part.quantity });
                    self.say(no, position, new);
                }
            }
            OrderEvent::GoodsPickedUp {
                claim,
                courier,
                invoice_no,
            } => {
                let (claim, id) = (claim.to_string(), format!("{claim}-back"));
                self.leave((&id, "BACK", Some(&claim)), claimed(&claim, false), when)?;
                self.say(&id, position, sent(json!(courier), json!(invoice_no)));
            }
            OrderEvent::GoodsInspected { claim, arrived, .. } => {
                let id = format!("{claim}-back");
                self.say(&id, position, there);
                self.say(&id, position, json!({ "quantity": arrived }));
                let no = claimed(&claim.to_string(), false)?.purchase_no;
                if self.status(&no) != "ARRIVED" {
                    let returned = json!({ "status": "RETURNED", "delay_reason": null });
                    self.say(&no, position, returned);
                }
            }
            OrderEvent::GoodsSentBack {
                claim,
                courier,
                invoice_no,
            } => {
                let (claim, id) = (claim.to_string(), format!("{claim}-sent-back"));
                let goods = claimed(&claim, false);
                self.leave((&id, "SENT_BACK", Some(&claim)), goods, when)?;
                self.say(&id, position, sent(json!(courier), json!(invoice_no)));
            }
            OrderEvent::ReplacementShipped {
                claim,
                courier,
                invoice_no,
                ..
            } => {
                let (claim, id) = (claim.to_string(), format!("{claim}-replacement"));
                let goods = claimed(&claim, true);
                self.leave((&id, "REPLACEMENT", Some(&claim)), goods, when)?;
                self.say(&id, position, sent(json!(courier), json!(invoice_no)));
            }
            OrderEvent::ReplacementDelayed { claim, reason } => {
                self.say(&format!("{claim}-replacement"), position, late(reason));
            }
            OrderEvent::ExchangeCompleted { claim, .. } => {
                self.say(&format!("{claim}-replacement"), position, there);
            }
            _ => {}
        }
        Ok(())
    }
}
