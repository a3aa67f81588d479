//! Settlement of an order's fares: each is either earned by the seller or refunded, once.

use super::aggregate::Order;
use super::claims::Claim;
use super::events::{FareOutcome, FareSettlement, Fault, RefundTerms};
use super::terms::FareTerms;
use crate::ids::ClaimId;

impl Order {
    /// The fares of a purchase that are neither earned nor refunded, with their places in the terms.
    pub fn open_fares_of<'a>(
        &'a self,
        purchase_no: &'a str,
    ) -> impl Iterator<Item = (u32, &'a FareTerms)> {
        self.placed_fares().filter(move |(place, fare)| {
            fare.carries(purchase_no) && !self.fares.contains_key(place)
        })
    }

    /// All fares, with their places in the terms.
    pub(super) fn placed_fares(&self) -> impl Iterator<Item = (u32, &FareTerms)> {
        let terms = self.terms.as_deref();
        (0..).zip(terms.into_iter().flat_map(|terms| &terms.fares))
    }

    /// The fares that are settled once `leaving` purchases are given back: those with no purchase left.
    ///
    /// A parcel that was not sent costs nothing. The fare of one that was sent is paid by the party at fault: it is refunded if the last of
    /// its goods come back through the seller's fault, even if it was earned before.
    pub(super) fn settled_by(
        &self,
        fault: Option<Fault>,
        gone: impl Fn(&String) -> bool,
        leaves: impl Fn(&String) -> bool,
    ) -> Vec<FareSettlement> {
        let is_sent = |no: &String| self.purchase(no).is_some_and(|one| one.is_sent());
        let is_open = |place: &u32| match self.fares.get(place) {
            None => true,
            Some(FareOutcome::Earned) => fault == Some(Fault::Seller),
            Some(FareOutcome::Refunded) => false,
        };
        self.placed_fares()
            .filter(|(place, _)| is_open(place))
            .filter(|(_, fare)| fare.purchase_nos.iter().any(&leaves))
            .filter(|(_, fare)| fare.purchase_nos.iter().all(&gone))
            .map(|(place, fare)| FareSettlement {
                fare: place,
                outcome: match fault {
                    Some(Fault::Seller) => FareOutcome::Refunded,
                    Some(Fault::Buyer) => FareOutcome::Earned,
                    None if fare.purchase_nos.iter().any(is_sent) => FareOutcome::Earned,
                    None => FareOutcome::Refunded,
                },
            })
            .collect()
    }

    /// The first purchase of a parcel to be confirmed earns its fare.
    pub(super) fn earn_fares(&mut self, purchase_no: &str) {
        let earned: Vec<u32> = self
            .open_fares_of(purchase_no)
            .map(|(place, _)| place)
            .collect();
        for place in earned {
            self.fares.insert(place, FareOutcome::Earned);
        }
    }

    /// Settles the fares of a claim that is approved by `terms`.
    pub(super) fn settle_fares(&mut self, claim: ClaimId, terms: &RefundTerms) {
        let settled = match terms.fares.is_empty() {
            false => terms.fares.clone(),
            // Older claims did not record fares: a fare was refunded with the last of its purchases.
            true => self.settled_by_record(claim),
        };
        for settlement in settled {
            self.fares.insert(settlement.fare, settlement.outcome);
        }
    }

    fn settled_by_record(&self, claim: ClaimId) -> Vec<FareSettlement> {
        let covers = |made: &Claim, no: &String| made.purchase_nos.contains(no);
        let leaves = |no: &String| self.claim(claim).is_some_and(|made| covers(made, no));
        let gone = |no: &String| {
            let mut granted = self.claims.iter().filter(|made| made.is_granted());
            leaves(no) || granted.any(|made| covers(made, no))
        };
        self.settled_by(None, gone, leaves)
    }
}

impl FareTerms {
    /// Whether its parcel carries this purchase.
    pub fn carries(&self, purchase_no: &str) -> bool {
        self.purchase_nos.iter().any(|no| no == purchase_no)
    }
}
