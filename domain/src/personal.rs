//! Personal data in the log: sealed with a key per subject and purpose.
//!
//! The domain never opens a seal. `event-store` seals and opens; destroying a key makes every copy (log, read model, index, backup)
//! unreadable at once, and replay still works (`event-store.md` D12).

use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::shipping::Geolocation;

/// Purpose of storing personal data; determines when its key is destroyed.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    /// The member's profile; destroyed when the account is closed.
    Profile,
    /// Order and payment records with a statutory retention period; destroyed when it ends.
    Statutory,
}

impl Purpose {
    /// Name stored with the key.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Statutory => "statutory",
        }
    }
}

/// A value that may be sealed.
///
/// The label is part of every seal's associated data: a value sealed under one label cannot be opened under another. It is a
/// literal that must never change, even if the type is renamed.
pub trait SealLabel {
    /// Label of this type in seals.
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

/// A `T` that can be read only with the key of `subject` for `purpose`.
///
/// On the wire and in payloads: `{"subject", "purpose", "sealed"}`; `sealed` is base64 of nonce and ciphertext.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Sealed<T> {
    /// The data subject: a member, or the order of a guest.
    pub subject: Uuid,
    /// Purpose of the subject's key.
    pub purpose: Purpose,
    /// base64(nonce ‖ ciphertext ‖ tag) of the JSON of `T`.
    pub sealed: String,
    #[serde(skip)]
    what: PhantomData<fn() -> T>,
}

impl<T> Sealed<T> {
    /// Wraps a sealed value (only `event-store`'s key ring seals).
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
    /// Account holder.
    pub account_holder: String,
}

/// Depositor and refund account of a virtual-account payment; always carried as `Sealed<DepositTerms>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DepositTerms {
    /// Name of the depositor.
    pub depositor: String,
    /// The refund account.
    pub account: BankAccount,
}

/// Sender or receiver of an order; always carried as `Sealed<Party>`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Party {
    /// The receiver's label for this address ("집"), receivers only.
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
