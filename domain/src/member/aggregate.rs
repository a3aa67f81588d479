//! The member aggregate. Personal data stays sealed; the rules only use scopes, levels and dates.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::events::{
    AccessLevel, Dealings, LeavingReason, LeavingWish, MemberEvent, MemberType, Profile, Scope,
    statutory_until,
};
use crate::decider;
use crate::event::{Actor, Context, Decider};
use crate::ids::DocumentId;
use crate::personal::Sealed;
use crate::storefront::AgreedTerm;

/// Current state of a member.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Personal data; none before joining and after leaving.
    pub profile: Option<Sealed<Profile>>,
    /// Type.
    pub member_type: MemberType,
    /// Access level.
    pub level: AccessLevel,
    /// Scopes granted in the member's token.
    pub scopes: Vec<Scope>,
    /// Terms agreed to.
    pub terms: Vec<AgreedTerm>,
    /// Code of the membership level.
    pub membership_level: Option<String>,
    /// Documents handed in.
    #[serde(default)]
    pub documents: Vec<DocumentId>,
    /// Whether the e-mail address in the profile is confirmed.
    #[serde(default)]
    pub email_confirmed: bool,
    /// Whether the account is closed.
    #[serde(default)]
    pub left: bool,
    /// Set when the account is closed: until when the records of the member's orders have to stay readable.
    #[serde(default, with = "time::serde::rfc3339::option")]
    pub statutory_until: Option<OffsetDateTime>,
}

/// Commands accepted by a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberCommand {
    /// Join.
    Join {
        /// Type.
        member_type: MemberType,
        /// Access level.
        level: AccessLevel,
        /// Scopes granted in the token.
        scopes: Vec<Scope>,
        /// Personal data.
        profile: Sealed<Profile>,
        /// Terms agreed to.
        terms: Vec<AgreedTerm>,
    },
    /// Change the personal data.
    ReviseProfile {
        /// The new personal data.
        profile: Sealed<Profile>,
        /// Whether it has another e-mail address.
        new_email: bool,
    },
    /// Confirm the e-mail address in the profile.
    ConfirmEmail,
    /// Change the scopes; staff only.
    ChangeScopes {
        /// The new scopes.
        scopes: Vec<Scope>,
        /// The new access level.
        level: AccessLevel,
    },
    /// Move to a membership level.
    AssignLevel {
        /// Code of the level record.
        code: String,
    },
    /// Hand in a document.
    HandIn {
        /// Id of the document.
        document: DocumentId,
        /// `image/webp` or `application/pdf`.
        content_type: String,
        /// Size in bytes.
        size: i64,
    },
    /// Agree to a text.
    GiveConsent {
        /// The text and its edition.
        term: AgreedTerm,
    },
    /// Withdraw the consent to a text; nothing happens without one.
    WithdrawConsent {
        /// Code of the text.
        code: String,
    },
    /// Close the account.
    Leave {
        /// The reason.
        reason: Option<LeavingReason>,
        /// The party that requests it.
        wish: LeavingWish,
        /// Open purchases and the time of the last dealing.
        dealings: Dealings,
    },
    /// Erase the records of the member's orders once their retention period has ended.
    EraseStatutoryData {
        /// Time of the last event of the member's orders or their payments, including those after leaving. None if they never
        /// ordered.
        last: Option<OffsetDateTime>,
    },
}

/// Reasons why a member rejects a command.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemberError {
    /// The member has joined before.
    #[error("the member has joined already")]
    AlreadyJoined,
    /// The member does not exist or has left.
    #[error("there is no such member")]
    NotJoined,
    /// Only staff may grant this.
    #[error("only staff may give this access")]
    StaffOnly,
    /// Purchases are in progress; a member can leave only without any.
    #[error("{purchases} purchases are in progress")]
    UnderWay {
        /// Number of purchases in progress.
        purchases: i64,
    },
    /// The retention period of the order records has not ended.
    #[error("the retention period of the records has not ended")]
    StillKept,
}

impl MemberError {
    /// Stable code for the wire.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::AlreadyJoined => "already_joined",
            Self::NotJoined => "member_not_found",
            Self::StaffOnly => "staff_only",
            Self::UnderWay { .. } => "under_way",
            Self::StillKept => "still_kept",
        }
    }
}

decider!(Member, "member", MemberCommand, MemberEvent, MemberError);

impl Decider for Member {
    type Input = MemberCommand;

    fn decide(
        &self,
        command: MemberCommand,
        context: &Context,
    ) -> Result<Vec<MemberEvent>, MemberError> {
        match command {
            MemberCommand::Join {
                member_type,
                level,
                scopes,
                profile,
                terms,
            } => {
                if self.has_joined() || self.left {
                    return Err(MemberError::AlreadyJoined);
                }
                let scopes = sorted(scopes);
                if !is_staff(&context.actor) && wants_more(member_type, level, &scopes) {
                    return Err(MemberError::StaffOnly);
                }
                Ok(vec![MemberEvent::MemberJoined {
                    member_type,
                    level,
                    scopes,
                    profile,
                    terms,
                }])
            }
            MemberCommand::EraseStatutoryData { last } => match self.statutory_until {
                Some(until) if last.map_or(until, statutory_until).max(until) <= context.now => {
                    Ok(vec![MemberEvent::StatutoryDataErased {}])
                }
                None if self.left => Ok(vec![]),
                _ => Err(MemberError::StillKept),
            },
            _ if !self.has_joined() => Err(MemberError::NotJoined),
            MemberCommand::Leave {
                reason,
                wish,
                dealings: Dealings { under_way, last },
            } => {
                if wish == LeavingWish::Theirs && self.member_type == MemberType::Operator {
                    return Err(MemberError::StaffOnly);
                }
                if wish == LeavingWish::Theirs && under_way > 0 {
                    return Err(MemberError::UnderWay {
                        purchases: under_way,
                    });
                }
                // Purchases in progress have their last event after this.
                let last = if under_way > 0 {
                    Some(context.now)
                } else {
                    last
                };
                Ok(vec![MemberEvent::MemberLeft {
                    reason,
                    statutory_until: last.map(statutory_until),
                }])
            }
            MemberCommand::ReviseProfile { profile, new_email } => {
                if self.profile.as_ref() == Some(&profile) {
                    return Ok(vec![]);
                }
                let mut events = vec![MemberEvent::ProfileRevised { profile }];
                if new_email && self.email_confirmed {
                    events.push(MemberEvent::EmailConfirmationEnded {});
                }
                Ok(events)
            }
            MemberCommand::ConfirmEmail => Ok(match self.email_confirmed {
                true => vec![],
                false => vec![MemberEvent::EmailConfirmed {}],
            }),
            MemberCommand::ChangeScopes { scopes, level } => {
                if !is_staff(&context.actor) {
                    return Err(MemberError::StaffOnly);
                }
                let scopes = sorted(scopes);
                if self.scopes == scopes && self.level == level {
                    return Ok(vec![]);
                }
                Ok(vec![MemberEvent::ScopesChanged { scopes, level }])
            }
            MemberCommand::AssignLevel { code } => {
                if self.membership_level.as_ref() == Some(&code) {
                    return Ok(vec![]);
                }
                Ok(vec![MemberEvent::MembershipLevelAssigned { code }])
            }
            MemberCommand::GiveConsent { term } => Ok(match self.agrees_to(&term.code) {
                true => vec![],
                false => vec![MemberEvent::ConsentGiven { term }],
            }),
            MemberCommand::WithdrawConsent { code } => Ok(match self.agrees_to(&code) {
                true => vec![MemberEvent::ConsentWithdrawn { code }],
                false => vec![],
            }),
            MemberCommand::HandIn {
                document,
                content_type,
                size,
            } => {
                if self.documents.contains(&document) {
                    return Ok(vec![]);
                }
                Ok(vec![MemberEvent::DocumentHandedIn {
                    document,
                    content_type,
                    size,
                }])
            }
        }
    }
}

fn is_staff(actor: &Actor) -> bool {
    matches!(actor, Actor::Operator { .. } | Actor::System)
}

/// Whether the requested access exceeds what joining grants: none for a person, selling for a company.
fn wants_more(member_type: MemberType, level: AccessLevel, scopes: &[Scope]) -> bool {
    match member_type {
        MemberType::Person => level != AccessLevel::Person || !scopes.is_empty(),
        MemberType::Company => {
            level != AccessLevel::Company || scopes.iter().any(|scope| *scope != Scope::Company)
        }
        MemberType::Operator => true,
    }
}

fn sorted(mut scopes: Vec<Scope>) -> Vec<Scope> {
    scopes.sort_unstable();
    scopes.dedup();
    scopes
}

impl Member {
    /// Whether the member has an open account.
    pub fn has_joined(&self) -> bool {
        self.profile.is_some()
    }

    /// Whether the member agrees to the text with this code.
    pub fn agrees_to(&self, code: &str) -> bool {
        self.terms.iter().any(|term| term.code == code)
    }

    /// The access level that goes with these scopes: staff's, a company's or a person's. A root member stays root while being
    /// staff.
    pub fn level_with(&self, scopes: &[Scope]) -> AccessLevel {
        match (self.level, scopes) {
            (AccessLevel::Root, scopes) if scopes.contains(&Scope::Console) => AccessLevel::Root,
            (_, scopes) if scopes.contains(&Scope::Console) => AccessLevel::Admin,
            (_, []) => AccessLevel::Person,
            _ => AccessLevel::Company,
        }
    }

    /// Applies `event` to the state.
    pub fn evolve(&mut self, event: MemberEvent) {
        match event {
            MemberEvent::MemberJoined {
                member_type,
                level,
                scopes,
                profile,
                terms,
            } => {
                *self = Self {
                    profile: Some(profile),
                    member_type,
                    level,
                    scopes,
                    terms,
                    ..Self::default()
                };
            }
            MemberEvent::ProfileRevised { profile } => self.profile = Some(profile),
            MemberEvent::EmailConfirmed {} => self.email_confirmed = true,
            MemberEvent::EmailConfirmationEnded {} => self.email_confirmed = false,
            MemberEvent::ScopesChanged { scopes, level } => {
                self.scopes = scopes;
                self.level = level;
            }
            MemberEvent::MembershipLevelAssigned { code } => self.membership_level = Some(code),
            MemberEvent::DocumentHandedIn { document, .. } => self.documents.push(document),
            MemberEvent::ConsentGiven { term } => self.terms.push(term),
            MemberEvent::ConsentWithdrawn { code } => self.terms.retain(|term| term.code != code),
            MemberEvent::MemberLeft {
                statutory_until, ..
            } => {
                *self = Self {
                    member_type: self.member_type,
                    left: true,
                    statutory_until,
                    ..Self::default()
                };
            }
            MemberEvent::StatutoryDataErased {} => self.statutory_until = None,
        }
    }
}
