//! The raffle of an event: its terms, the count of its entries, and its draw. Its stream has the id of the event.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::hash::{RaffleHash, RaffleSeed, ranking};
use crate::event::{Context, Decider};
use crate::ids::{CouponId, RaffleEntryId};
use crate::personal::Sealed;
use crate::storefront::shop_event::ShopEvent;
use crate::{decider, domain_event};

/// Events of a raffle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum RaffleEvent {
    /// It was opened with its event.
    RaffleOpened {
        /// Published hash of the seed.
        commitment: RaffleHash,
        /// The seed, sealed until the draw.
        seed: Sealed<RaffleSeed>,
        /// Number of winners.
        winners: u32,
        /// End of the entries (exclusive), when winners are drawn.
        #[serde(with = "time::serde::rfc3339")]
        ends_at: OffsetDateTime,
        /// The coupon that winners get, if any.
        prize: Option<CouponId>,
    },
    /// Its terms were changed.
    RaffleRevised {
        /// Number of winners.
        winners: u32,
        /// End of the entries (exclusive).
        #[serde(with = "time::serde::rfc3339")]
        ends_at: OffsetDateTime,
        /// The coupon that winners get, if any.
        prize: Option<CouponId>,
    },
    /// An entry got the next number and is part of the chain.
    RaffleEntryCounted {
        /// Its number, from 1.
        number: u32,
        /// Its published mark, which names no member.
        mark: RaffleHash,
        /// The entry.
        entry: RaffleEntryId,
    },
    /// Winners were drawn.
    RaffleDrawn {
        /// The seed, now published.
        seed: RaffleHash,
        /// Number of entries.
        entries: u32,
        /// The end of the chain.
        chain: RaffleHash,
        /// The numbers that win, in the order of their ranks.
        winners: Vec<u32>,
        /// Numbers of better ranks whose members had left.
        passed: Vec<u32>,
    },
}

domain_event!(RaffleEvent {
    RaffleOpened "1.0" "추첨을 열었습니다",
    RaffleRevised "1.0" "추첨 조건을 바꾸었습니다",
    RaffleEntryCounted "1.0" "추첨 응모를 받았습니다",
    RaffleDrawn "1.0" "당첨 번호를 추첨했습니다",
});

/// The terms of a raffle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RaffleTerms {
    /// Number of winners.
    pub winners: u32,
    /// End of the entries (exclusive), when winners are drawn.
    #[serde(with = "time::serde::rfc3339")]
    pub ends_at: OffsetDateTime,
    /// The coupon that winners get, if any.
    pub prize: Option<CouponId>,
}

impl RaffleTerms {
    /// The terms that an event says; none without a raffle.
    pub fn of(event: &ShopEvent) -> Option<Self> {
        Some(Self {
            winners: event.raffle.winners?,
            ends_at: event.ends_at?,
            prize: event.raffle.coupon,
        })
    }
}

/// Current state of a raffle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Raffle {
    /// Its terms; none before it is opened.
    pub terms: Option<RaffleTerms>,
    /// The published hash of the seed.
    pub commitment: RaffleHash,
    /// The sealed seed.
    pub seed: Option<Sealed<RaffleSeed>>,
    /// Number of entries.
    pub entries: u32,
    /// The end of the chain.
    pub chain: RaffleHash,
    /// Whether winners were drawn.
    pub drawn: bool,
}

/// Commands accepted by a raffle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RaffleCommand {
    /// Open it, or change its terms.
    Set {
        /// The terms; none if its event has no raffle.
        terms: Option<RaffleTerms>,
        /// The published hash of a new seed, used if it is opened.
        commitment: RaffleHash,
        /// The new seed.
        seed: Sealed<RaffleSeed>,
    },
    /// Give an entry the next number.
    Count {
        /// The entry, which is written in the same append.
        entry: RaffleEntryId,
        /// Its published mark.
        mark: RaffleHash,
    },
    /// Draw the winners.
    Draw {
        /// The opened seed.
        seed: RaffleSeed,
        /// Numbers whose members have left, at least those that would win.
        left: BTreeSet<u32>,
    },
}

/// Reasons why a raffle rejects a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RaffleError {
    /// The event has no raffle.
    #[error("the event has no raffle")]
    NotOpened,
    /// A raffle cannot be taken back.
    #[error("a raffle cannot be taken back")]
    Kept,
    /// The end is in the past.
    #[error("the end of the entries is in the past")]
    EndInPast,
    /// There are entries, so it does not end earlier.
    #[error("a raffle with entries does not end earlier")]
    EarlierEnd,
    /// There are entries, so winners do not become fewer.
    #[error("a raffle with entries does not have fewer winners")]
    FewerWinners,
    /// There are entries, so the prize stays.
    #[error("a raffle with entries keeps its prize")]
    OtherPrize,
    /// The entries are over.
    #[error("the entries are over")]
    Over,
    /// It is not the time of the draw yet.
    #[error("it is not the time of the draw")]
    NotDue,
    /// The seed is not the one of the commitment.
    #[error("the seed is not the one of the commitment")]
    OtherSeed,
    /// Entries have no numbers left.
    #[error("there are too many entries")]
    Full,
}

impl RaffleError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotOpened => "raffle_not_found",
            Self::Kept => "raffle_opened",
            Self::EndInPast => "raffle_end_past",
            Self::EarlierEnd => "raffle_end_earlier",
            Self::FewerWinners => "raffle_fewer_winners",
            Self::OtherPrize => "raffle_other_prize",
            Self::Over => "raffle_over",
            Self::NotDue => "raffle_not_due",
            Self::OtherSeed => "raffle_other_seed",
            Self::Full => "raffle_full",
        }
    }
}

decider!(Raffle, "raffle", RaffleCommand, RaffleEvent, RaffleError);

impl Decider for Raffle {
    type Input = RaffleCommand;
    const HOT: bool = true;

    fn decide(
        &self,
        command: RaffleCommand,
        context: &Context,
    ) -> Result<Vec<RaffleEvent>, RaffleError> {
        match command {
            RaffleCommand::Set {
                terms,
                commitment,
                seed,
            } => self.set(terms, (commitment, seed), context.now),
            RaffleCommand::Count { entry, mark } => {
                let terms = self.terms.ok_or(RaffleError::NotOpened)?;
                if self.drawn || context.now >= terms.ends_at {
                    return Err(RaffleError::Over);
                }
                Ok(vec![RaffleEvent::RaffleEntryCounted {
                    number: self.entries.checked_add(1).ok_or(RaffleError::Full)?,
                    mark,
                    entry,
                }])
            }
            RaffleCommand::Draw { seed, left } => self.draw(seed, &left, context.now),
        }
    }
}

impl Raffle {
    fn set(
        &self,
        terms: Option<RaffleTerms>,
        (commitment, seed): (RaffleHash, Sealed<RaffleSeed>),
        now: OffsetDateTime,
    ) -> Result<Vec<RaffleEvent>, RaffleError> {
        if terms == self.terms {
            return Ok(vec![]);
        }
        let RaffleTerms {
            winners,
            ends_at,
            prize,
        } = terms.ok_or(RaffleError::Kept)?;
        let before = self.terms.as_ref();
        if self.drawn || before.is_some_and(|before| now >= before.ends_at) {
            return Err(RaffleError::Over);
        }
        if ends_at <= now {
            return Err(RaffleError::EndInPast);
        }
        let Some(before) = before else {
            return Ok(vec![RaffleEvent::RaffleOpened {
                commitment,
                seed,
                winners,
                ends_at,
                prize,
            }]);
        };
        if self.entries > 0 {
            if ends_at < before.ends_at {
                return Err(RaffleError::EarlierEnd);
            }
            if winners < before.winners {
                return Err(RaffleError::FewerWinners);
            }
            if prize != before.prize {
                return Err(RaffleError::OtherPrize);
            }
        }
        Ok(vec![RaffleEvent::RaffleRevised {
            winners,
            ends_at,
            prize,
        }])
    }

    fn draw(
        &self,
        seed: RaffleSeed,
        left: &BTreeSet<u32>,
        now: OffsetDateTime,
    ) -> Result<Vec<RaffleEvent>, RaffleError> {
        let terms = self.terms.ok_or(RaffleError::NotOpened)?;
        if self.drawn {
            return Ok(vec![]);
        }
        if now < terms.ends_at {
            return Err(RaffleError::NotDue);
        }
        if seed.commitment() != self.commitment {
            return Err(RaffleError::OtherSeed);
        }
        let places = usize::try_from(terms.winners).unwrap_or(usize::MAX);
        let (mut winners, mut passed) = (Vec::new(), Vec::new());
        for number in ranking(seed, self.chain, self.entries) {
            if winners.len() == places {
                break;
            }
            match left.contains(&number) {
                true => passed.push(number),
                false => winners.push(number),
            }
        }
        Ok(vec![RaffleEvent::RaffleDrawn {
            seed: seed.0,
            entries: self.entries,
            chain: self.chain,
            winners,
            passed,
        }])
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: RaffleEvent) {
        match event {
            RaffleEvent::RaffleOpened {
                commitment,
                seed,
                winners,
                ends_at,
                prize,
            } => {
                self.terms = Some(RaffleTerms {
                    winners,
                    ends_at,
                    prize,
                });
                self.commitment = commitment;
                self.chain = commitment;
                self.seed = Some(seed);
            }
            RaffleEvent::RaffleRevised {
                winners,
                ends_at,
                prize,
            } => {
                self.terms = Some(RaffleTerms {
                    winners,
                    ends_at,
                    prize,
                });
            }
            RaffleEvent::RaffleEntryCounted { number, mark, .. } => {
                self.entries = number;
                self.chain = self.chain.after(number, mark);
            }
            RaffleEvent::RaffleDrawn { .. } => self.drawn = true,
        }
    }
}
