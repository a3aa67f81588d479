//! Upcasters: convert events of earlier versions to the current ones.
//!
//! A stored event never changes. When the payload of an event changes, its version is raised, the sample of the old version stays,
//! and an upcaster here converts it. Upcasters are applied one after the other until none matches.

use serde_json::{Map, Value};

/// Converts one old version of an event to the next.
#[derive(Clone, Copy, Debug)]
pub struct Upcaster {
    /// Its stored type.
    pub event_type: &'static str,
    /// The old version.
    pub version: &'static str,
    /// The version it converts to.
    pub next: &'static str,
    /// Converts the fields in place. Fields it does not know are left unchanged, so that reading the event fails instead of
    /// guessing.
    reads: fn(&mut Map<String, Value>),
}

impl Upcaster {
    /// The payload in the next version.
    pub fn read(&self, mut payload: Value) -> Value {
        if let Some(Value::Object(fields)) = payload.get_mut(self.event_type) {
            (self.reads)(fields);
        }
        payload
    }
}

/// All upcasters. Cancel reasons are converted to the same form in all events; since 2.0 a reason may be sealed.
pub const UPCASTERS: &[Upcaster] = &[
    Upcaster {
        event_type: "PurchaseCompleted",
        version: "1.0",
        next: "2.0",
        reads: confirmed_by,
    },
    Upcaster {
        event_type: "MemberJoined",
        version: "1.0",
        next: "2.0",
        reads: |_| (),
    },
    Upcaster {
        event_type: "ProfileRevised",
        version: "1.0",
        next: "2.0",
        reads: |_| (),
    },
    Upcaster {
        event_type: "CouponDrawn",
        version: "1.0",
        next: "2.0",
        reads: |fields| unsaid(fields, "number"),
    },
    Upcaster {
        event_type: "CouponDrawn",
        version: "2.0",
        next: "3.0",
        reads: |fields| unsaid(fields, "faceValue"),
    },
    Upcaster {
        event_type: "CampaignLimited",
        version: "1.0",
        next: "2.0",
        reads: |fields| unsaid(fields, "faceValue"),
    },
    Upcaster {
        event_type: "CouponIssued",
        version: "1.0",
        next: "2.0",
        reads: without_round,
    },
    Upcaster {
        event_type: "CouponIssued",
        version: "2.0",
        next: "3.0",
        reads: |fields| {
            unsaid(fields, "occasion");
            unsaid(fields, "memo");
        },
    },
    Upcaster {
        event_type: "CouponIssued",
        version: "3.0",
        next: "4.0",
        reads: |fields| unsaid(fields, "grant"),
    },
    Upcaster {
        event_type: "BulkGrantOrdered",
        version: "1.0",
        next: "2.0",
        reads: |_| (),
    },
    Upcaster {
        event_type: "BulkGrantPartGiven",
        version: "1.0",
        next: "2.0",
        reads: without_refusals,
    },
    Upcaster {
        event_type: "CouponRoundPassed",
        version: "1.0",
        next: "2.0",
        reads: |fields| unsaid(fields, "occasion"),
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
        event_type: "CancelRequested",
        version: "2.0",
        next: "3.0",
        reads: |fields| without_fees(fields, "refund"),
    },
    Upcaster {
        event_type: "CancelApproved",
        version: "1.0",
        next: "2.0",
        reads: |fields| without_fees(fields, "terms"),
    },
    Upcaster {
        event_type: "OrderPlaced",
        version: "1.0",
        next: "2.0",
        reads: without_tax,
    },
    Upcaster {
        event_type: "PurchaseShipped",
        version: "1.0",
        next: "2.0",
        reads: |fields| unsaid(fields, "deliverBy"),
    },
    Upcaster {
        event_type: "PointsGranted",
        version: "1.0",
        next: "2.0",
        reads: |fields| unsaid(fields, "grant"),
    },
    Upcaster {
        event_type: "PaymentStarted",
        version: "1.0",
        next: "2.0",
        reads: |fields| unsaid(fields, "userPayment"),
    },
    Upcaster {
        event_type: "ExchangeFeeReceived",
        version: "1.0",
        next: "2.0",
        reads: |fields| unsaid(fields, "payment"),
    },
    Upcaster {
        event_type: "ReturnRequested",
        version: "1.0",
        next: "2.0",
        reads: without_pictures,
    },
    Upcaster {
        event_type: "ExchangeRequested",
        version: "1.0",
        next: "2.0",
        reads: without_pictures,
    },
    Upcaster {
        event_type: "ExchangeRequested",
        version: "2.0",
        next: "3.0",
        reads: of_the_same_price,
    },
    Upcaster {
        event_type: "ExchangeRequested",
        version: "3.0",
        next: "4.0",
        reads: |_| (),
    },
    Upcaster {
        event_type: "ExchangeFeeReceived",
        version: "2.0",
        next: "3.0",
        reads: |fields| {
            fields.insert("price".to_owned(), 0.into());
        },
    },
    Upcaster {
        event_type: "ReturnApproved",
        version: "1.0",
        next: "2.0",
        reads: |_| (),
    },
    Upcaster {
        event_type: "PriceDifferenceRefunded",
        version: "1.0",
        next: "2.0",
        reads: |_| (),
    },
    Upcaster {
        event_type: "ExchangeFeeRefunded",
        version: "1.0",
        next: "2.0",
        reads: |_| (),
    },
    Upcaster {
        event_type: "PurchaseSplit",
        version: "1.0",
        next: "2.0",
        reads: |fields| {
            if let Some(Value::Object(part)) = fields.get_mut("part") {
                of_the_same_price(part);
            }
        },
    },
];

/// Earlier grants were of points, which are not refused to any receiver.
fn without_refusals(fields: &mut Map<String, Value>) {
    fields.insert("refused".to_owned(), Value::Array(Vec::new()));
}

/// Goods were only exchanged for others of the same price before.
fn of_the_same_price(fields: &mut Map<String, Value>) {
    fields.insert("difference".to_owned(), 0.into());
}

/// Applications had no pictures before.
fn without_pictures(fields: &mut Map<String, Value>) {
    fields.insert("pictures".to_owned(), Value::Array(Vec::new()));
}

/// Values missing in the old version are stored as null instead of being guessed.
fn unsaid(fields: &mut Map<String, Value>, field: &str) {
    fields.insert(field.to_owned(), Value::Null);
}

/// Claims had no fees before, and did not record the fares they settled.
fn without_fees(fields: &mut Map<String, Value>, refund: &str) {
    if let Some(Value::Object(terms)) = fields.get_mut(refund) {
        for unknown in ["fares", "fees"] {
            terms.insert(unknown.to_owned(), Value::Array(Vec::new()));
        }
    }
}

/// Rounds were not recorded before, and terms had neither displays nor a price basis.
fn without_round(fields: &mut Map<String, Value>) {
    unsaid(fields, "round");
    if let Some(Value::Object(terms)) = fields.get_mut("terms") {
        terms.insert("displays".to_owned(), Value::Array(Vec::new()));
        terms.insert("forNothing".to_owned(), Value::Bool(false));
        terms.insert("priceBasis".to_owned(), "SALE".into());
    }
}

/// Orders have no tax of their own any more: the tax of a document is computed with the document.
fn without_tax(fields: &mut Map<String, Value>) {
    if let Some(Value::Object(totals)) = fields.get_mut("totals") {
        totals.remove("tax");
    }
}

/// The old field was a boolean, "by the buyer"; false did not record which other party confirmed.
fn confirmed_by(fields: &mut Map<String, Value>) {
    if let Some(Value::Bool(by_buyer)) = fields.get("byBuyer") {
        let by = if *by_buyer { "buyer" } else { "date" };
        fields.insert("by".to_owned(), by.into());
        fields.remove("byBuyer");
    }
}
