//! Outgoing SMS, LMS and AlimTalk in the shop's terms. [`solapi`] is the client of a real gateway.
//!
//! A gateway can be asked: after an unknown outcome the caller asks [`SmsGateway::find`] by its own id before it sends again. Nothing here
//! retries.

pub mod codes;
pub mod solapi;

use std::collections::BTreeMap;

use async_trait::async_trait;

pub use crate::mail::{Failure, Outcome};

/// A text to one phone.
#[derive(Clone, PartialEq, Eq)]
pub struct Sms {
    /// The caller's id of the message, the same for every attempt.
    pub id: String,
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// Number of the receiver, digits only.
    pub number: String,
    /// Subject, for an LMS.
    pub subject: String,
    /// The text; what an AlimTalk falls back to.
    pub text: String,
    /// The AlimTalk it is sent as.
    pub talk: Option<Talk>,
}

/// A template of the gateway and its variables.
#[derive(Clone, PartialEq, Eq)]
pub struct Talk {
    /// Its id at the gateway.
    pub template: String,
    /// What its variables stand for.
    pub variables: BTreeMap<String, String>,
}

impl std::fmt::Debug for Sms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sms")
            .field("id", &self.id)
            .field("attempt", &self.attempt)
            .finish_non_exhaustive()
    }
}

/// An attempt that may have reached the gateway.
#[derive(Clone, PartialEq, Eq)]
pub struct SmsAttempt {
    /// The caller's id of the message.
    pub id: String,
    /// The attempt.
    pub attempt: u32,
    /// Number of the receiver, digits only.
    pub number: String,
}

impl std::fmt::Debug for SmsAttempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SmsAttempt")
            .field("id", &self.id)
            .field("attempt", &self.attempt)
            .finish_non_exhaustive()
    }
}

/// What a gateway knows of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// This became of it: [`Outcome::Sent`] or [`Outcome::Failed`].
    Found(Outcome),
    /// It does not have it.
    Missing,
    /// It did not answer.
    Unknown,
}

/// What a gateway knows of the arrival of a text that it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// The phone has it.
    Delivered,
    /// It does not arrive.
    Failed {
        /// Why.
        why: Failure,
        /// The gateway's code.
        code: Option<u16>,
    },
    /// There is no report yet, or the gateway did not answer.
    Waiting,
}

/// A service that sends texts to phones.
#[async_trait]
pub trait SmsGateway: Send + Sync {
    /// Hands a text over to the gateway.
    async fn send(&self, sms: &Sms) -> Outcome;

    /// The outcome of an attempt where it is unknown. A text that an earlier attempt brought is found, too.
    async fn find(&self, attempt: &SmsAttempt) -> Lookup;

    /// Whether a text has arrived that it took under this id of its own.
    async fn report(&self, queue_id: &str) -> Report;

    /// Whether it can send AlimTalk: the shop has a channel there.
    fn has_talk(&self) -> bool;
}
