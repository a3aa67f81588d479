//! Where the sandbox's calls come together: one decision at a time, written down before it is answered.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use super::book::{Authentication, Book, Charge, Entry, Refusal};
use super::faults::{Call, Fault, Faults};
use super::journal::{Journal, Place};
use super::{Options, notices};

/// The sandbox's state, shared by its calls.
#[derive(Debug)]
pub(super) struct Desk {
    pub(super) options: Options,
    pub(super) http: reqwest::Client,
    ledger: Mutex<Ledger>,
    faults: Mutex<Faults>,
}

/// The book and its file; changed together.
#[derive(Debug)]
struct Ledger {
    book: Book,
    journal: Journal,
}

impl Ledger {
    fn record(&mut self, entry: Entry) {
        self.journal.queue(&entry);
        self.book.take(entry);
    }

    fn now(&self) -> OffsetDateTime {
        OffsetDateTime::now_utc() + Duration::seconds(self.book.clock_ahead)
    }
}

/// Something that was done and may be answered once it is on disk.
#[derive(Debug)]
pub(super) struct Done {
    pub(super) answer: Value,
    pub(super) place: Place,
    /// Ends when the notice was taken that has to come before the answer.
    pub(super) first: Option<tokio::task::JoinHandle<()>>,
}

impl Desk {
    /// Opens the book, and sends the notices an earlier run still owed.
    pub(super) fn open(options: Options) -> io::Result<Arc<Self>> {
        let (journal, entries) = Journal::open(&options.file)?;
        let mut book = Book::default();
        entries.into_iter().for_each(|entry| book.take(entry));
        let owed: Vec<_> = book.due.values().cloned().collect();
        let http = reqwest::Client::builder()
            .timeout(std::time::Duration::from_secs(10))
            .no_proxy()
            .build()
            .map_err(io::Error::other)?;
        let desk = Arc::new(Self {
            http,
            ledger: Mutex::new(Ledger { book, journal }),
            faults: Mutex::default(),
            options,
        });
        if let Some(url) = desk.options.notice_url.clone() {
            desk.ledger().record(Entry::NoticesGoTo { url: Some(url) });
        }
        for due in owed {
            let place = desk.ledger().journal.here();
            tokio::spawn(notices::deliver(Arc::clone(&desk), due, place));
        }
        Ok(desk)
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks something up; what is told is on disk once the place is reached.
    pub(super) fn look<T>(&self, look: impl FnOnce(&Book, OffsetDateTime) -> T) -> (T, Place) {
        let ledger = self.ledger();
        (look(&ledger.book, ledger.now()), ledger.journal.here())
    }

    /// Writes an entry that is nobody's decision.
    pub(super) fn note(&self, entry: Entry) -> Place {
        let mut ledger = self.ledger();
        ledger.record(entry);
        ledger.journal.here()
    }

    /// Decides about a charge, writes the decision down and, if somebody wants to know, sends a notice. All of this
    /// happens even if the caller has hung up.
    pub(super) fn decide(
        self: &Arc<Self>,
        decide: impl FnOnce(&Book, OffsetDateTime) -> Result<Entry, Refusal>,
    ) -> Result<Done, Refusal> {
        let mut ledger = self.ledger();
        let now = ledger.now();
        let entry = decide(&ledger.book, now)?;
        let (tid, refund) = match &entry {
            Entry::GivenBack { tid, .. } => (tid.clone(), true),
            Entry::Approved { tid, .. }
            | Entry::AccountIssued { tid, .. }
            | Entry::Deposited { tid, .. }
            | Entry::CalledOff { tid, .. } => (tid.clone(), false),
            _ => return Err(Refusal::new("2003")),
        };
        ledger.record(entry);
        let charge = ledger.book.charge(&tid)?;
        let order_id = charge.authentication.order_id.clone();
        let answer = self.answer(charge, refund, now);
        let first = self.send_notice(&mut ledger, &order_id, &answer);
        Ok(Done {
            answer,
            place: ledger.journal.here(),
            first,
        })
    }

    /// The signed answer about a charge.
    pub(super) fn answer(
        &self,
        charge: &Charge,
        latest_refund: bool,
        now: OffsetDateTime,
    ) -> Value {
        let mut answer = charge.answer(&self.options.secret, latest_refund, now);
        if let Some(fields) = answer.as_object_mut() {
            fields.insert("currency".to_owned(), self.options.currency.code().into());
        }
        answer
    }

    fn send_notice(
        self: &Arc<Self>,
        ledger: &mut Ledger,
        order_id: &str,
        answer: &Value,
    ) -> Option<tokio::task::JoinHandle<()>> {
        let url = ledger.book.notice_url.clone()?;
        let fault = self.faults().pick(Call::Notice, order_id);
        let copies = match fault {
            Some(Fault::Twice) => 2,
            _ => 1,
        };
        let mut last = None;
        for _ in 0..copies {
            let notice = ledger.book.notices + 1;
            ledger.record(Entry::NoticeDue {
                notice,
                url: url.clone(),
                body: answer.to_string(),
            });
            let due = ledger.book.due.get(&notice).cloned()?;
            let sending = notices::deliver(Arc::clone(self), due, ledger.journal.here());
            last = Some(tokio::spawn(match fault {
                Some(Fault::Late { milliseconds }) => notices::later(sending, milliseconds),
                _ => Box::pin(sending),
            }));
        }
        last.filter(|_| fault == Some(Fault::Early))
    }

    /// Takes a buyer's authentication and signs what the browser brings back.
    pub(super) fn authenticate(
        &self,
        mut wish: Authentication,
    ) -> Result<(Authentication, Place), Refusal> {
        let mut ledger = self.ledger();
        ledger.book.order_is_free(&wish.order_id)?;
        wish.tid = new_id("SBX");
        wish.auth_token = new_id("SBXAUTH");
        ledger.record(Entry::Authenticated(wish.clone()));
        Ok((wish, ledger.journal.here()))
    }
}

/// An id in the order of time.
pub(super) fn new_id(prefix: &str) -> String {
    format!("{prefix}{}", Uuid::now_v7().simple())
}
