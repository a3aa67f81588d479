//! Timestamps of claims: the `domain` state of an order has none.

use std::collections::BTreeMap;

use domain::ids::ClaimId;
use domain::order::OrderEvent;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;

/// Timestamps of a claim; none: the step was not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClaimTimes {
    /// When it was requested.
    #[serde(with = "crate::timestamp")]
    #[schema(value_type = String, format = DateTime)]
    pub requested_at: OffsetDateTime,
    /// When an exchange was accepted.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub accepted_at: Option<OffsetDateTime>,
    /// When the goods of a return or exchange were picked up.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub picked_up_at: Option<OffsetDateTime>,
    /// When the goods were inspected.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub inspected_at: Option<OffsetDateTime>,
    /// When it was approved or rejected.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub answered_at: Option<OffsetDateTime>,
    /// When it was refunded; an exchange: when its replacement was delivered.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub completed_at: Option<OffsetDateTime>,
    /// When the buyer withdrew it.
    #[serde(with = "crate::timestamp::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub withdrawn_at: Option<OffsetDateTime>,
}

impl ClaimTimes {
    const fn requested(at: OffsetDateTime) -> Self {
        Self {
            requested_at: at,
            accepted_at: None,
            picked_up_at: None,
            inspected_at: None,
            answered_at: None,
            completed_at: None,
            withdrawn_at: None,
        }
    }
}

/// The dates of the claims of one order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TimesOfClaims(BTreeMap<ClaimId, ClaimTimes>);

impl TimesOfClaims {
    /// The dates of a claim.
    pub fn of(&self, claim: ClaimId) -> Option<ClaimTimes> {
        self.0.get(&claim).copied()
    }

    /// Applies an event that happened at this time.
    pub fn take(&mut self, event: &OrderEvent, at: OffsetDateTime) {
        match event {
            OrderEvent::CancelRequested { claim, .. }
            | OrderEvent::ReturnRequested { claim, .. }
            | OrderEvent::ExchangeRequested { claim, .. } => {
                self.0.insert(*claim, ClaimTimes::requested(at));
            }
            OrderEvent::ExchangeAccepted { claim } => {
                self.change(*claim, |times| times.accepted_at = Some(at));
            }
            // A later one adds or corrects the invoice number of the parcel.
            OrderEvent::GoodsPickedUp { claim, .. } => self.change(*claim, |times| {
                times.picked_up_at = times.picked_up_at.or(Some(at));
            }),
            OrderEvent::GoodsInspected { claim, missing, .. } => {
                let before = self.of(*claim);
                self.change(*claim, |times| times.inspected_at = Some(at));
                // The units that did not arrive have a claim of their own, which this event rejects.
                if let Some((missing, times)) = missing.as_ref().zip(before) {
                    let answered_at = Some(at);
                    let rejected = ClaimTimes {
                        answered_at,
                        ..times
                    };
                    self.0.insert(missing.claim, rejected);
                }
            }
            OrderEvent::CancelApproved { claim, .. }
            | OrderEvent::CancelRejected { claim, .. }
            | OrderEvent::ReturnApproved { claim, .. }
            | OrderEvent::ReturnRejected { claim, .. }
            | OrderEvent::ExchangeRejected { claim, .. } => {
                self.change(*claim, |times| times.answered_at = Some(at));
            }
            OrderEvent::CancelCompleted { claim }
            | OrderEvent::ReturnCompleted { claim }
            | OrderEvent::ExchangeCompleted { claim, .. } => {
                self.change(*claim, |times| times.completed_at = Some(at));
            }
            OrderEvent::ClaimWithdrawn { claim, .. } => {
                self.change(*claim, |times| times.withdrawn_at = Some(at));
            }
            _ => {}
        }
    }

    fn change(&mut self, claim: ClaimId, change: impl FnOnce(&mut ClaimTimes)) {
        if let Some(times) = self.0.get_mut(&claim) {
            change(times);
        }
    }
}
