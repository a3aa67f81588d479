//! What earlier versions of the program wrote, in today's words.
//!
//! A stored event never changes. When an event is told in other words, its version goes up, the sample of the old one stays, and a
//! rule here says how the old one reads. Rules are applied one after the other until none fits.

use serde_json::{Map, Value};

/// An event in a version that is not written any more.
#[derive(Clone, Copy, Debug)]
pub struct Upcaster {
    /// Its stored type.
    pub event_type: &'static str,
    /// The old version.
    pub version: &'static str,
    /// The version whose words it is read in.
    pub next: &'static str,
    /// Says its fields in those words. What it does not understand it leaves, so that reading the event fails and nothing is guessed.
    reads: fn(&mut Map<String, Value>),
}

impl Upcaster {
    /// The stored payload in the words of the next version.
    pub fn read(&self, mut payload: Value) -> Value {
        if let Some(Value::Object(fields)) = payload.get_mut(self.event_type) {
            (self.reads)(fields);
        }
        payload
    }
}

/// All of them. What was said of a cancellation is said the same way; since 2.0 its reason may be sealed.
pub const UPCASTERS: &[Upcaster] = &[
    Upcaster {
        event_type: "PurchaseCompleted",
        version: "1.0",
        next: "2.0",
        reads: confirmed_by,
    },
    Upcaster {
        event_type: "CouponDrawn",
        version: "1.0",
        next: "2.0",
        reads: |fields| unsaid(fields, "number"),
    },
    Upcaster {
        event_type: "CouponUseCounted",
        version: "1.0",
        next: "2.0",
        reads: |fields| unsaid(fields, "member"),
    },
    Upcaster {
        event_type: "CouponUseReturned",
        version: "1.0",
        next: "2.0",
        reads: |fields| unsaid(fields, "amount"),
    },
    Upcaster {
        event_type: "OrderCanceled",
        version: "1.0",
        next: "2.0",
        reads: |_| (),
    },
    Upcaster {
        event_type: "CancelRequested",
        version: "1.0",
        next: "2.0",
        reads: |_| (),
    },
    Upcaster {
        event_type: "OrderPlaced",
        version: "1.0",
        next: "2.0",
        reads: without_tax,
    },
];

/// What the old version did not say is not guessed.
fn unsaid(fields: &mut Map<String, Value>, field: &str) {
    fields.insert(field.to_owned(), Value::Null);
}

/// An order has no tax of its own: that of a document is computed where the document is made.
fn without_tax(fields: &mut Map<String, Value>) {
    if let Some(Value::Object(totals)) = fields.get_mut("totals") {
        totals.remove("tax");
    }
}

/// Whether the buyer confirmed it was a yes or a no; the no said nothing of who else did.
fn confirmed_by(fields: &mut Map<String, Value>) {
    if let Some(Value::Bool(by_buyer)) = fields.get("byBuyer") {
        let by = if *by_buyer { "buyer" } else { "date" };
        fields.insert("by".to_owned(), by.into());
        fields.remove("byBuyer");
    }
}
