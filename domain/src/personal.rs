//! Personal data as the log carries it: sealed with a key of one person and one purpose.
//!
//! The rules never open a seal. `event-store` makes and opens them; destroying the key makes every copy
//! (log, read model, index, backup) unreadable at once, and replay goes on (`event-store.md` D12).

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shipping::Geolocation;

/// Why a personal value is kept, and so when its key is destroyed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// The member's own page; destroyed when the member leaves.
    Profile,
    /// Order and payment records the law makes a shop keep for years; destroyed when that time is over.
    Statutory,
}

impl Purpose {
    /// The word stored with the key.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Statutory => "statutory",
        }
    }
}

/// A value that may be sealed.
///
/// The label is part of every seal's associated data: what was sealed under one label opens under no other. So it is a
/// literal that stays as it is for ever, whatever happens to the name of the type.
pub trait SealLabel {
    /// What this kind of value is called in seals.
    const LABEL: &'static str;
}

/// `seal_label!(Party = "Party");`
macro_rules! seal_label {
    ($($value:ty = $label:literal),+ $(,)?) => {
        $(impl $crate::personal::SealLabel for $value {
            const LABEL: &'static str = $label;
        })+
    };
}
pub(crate) use seal_label;

seal_label! {
    BankAccount = "BankAccount",
    DepositTerms = "DepositTerms",
    Party = "Party",
    String = "String",
}

/// A `T` nobody can read without the key of `subject` for `purpose`.
///
/// On the wire and in payloads: `{"subject", "purpose", "sealed"}`, `sealed` being base64 of nonce and ciphertext.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sealed<T> {
    /// Whose data it is: a member, or the order of a guest.
    pub subject: Uuid,
    /// Which of the subject's keys.
    pub purpose: Purpose,
    /// base64(nonce ‖ ciphertext ‖ tag) of the JSON of `T`.
    pub sealed: String,
    #[serde(skip)]
    what: PhantomData<fn() -> T>,
}

impl<T> Sealed<T> {
    /// A seal made elsewhere (only `event-store`'s key ring makes real ones).
    pub fn from_parts(subject: Uuid, purpose: Purpose, sealed: String) -> Self {
        Self {
            subject,
            purpose,
            sealed,
            what: PhantomData,
        }
    }
}

impl<T> Clone for Sealed<T> {
    fn clone(&self) -> Self {
        Self::from_parts(self.subject, self.purpose, self.sealed.clone())
    }
}

impl<T> PartialEq for Sealed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.subject == other.subject
            && self.purpose == other.purpose
            && self.sealed == other.sealed
    }
}

impl<T> Eq for Sealed<T> {}

impl<T> fmt::Debug for Sealed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sealed({}:{})", self.purpose.as_str(), self.subject)
    }
}

/// A bank account (spec: Bank); always carried as `Sealed<BankAccount>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct BankAccount {
    /// The bank, three digits ([`crate::forms::BANKS`]).
    pub code: String,
    /// Digits.
    pub account_number: String,
    /// Whose account it is.
    pub account_holder: String,
}

/// What a payment by virtual account needs to know; always carried as `Sealed<DepositTerms>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DepositTerms {
    /// Who will pay it in.
    pub depositor: String,
    /// Where the money goes if it has to go back.
    pub account: BankAccount,
}

/// Who sends or receives an order; always carried as `Sealed<Party>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Party {
    /// The name a receiver keeps for this address ("집"), receivers only.
    pub title: Option<String>,
    /// Name, at least two characters (spec V135).
    pub name: String,
    /// 10 or 11 digits, stripped of anything else (spec V137).
    pub phone: String,
    /// With an at-sign and a dot (spec V136); may be missing for a receiver.
    pub email: Option<String>,
    /// Five digits.
    pub postcode: Option<String>,
    /// Road address.
    pub address1: Option<String>,
    /// The rest of the address.
    pub address2: Option<String>,
    /// Position, receivers only: for fares by distance (spec V168, V288).
    pub geolocation: Option<Geolocation>,
}
