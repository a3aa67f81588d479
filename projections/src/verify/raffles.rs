//! Raffles, counted from the log: their rows, and that every draw is right. The hashes are computed here a second time, from their
//! description in docs/raffles.md.

use std::collections::{BTreeMap, BTreeSet};

use domain::ids::{MemberId, ShopEventId};
use domain::member::MemberEvent;
use domain::raffle::{RaffleEntryEvent, RaffleEvent, RaffleHash};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::compare::{Checker, ExpectedRows, moment};
use super::decoded_log::{DecodedEvent, Event};
use super::{Fold, VerifyError, bad, id};

/// SHA-256 of these bytes, as hexadecimal digits.
fn sha256(parts: &[&[u8]]) -> String {
    hex::encode(Sha256::digest(parts.concat()))
}

fn bytes(hash: &str) -> Vec<u8> {
    hex::decode(hash).unwrap_or_default()
}

/// The end of the chain with one more entry.
fn chained(chain: &str, number: u32, mark: &str) -> String {
    sha256(&[&bytes(chain), &number.to_be_bytes(), &bytes(mark)])
}

/// The rows of raffles and their entries.
#[derive(Default)]
pub(super) struct RafflesFold {
    raffles: BTreeMap<String, Map<String, Value>>,
    entries: BTreeMap<String, Map<String, Value>>,
}

impl RafflesFold {
    fn raffle(&mut self, told: &DecodedEvent, event: &RaffleEvent) -> Result<Value, VerifyError> {
        let (key, at) = (&told.stream.id, moment(told.metadata.occurred_at));
        if let RaffleEvent::RaffleOpened {
            commitment,
            winners,
            ends_at,
            prize,
            ..
        } = event
        {
            self.raffles.insert(key.clone(), Map::new());
            return Ok(json!({
                "id": key, "winners": winners, "ends_at": moment(*ends_at), "due_at": moment(*ends_at), "prize": prize,
                "commitment": commitment, "chain": commitment, "entries": 0, "draw": null, "drawn_at": null, "opened_at": at,
            }));
        }
        let row = self.raffles.get(key);
        let row = row.ok_or_else(|| bad(told, "a raffle that was not opened"))?;
        Ok(match event {
            RaffleEvent::RaffleOpened { .. } => json!({}),
            RaffleEvent::RaffleRevised {
                winners,
                ends_at,
                prize,
            } => json!({
                "winners": winners, "ends_at": moment(*ends_at), "due_at": moment(*ends_at), "prize": prize,
            }),
            RaffleEvent::RaffleEntryCounted { number, mark, .. } => {
                let chain = row.get("chain").and_then(Value::as_str).unwrap_or_default();
                let before = row.get("entries").and_then(Value::as_u64);
                json!({
                    "entries": before.unwrap_or_default() + 1,
                    "chain": chained(chain, *number, &mark.to_string()),
                })
            }
            RaffleEvent::RaffleDrawn {
                seed,
                winners,
                passed,
                ..
            } => json!({
                "due_at": null, "drawn_at": at, "draw": { "seed": seed, "winners": winners, "passed": passed },
            }),
        })
    }
}

impl Fold for RafflesFold {
    fn name(&self) -> &'static str {
        "raffles"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["raffle", "raffle-entry"]
    }

    fn take(&mut self, told: &DecodedEvent) -> Result<(), VerifyError> {
        let key = &told.stream.id;
        let (columns, row) = match told.event()? {
            Event::Raffle(event) => (self.raffle(told, event)?, self.raffles.get_mut(key)),
            Event::RaffleEntry(RaffleEntryEvent::RaffleEntered {
                raffle,
                member,
                number,
                mark,
            }) => {
                self.entries.insert(key.clone(), Map::new());
                let entered = json!({
                    "id": key, "raffle": raffle, "member": member, "number": number, "mark": mark, "won": false,
                    "entered_at": moment(told.metadata.occurred_at),
                });
                (entered, self.entries.get_mut(key))
            }
            Event::RaffleEntry(RaffleEntryEvent::RaffleWon { .. }) => {
                (json!({ "won": true }), self.entries.get_mut(key))
            }
            _ => return Ok(()),
        };
        let row = row.ok_or_else(|| bad(told, "an entry that was not made"))?;
        if let Value::Object(columns) = columns {
            row.extend(columns);
        }
        row.insert("position".to_owned(), told.position.into());
        Ok(())
    }

    fn expected(self: Box<Self>) -> Result<Vec<ExpectedRows>, VerifyError> {
        let rows = |of: BTreeMap<String, Map<String, Value>>| of.into_values().map(Value::Object);
        Ok(vec![
            ExpectedRows {
                view: "raffles",
                key: &["id"],
                rows: rows(self.raffles).collect(),
            },
            ExpectedRows {
                view: "raffles_entries",
                key: &["id"],
                rows: rows(self.entries).collect(),
            },
        ])
    }
}

#[derive(Default)]
struct RaffleTally {
    commitment: String,
    chain: String,
    winners: usize,
    /// The mark of each number.
    marks: Vec<RaffleHash>,
    ends_at: Option<time::OffsetDateTime>,
    /// The numbers that won and those that were passed.
    drawn: Option<(Vec<u32>, Vec<u32>)>,
}

/// The rule's name in reports.
const RULE: &str = "raffles";

/// Raffles, their entries, and who left.
#[derive(Default)]
pub(super) struct Raffles {
    raffles: BTreeMap<ShopEventId, RaffleTally>,
    /// Number and mark of each member's entry.
    entries: BTreeMap<(ShopEventId, MemberId), (u32, RaffleHash)>,
    won: BTreeSet<(ShopEventId, u32)>,
    left: BTreeSet<MemberId>,
}

impl Raffles {
    /// The next event of a raffle.
    pub fn raffle(
        &mut self,
        told: &DecodedEvent,
        event: &RaffleEvent,
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        let raffle: ShopEventId = id(told)?;
        let counted = self.raffles.entry(raffle).or_default();
        let at = told.metadata.occurred_at;
        match event {
            RaffleEvent::RaffleOpened {
                commitment,
                winners,
                ends_at,
                ..
            } => {
                let is_first = counted.commitment.is_empty();
                checker.holds(is_first, RULE, raffle, "opened once", "again");
                counted.commitment = commitment.to_string();
                counted.chain = commitment.to_string();
                counted.winners = usize::try_from(*winners).unwrap_or_default();
                counted.ends_at = Some(*ends_at);
            }
            RaffleEvent::RaffleRevised {
                winners, ends_at, ..
            } => {
                let winners = usize::try_from(*winners).unwrap_or_default();
                let has_entries = !counted.marks.is_empty();
                let is_worse = winners < counted.winners || Some(*ends_at) < counted.ends_at;
                checker.holds(
                    counted.drawn.is_none() && !(has_entries && is_worse),
                    RULE,
                    raffle,
                    "not worse for entries",
                    "worse",
                );
                counted.winners = winners;
                counted.ends_at = Some(*ends_at);
            }
            RaffleEvent::RaffleEntryCounted { number, mark, .. } => {
                let next = counted.marks.len().saturating_add(1);
                let is_next = usize::try_from(*number) == Ok(next);
                let in_time = counted.drawn.is_none() && Some(at) < counted.ends_at;
                let key = format!("{raffle} {number}");
                checker.holds(is_next && in_time, RULE, key, next, *number);
                counted.chain = chained(&counted.chain, *number, &mark.to_string());
                counted.marks.push(*mark);
            }
            RaffleEvent::RaffleDrawn {
                seed,
                entries,
                chain,
                winners,
                passed,
            } => {
                let due = counted.drawn.is_none() && Some(at) >= counted.ends_at;
                checker.holds(due, RULE, raffle, "drawn once, at the end", "not so");
                let seed = seed.to_string();
                let committed = sha256(&[&bytes(&seed)]);
                checker.holds(
                    committed == counted.commitment,
                    RULE,
                    format!("{raffle} seed"),
                    counted.commitment.clone(),
                    committed,
                );
                let length = counted.marks.len();
                let is_whole =
                    chain.to_string() == counted.chain && usize::try_from(*entries) == Ok(length);
                checker.holds(is_whole, RULE, format!("{raffle} chain"), length, *entries);
                let expected = counted.expected_winners(&seed, passed);
                checker.holds(
                    &expected == winners,
                    RULE,
                    format!("{raffle} winners"),
                    json!(expected),
                    json!(winners),
                );
                counted.drawn = Some((winners.clone(), passed.clone()));
                let holders = self.entries.iter();
                let mut passed_members = holders
                    .filter(|((of, _), (number, _))| *of == raffle && passed.contains(number));
                let all_left = passed_members.all(|((_, member), _)| self.left.contains(member));
                checker.holds(
                    all_left,
                    RULE,
                    format!("{raffle} passed"),
                    "members who left",
                    json!(passed),
                );
            }
        }
        Ok(())
    }

    /// The next event of an entry.
    pub fn entry(
        &mut self,
        event: &RaffleEntryEvent,
        checker: &mut Checker,
    ) -> Result<(), VerifyError> {
        match event {
            RaffleEntryEvent::RaffleEntered {
                raffle,
                member,
                number,
                mark,
            } => {
                let before = self.entries.insert((*raffle, *member), (*number, *mark));
                let key = format!("{raffle} {member}");
                let is_first = before.is_none();
                checker.holds(is_first, RULE, key, "entered once", "again");
            }
            RaffleEntryEvent::RaffleWon {
                raffle,
                member,
                number,
                ..
            } => {
                let held = self.entries.get(&(*raffle, *member)).copied();
                let is_first = self.won.insert((*raffle, *number));
                let is_theirs = held.is_some_and(|(held, _)| held == *number);
                checker.holds(
                    is_first && is_theirs && !self.left.contains(member),
                    RULE,
                    format!("{raffle} {number} won"),
                    "once, by its member",
                    "not so",
                );
            }
        }
        Ok(())
    }

    /// The next event of a member.
    pub fn member(&mut self, member: MemberId, event: &MemberEvent) -> Result<(), VerifyError> {
        if let MemberEvent::MemberLeft { .. } = event {
            self.left.insert(member);
        }
        Ok(())
    }

    /// Each counted number belongs to the entry with its mark, and the numbers that won are those of the draw.
    pub fn finish(self, checker: &mut Checker) {
        let mut numbers: BTreeMap<ShopEventId, BTreeMap<u32, RaffleHash>> = BTreeMap::new();
        for ((raffle, _), (number, mark)) in &self.entries {
            numbers.entry(*raffle).or_default().insert(*number, *mark);
        }
        let mut won: BTreeMap<ShopEventId, BTreeSet<u32>> = BTreeMap::new();
        for (raffle, number) in &self.won {
            won.entry(*raffle).or_default().insert(*number);
        }
        let total: usize = numbers.values().map(BTreeMap::len).sum();
        checker.holds(
            total == self.entries.len(),
            RULE,
            "all entries",
            self.entries.len(),
            total,
        );
        for (raffle, counted) in self.raffles {
            let held = numbers.remove(&raffle).unwrap_or_default();
            let expected: BTreeMap<u32, RaffleHash> = (1..).zip(counted.marks).collect();
            checker.holds(
                held == expected,
                RULE,
                format!("{raffle} entries"),
                expected.len(),
                held.len(),
            );
            let drawn = counted.drawn.map(|(winners, _)| winners);
            let drawn: BTreeSet<u32> = drawn.unwrap_or_default().into_iter().collect();
            let found = won.remove(&raffle).unwrap_or_default();
            checker.holds(
                drawn == found,
                RULE,
                format!("{raffle} winning entries"),
                json!(drawn),
                json!(found),
            );
        }
        let are_opened = numbers.is_empty() && won.is_empty();
        checker.holds(are_opened, RULE, "entries of raffles", (), numbers.len());
    }
}

impl RaffleTally {
    /// The winners of a seed, if these numbers are passed.
    fn expected_winners(&self, seed: &str, passed: &[u32]) -> Vec<u32> {
        let score =
            |number: &u32| sha256(&[&bytes(seed), &bytes(&self.chain), &number.to_be_bytes()]);
        let mut numbers: Vec<u32> = (1..).take(self.marks.len()).collect();
        numbers.sort_by_cached_key(score);
        numbers.retain(|number| !passed.contains(number));
        numbers.truncate(self.winners);
        numbers
    }
}
