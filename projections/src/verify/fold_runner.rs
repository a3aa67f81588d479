//! Runs all folds and checks over the log.

use std::mem;
use std::sync::Arc;

use super::compare::Checker;
use super::conservation::Conservation;
use super::decoded_log::DecodedEvent;
use super::reservations::{self, Names};
use super::streams::Streams;
use super::timing::{BOOKS, Paces, STREAMS, Work};
use super::{Fold, Snapshot, VerifyError};
use super::{
    balances, bulk_grants, catalogue, coupon_codes, deadlines, messages, orders, raffles, refunds,
    reviews_inquiries, sendings, user_payment_rows,
};

/// All folds.
fn folds() -> Vec<Box<dyn Fold>> {
    vec![
        Box::new(catalogue::Members::default()),
        Box::new(catalogue::Records::default()),
        Box::new(catalogue::Products::default()),
        Box::new(catalogue::EarlierCodes::default()),
        Box::new(catalogue::Categories::default()),
        Box::new(catalogue::Documents::default()),
        Box::new(balances::StockFold::default()),
        Box::new(balances::Coupons::default()),
        Box::new(balances::PointsFold::default()),
        Box::new(bulk_grants::BulkGrantsFold::default()),
        Box::new(coupon_codes::CodeBatchesFold::default()),
        Box::new(raffles::RafflesFold::default()),
        Box::new(messages::MessagesFold::default()),
        Box::new(sendings::SendingsFold::default()),
        Box::new(user_payment_rows::UserPaymentRows::default()),
        Box::new(orders::OrdersFold::default()),
        Box::new(deadlines::DeadlinesFold::default()),
        Box::new(refunds::RefundsFold::default()),
        Box::new(reviews_inquiries::ReviewsFold::default()),
        Box::new(reviews_inquiries::InquiresFold::default()),
    ]
}

/// A fold that cannot apply an event reports it and stops; the others go on, so that one wrong event does not hide further differences. A
/// fold that was not requested, or has stopped, is absent.
pub(super) struct Counting {
    pub folds: Vec<Box<dyn Fold>>,
    /// With its findings so far.
    pub books: Option<(Conservation, Checker)>,
    pub names: Option<Names>,
    /// With its findings so far.
    pub streams: Option<(Streams, Checker)>,
    /// Events processed.
    pub events: u64,
    /// The findings of stopped folds.
    pub checker: Checker,
    /// Time spent in each.
    pub paces: Paces,
    snapshot: Arc<Snapshot>,
}

impl Counting {
    /// The requested parts, limited to what `snapshot` contains.
    pub fn new(snapshot: Arc<Snapshot>, wanted: impl Fn(&str) -> bool) -> Self {
        let mut folds = folds();
        folds.retain(|fold| wanted(fold.name()));
        Self {
            folds,
            books: wanted(BOOKS).then(Default::default),
            names: wanted(reservations::MODEL).then(Names::default),
            streams: wanted(STREAMS).then(Default::default),
            events: 0,
            checker: Checker::default(),
            paces: Paces::new(),
            snapshot,
        }
    }

    /// Passes the next events of the log to each part.
    pub fn page(&mut self, page: &[DecodedEvent]) -> Result<(), VerifyError> {
        let Self {
            snapshot,
            checker,
            paces,
            ..
        } = self;
        let held = || page.iter().filter(|told| snapshot.holds(told.position));
        self.events = held().fold(self.events, |events, _| events.saturating_add(1));
        if let Some((streams, checker)) = &mut self.streams {
            let (work, mut heard) = (Work::begin(), 0);
            for told in held() {
                heard += 1;
                streams.take(told, checker);
            }
            work.done(paces, STREAMS, (heard, 0));
        }
        let mut stopped = Vec::new();
        for (place, fold) in self.folds.iter_mut().enumerate() {
            let (kinds, up_to) = (fold.kinds(), snapshot.position_of(fold.name()));
            let (work, mut heard) = (Work::begin(), 0);
            let mut theirs = held().filter(|told| {
                up_to >= Some(told.position) && kinds.contains(&told.stream.kind.as_str())
            });
            let taken = theirs.try_for_each(|told| {
                heard += 1;
                fold.take(told)
            });
            work.done(paces, fold.name(), (heard, 0));
            if !understood(checker, fold.name(), taken)? {
                stopped.push(place);
            }
        }
        for place in stopped.into_iter().rev() {
            self.folds.remove(place);
        }
        if let Some((conservation, found)) = &mut self.books {
            let (work, mut heard) = (Work::begin(), 0);
            let kinds = Conservation::KINDS;
            let taken = held()
                .filter(|told| kinds.contains(&told.stream.kind.as_str()))
                .try_for_each(|told| {
                    heard += 1;
                    conservation.take(told, found)
                });
            work.done(paces, BOOKS, (heard, 0));
            if !understood(found, BOOKS, taken)? {
                checker.add(mem::take(found));
                self.books = None;
            }
        }
        if let Some(names) = &mut self.names {
            let (work, mut heard) = (Work::begin(), 0);
            let taken = held().try_for_each(|told| {
                heard += 1;
                names.take(told)
            });
            work.done(paces, reservations::MODEL, (heard, 0));
            if !understood(checker, reservations::MODEL, taken)? {
                self.names = None;
            }
        }
        Ok(())
    }
}

/// Returns whether events could be applied; if not, adds a difference.
pub(super) fn understood(
    checker: &mut Checker,
    model: &str,
    taken: Result<(), VerifyError>,
) -> Result<bool, VerifyError> {
    match taken {
        Ok(()) => Ok(true),
        Err(VerifyError::Event { position, why }) => {
            checker.differs(
                model,
                format!("event at {position}"),
                "an event that fits what came before".into(),
                why.into(),
            );
            Ok(false)
        }
        Err(other) => Err(other),
    }
}
