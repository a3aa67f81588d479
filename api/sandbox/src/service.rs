//! State shared by all routes: one decision at a time, journalled before it is answered.

mod notices;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

use crate::Options;
use crate::faults::{Call, Fault, Faults};
use crate::journal::{Journal, JournalPosition};
use crate::mail_faults::MailFaults;
use crate::refusal::Refusal;
use crate::state::{Authentication, Charge, Entry, GatewayState};
use crate::used_signatures::UsedSignatures;
use crate::widget_responses::Responses;

/// The payment service behind the routes.
#[derive(Debug)]
pub(crate) struct Service {
    pub(crate) options: Options,
    pub(crate) http: reqwest::Client,
    store: Mutex<Store>,
    faults: Mutex<Faults>,
    mail_faults: Mutex<MailFaults>,
    responses: Mutex<Responses>,
    signatures: Mutex<UsedSignatures>,
}

/// State and journal, changed together.
#[derive(Debug)]
struct Store {
    state: GatewayState,
    journal: Journal,
}

impl Store {
    fn record(&mut self, entry: Entry) {
        self.journal.queue(&entry);
        self.state.apply(entry);
    }

    fn now(&self) -> OffsetDateTime {
        OffsetDateTime::now_utc() + Duration::seconds(self.state.clock_ahead)
    }
}

/// The answer to a call, sent once the journal is on disk.
#[derive(Debug)]
pub(crate) struct GatewayAnswer {
    pub(crate) answer: Value,
    pub(crate) position: JournalPosition,
    /// Ends when the notice that must precede the answer was acknowledged.
    pub(crate) first: Option<tokio::task::JoinHandle<()>>,
}

impl Service {
    /// Opens the journal and sends the pending notices of an earlier run.
    pub(crate) fn open(options: Options) -> io::Result<Arc<Self>> {
        let (journal, entries) = Journal::open(&options.file)?;
        let mut state = GatewayState::default();
        entries.into_iter().for_each(|entry| state.apply(entry));
        let pending: Vec<_> = state.due.values().cloned().collect();
        let http = reqwest::Client::builder()
            .timeout(std::time::Duration::from_secs(10))
            .no_proxy()
            .build()
            .map_err(io::Error::other)?;
        let service = Arc::new(Self {
            http,
            store: Mutex::new(Store { state, journal }),
            faults: Mutex::default(),
            mail_faults: Mutex::default(),
            responses: Mutex::default(),
            signatures: Mutex::default(),
            options,
        });
        if let Some(url) = service.options.notice_url.clone() {
            service
                .store()
                .record(Entry::NoticesGoTo { url: Some(url) });
        }
        for notice in pending {
            let position = service.store().journal.position();
            tokio::spawn(notices::deliver(Arc::clone(&service), notice, position));
        }
        Ok(service)
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        self.store.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn mail_faults(&self) -> MutexGuard<'_, MailFaults> {
        let locked = self.mail_faults.lock();
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn responses(&self) -> MutexGuard<'_, Responses> {
        let locked = self.responses.lock();
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn used_signatures(&self) -> MutexGuard<'_, UsedSignatures> {
        let locked = self.signatures.lock();
        locked.unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the state. It is on disk once the position is reached.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&GatewayState, OffsetDateTime) -> T,
    ) -> (T, JournalPosition) {
        let store = self.store();
        (read(&store.state, store.now()), store.journal.position())
    }

    /// Records an entry that needs no decision.
    pub(crate) fn record(&self, entry: Entry) -> JournalPosition {
        let mut store = self.store();
        store.record(entry);
        store.journal.position()
    }

    /// Decides about a charge, records the decision and, if a notice URL is set, sends a notice. All of it happens even if
    /// the caller has disconnected.
    pub(crate) fn decide(
        self: &Arc<Self>,
        decide: impl FnOnce(&GatewayState, OffsetDateTime) -> Result<Entry, Refusal>,
    ) -> Result<GatewayAnswer, Refusal> {
        let mut store = self.store();
        let now = store.now();
        let entry = decide(&store.state, now)?;
        let (tid, refund) = match &entry {
            Entry::GivenBack { tid, .. } => (tid.clone(), true),
            Entry::Approved { tid, .. }
            | Entry::AccountIssued { tid, .. }
            | Entry::Deposited { tid, .. }
            | Entry::CalledOff { tid, .. } => (tid.clone(), false),
            _ => return Err(Refusal::new("2003")),
        };
        store.record(entry);
        let charge = store.state.charge(&tid)?;
        let order_id = charge.authentication.order_id.clone();
        let answer = self.answer(charge, refund, now);
        let first = self.send_notice(&mut store, &order_id, &answer);
        Ok(GatewayAnswer {
            answer,
            position: store.journal.position(),
            first,
        })
    }

    /// The signed answer about a charge.
    pub(crate) fn answer(
        &self,
        charge: &Charge,
        latest_refund: bool,
        now: OffsetDateTime,
    ) -> Value {
        let mut answer = charge.answer(&self.options.secret, latest_refund, now);
        if let Some(fields) = answer.as_object_mut() {
            fields.insert("currency".to_owned(), self.options.currency.as_str().into());
        }
        answer
    }

    fn send_notice(
        self: &Arc<Self>,
        store: &mut Store,
        order_id: &str,
        answer: &Value,
    ) -> Option<tokio::task::JoinHandle<()>> {
        let url = store.state.notice_url.clone()?;
        let fault = self.faults().pick(Call::Notice, order_id);
        let copies = match fault {
            Some(Fault::Twice) => 2,
            _ => 1,
        };
        let mut last = None;
        for _ in 0..copies {
            let notice = store.state.notices + 1;
            store.record(Entry::NoticeDue {
                notice,
                url: url.clone(),
                body: answer.to_string(),
            });
            let due = store.state.due.get(&notice).cloned()?;
            let sending = notices::deliver(Arc::clone(self), due, store.journal.position());
            last = Some(tokio::spawn(match fault {
                Some(Fault::Late { milliseconds }) => notices::later(sending, milliseconds),
                _ => Box::pin(sending),
            }));
        }
        last.filter(|_| fault == Some(Fault::Early))
    }

    /// Records a buyer's authentication.
    pub(crate) fn authenticate(
        &self,
        mut request: Authentication,
    ) -> Result<(Authentication, JournalPosition), Refusal> {
        let mut store = self.store();
        store.state.order_is_free(&request.order_id)?;
        request.tid = new_id("SBX");
        request.auth_token = new_id("SBXAUTH");
        store.record(Entry::Authenticated(request.clone()));
        Ok((request, store.journal.position()))
    }
}

/// A time-ordered id.
pub(crate) fn new_id(prefix: &str) -> String {
    format!("{prefix}{}", Uuid::now_v7().simple())
}
