//! Compares reserved names with those of members, orders and records: each has one owner, and no reservation is without an owner.
//!
//! A reservation is a keyed hash, so its value can only be checked with the keys. Without them only its owner is checked.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::member::{MemberEvent, Profile};
use domain::order::OrderEvent;
use domain::payment::PaymentEvent;
use domain::record::{Document, UniqueCode};
use domain::registry::RECORD_KINDS;
use domain::{Purpose, Sealed};
use event_store::{KeyRing, SealContent};
use serde_json::Value;
use sqlx::PgConnection;

use super::VerifyError;
use super::compare::Checker;
use super::decoded_log::{DecodedEvent, Event, RecordEvent};

/// Name under which differences are reported.
pub(super) const MODEL: &str = "reservations";

/// Reservation scope of the payment service's transactions.
const TRANSACTION: &str = "payment-tid";
/// Reservation scope of confirmed e-mail addresses.
const EMAIL: &str = "member-mail";
/// The policy that reserves transactions recorded by older programs.
pub(super) const RESERVING: &str = "policy_transactions";
/// Keys loaded at a time.
const AT_ONCE: usize = 1_000;

/// The unique codes of records.
fn uniques() -> impl Iterator<Item = UniqueCode> {
    RECORD_KINDS.iter().filter_map(|record| record.unique)
}

/// Scope and owner of a name.
type Reservation = (String, String);

/// The owner of each name, by the log.
#[derive(Default)]
pub(super) struct Names {
    members: BTreeMap<String, Sealed<Profile>>,
    /// The document each member registered with.
    documents: BTreeMap<String, String>,
    /// Members whose address is confirmed.
    confirmed: BTreeSet<String>,
    orders: BTreeMap<String, String>,
    /// The fields that unique codes are made of, by scope and record.
    codes: HashMap<(&'static str, String), Document>,
    /// The transaction of each payment, and the position of the event that recorded it.
    transactions: BTreeMap<String, (String, i64)>,
    /// Streams that may own a name of any other scope.
    others: HashSet<String>,
}

impl Names {
    pub fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let id = &told.stream.id;
        let kind = told.stream.kind.as_str();
        let unique = RECORD_KINDS.iter().find(|record| record.kind == kind);
        let unique = unique.and_then(|record| record.unique);
        if !matches!(kind, "member" | "order") && unique.is_none() {
            if !self.others.contains(id) {
                self.others.insert(id.clone());
            }
            if kind == "payment" {
                self.payment(told)?;
            }
            return Ok(());
        }
        match told.event()? {
            Event::Member(event) => self.member(id, event),
            Event::Order(OrderEvent::OrderPlaced(terms)) => {
                self.orders.insert(id.clone(), terms.order_no.clone());
            }
            Event::Record(paper) => {
                if let Some(unique) = unique {
                    self.record(unique, id, paper);
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn payment(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        if let Event::Payment(
            PaymentEvent::PaymentApproved { tid, .. }
            | PaymentEvent::VirtualAccountIssued { tid, .. },
        ) = told.event()?
        {
            let recorded = (tid.clone(), told.position);
            self.transactions.insert(told.stream.id.clone(), recorded);
        }
        Ok(())
    }

    fn member(&mut self, id: &str, event: &MemberEvent) {
        match event {
            MemberEvent::MemberJoined { profile, .. } | MemberEvent::ProfileRevised { profile } => {
                self.members.insert(id.to_owned(), profile.clone());
            }
            MemberEvent::DocumentHandedIn { document, .. } => {
                self.documents.insert(id.to_owned(), document.to_string());
            }
            MemberEvent::MemberLeft { .. } => {
                self.members.remove(id);
                self.documents.remove(id);
                self.confirmed.remove(id);
            }
            MemberEvent::EmailConfirmed {} => {
                self.confirmed.insert(id.to_owned());
            }
            MemberEvent::EmailConfirmationEnded {} => {
                self.confirmed.remove(id);
            }
            MemberEvent::ScopesChanged { .. }
            | MemberEvent::MembershipLevelAssigned { .. }
            | MemberEvent::ConsentGiven { .. }
            | MemberEvent::ConsentWithdrawn { .. }
            | MemberEvent::StatutoryDataErased {} => {}
        }
    }

    fn record(&mut self, unique: UniqueCode, id: &str, paper: &RecordEvent) {
        let key = (unique.scope, id.to_owned());
        match paper {
            RecordEvent::Created { data } => {
                let parts = unique.fields.iter().filter_map(|field| {
                    let value = data.get(*field)?.clone();
                    Some(((*field).to_owned(), value))
                });
                self.codes.insert(key, parts.collect());
            }
            RecordEvent::Revised { changes } => {
                let parts = self.codes.entry(key).or_default();
                for field in unique.fields {
                    if let Some(change) = changes.get(*field) {
                        parts.insert((*field).to_owned(), change.to.clone());
                    }
                }
            }
            RecordEvent::Removed {} => {
                self.codes.remove(&key);
            }
        }
    }

    /// Compares with the stored reservations. Transactions recorded by older programs are reserved up to `reserved_to`.
    pub async fn compare(
        self,
        connection: &mut PgConnection,
        keys: Option<&KeyRing>,
        reserved_to: Option<i64>,
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        let rows: Vec<(String, Vec<u8>, String)> = sqlx::query_as(
            "SELECT scope, key_hash, owner FROM reservations ORDER BY scope, owner, key_hash",
        )
        .fetch_all(connection)
        .await?;
        let (wanted, unread) = match keys {
            Some(keys) => {
                let (hashes, unread) = self.hashes(keys).await?;
                (Some(hashes), unread)
            }
            None => (None, BTreeSet::new()),
        };
        let mut left = wanted.clone().unwrap_or_default();
        for (scope, hash, owner) in rows {
            let name = format!("{scope} of {owner}");
            let found: Value = hex::encode(&hash).into();
            if self.of_nobody(&scope, &owner) {
                checker.differs(MODEL, name, Value::Null, found);
                continue;
            }
            checker.checked = checker.checked.saturating_add(1);
            let held = (scope, owner);
            let listed = wanted.as_ref().is_some_and(|wanted| {
                let of_member = matches!(held.0.as_str(), "username" | "nickname" | EMAIL);
                (of_member && !unread.contains(&held.1)) || wanted.contains_key(&held)
            });
            let should = left.remove(&held);
            if listed && should.as_deref() != Some(hash.as_slice()) {
                let should = should.map_or(Value::Null, |hash| hex::encode(hash).into());
                checker.differs(MODEL, name, should, found);
            }
        }
        left.retain(|(scope, owner), _| {
            let at = self.transactions.get(owner).map(|(_, at)| *at);
            scope != TRANSACTION || at <= reserved_to
        });
        for ((scope, owner), hash) in left {
            checker.differs(
                MODEL,
                format!("{scope} of {owner}"),
                hex::encode(hash).into(),
                Value::Null,
            );
        }
        Ok(())
    }

    /// For an earlier position, whose reservations are not stored: checks only that no two owners have the same name.
    pub async fn alone(
        self,
        keys: Option<&KeyRing>,
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        let Some(keys) = keys else {
            return Ok(());
        };
        let mut holders: HashMap<(String, Vec<u8>), String> = HashMap::new();
        for ((scope, owner), hash) in self.hashes(keys).await?.0 {
            checker.checked = checker.checked.saturating_add(1);
            let name = format!("{scope} of {owner}");
            if let Some(other) = holders.insert((scope, hash), owner) {
                checker.differs(MODEL, name, "a name of its own".into(), other.into());
            }
        }
        Ok(())
    }

    /// Whether the owner does not exist in the log.
    fn of_nobody(&self, scope: &str, owner: &str) -> bool {
        let known = match scope {
            "username" | "nickname" => self.members.contains_key(owner),
            EMAIL => self.confirmed.contains(owner),
            "order-no" => self.orders.contains_key(owner),
            "document" => self.documents.contains_key(owner),
            scope => match uniques().find(|unique| unique.scope == scope) {
                Some(unique) => self.codes.contains_key(&(unique.scope, owner.to_owned())),
                None => self.others.contains(owner),
            },
        };
        !known
    }

    /// The hash of every name by scope and owner; and the members whose names cannot be decrypted because their key is destroyed or
    /// missing.
    async fn hashes(
        &self,
        keys: &KeyRing,
    ) -> Result<(BTreeMap<Reservation, Vec<u8>>, BTreeSet<String>), VerifyError> {
        let mut unread = BTreeSet::new();
        let mut hashes = BTreeMap::new();
        let mut keep = |scope: &str, owner: &str, name: &str| {
            let hash = keys.lookup_hash(scope, name).to_vec();
            hashes.insert((scope.to_owned(), owner.to_owned()), hash);
        };
        for (order, number) in &self.orders {
            keep("order-no", order, number);
        }
        for (member, document) in &self.documents {
            keep("document", member, document);
        }
        for (payment, (tid, _)) in &self.transactions {
            keep(TRANSACTION, payment, tid);
        }
        for ((scope, record), fields) in &self.codes {
            let unique = uniques().find(|unique| unique.scope == *scope);
            if let Some(code) = unique.and_then(|unique| unique.of(fields)) {
                keep(scope, record, &code);
            }
        }
        let members: Vec<(&String, &Sealed<Profile>)> = self.members.iter().collect();
        for some in members.chunks(AT_ONCE) {
            let wanted = some
                .iter()
                .map(|(_, sealed)| (sealed.subject, Purpose::Profile));
            keys.prefetch(wanted).await?;
            for (member, sealed) in some {
                match keys.open(*sealed).await? {
                    SealContent::Value(profile) => {
                        keep("username", member, &profile.username.trim().to_lowercase());
                        keep("nickname", member, &profile.nickname.trim().to_lowercase());
                        if self.confirmed.contains(*member) {
                            keep(EMAIL, member, &profile.email.trim().to_lowercase());
                        }
                    }
                    SealContent::Erased => {
                        unread.insert((*member).clone());
                    }
                }
            }
        }
        Ok((hashes, unread))
    }
}
