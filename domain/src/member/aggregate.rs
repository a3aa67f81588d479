//! The member ledger. Who a member is stays sealed; the rules only see what their token may do.

use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::events::{
    AccessLevel, Dealings, LeavingReason, LeavingWish, MemberEvent, MemberType, Profile, Scope,
    statutory_until,
};
use crate::decider;
use crate::event::{Actor, Context, Decider};
use crate::ids::DocumentId;
use crate::order::AgreedTerm;
use crate::personal::Sealed;

/// A member as they are now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// Who it is; none before they join and after they left.
    pub profile: Option<Sealed<Profile>>,
    /// Type.
    pub member_type: MemberType,
    /// Access level.
    pub level: AccessLevel,
    /// What the token may do.
    pub scopes: Vec<Scope>,
    /// Terms agreed to.
    pub terms: Vec<AgreedTerm>,
    /// Code of the membership level.
    pub membership_level: Option<String>,
    /// Documents handed in.
    #[serde(default)]
    pub documents: Vec<DocumentId>,
    /// They left.
    #[serde(default)]
    pub left: bool,
    /// They left, and their orders' records have to stay readable until then.
    #[serde(default, with = "time::serde::rfc3339::option")]
    pub statutory_until: Option<OffsetDateTime>,
}

/// What can be asked of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemberCommand {
    /// Join.
    Join {
        /// Type.
        member_type: MemberType,
        /// Access level.
        level: AccessLevel,
        /// What the token may do.
        scopes: Vec<Scope>,
        /// Who it is.
        profile: Sealed<Profile>,
        /// Terms agreed to.
        terms: Vec<AgreedTerm>,
    },
    /// Change what they tell about themselves.
    ReviseProfile {
        /// Who it is now.
        profile: Sealed<Profile>,
    },
    /// Change what the token may do; staff only.
    ChangeScopes {
        /// From now on.
        scopes: Vec<Scope>,
        /// From now on.
        level: AccessLevel,
    },
    /// Come into a membership level.
    AssignLevel {
        /// Code of the level record.
        code: String,
    },
    /// Hand in a document.
    HandIn {
        /// Which.
        document: DocumentId,
        /// `image/webp` or `application/pdf`.
        content_type: String,
        /// Bytes.
        size: i64,
    },
    /// Leave the shop.
    Leave {
        /// Why.
        reason: Option<LeavingReason>,
        /// Who wants it.
        wish: LeavingWish,
        /// What is not done, and when the last thing was.
        dealings: Dealings,
    },
    /// Let go of their orders' records, too, once their time is over.
    EraseStatutoryData {
        /// When something last happened to an order of theirs or its payments: after they left, too. None: they never ordered.
        last: Option<OffsetDateTime>,
    },
}

/// Why a member refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MemberError {
    /// They joined before.
    #[error("the member has joined already")]
    AlreadyJoined,
    /// There is no such member.
    #[error("there is no such member")]
    NotJoined,
    /// Only staff may give this.
    #[error("only staff may give this access")]
    StaffOnly,
    /// They leave by themselves only when nothing of theirs is under way.
    #[error("{purchases} purchases are under way")]
    UnderWay {
        /// How many.
        purchases: i64,
    },
    /// Their orders' records still have to be kept.
    #[error("the records have to be kept for longer")]
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
        act: MemberCommand,
        context: &Context,
    ) -> Result<Vec<MemberEvent>, MemberError> {
        match act {
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
                // what is still under way is dealt with after this
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
            MemberCommand::ReviseProfile { profile } => {
                if self.profile.as_ref() == Some(&profile) {
                    return Ok(vec![]);
                }
                Ok(vec![MemberEvent::ProfileRevised { profile }])
            }
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

/// More than somebody may give themselves by joining: a person gets no scope, a company sells.
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
    /// Whether there is such a member; one who left is none.
    pub fn has_joined(&self) -> bool {
        self.profile.is_some()
    }

    /// The access level that goes with these scopes: staff's, a company's or a person's. Who may do everything keeps that while
    /// they are staff.
    pub fn level_with(&self, scopes: &[Scope]) -> AccessLevel {
        match (self.level, scopes) {
            (AccessLevel::Root, scopes) if scopes.contains(&Scope::Console) => AccessLevel::Root,
            (_, scopes) if scopes.contains(&Scope::Console) => AccessLevel::Admin,
            (_, []) => AccessLevel::Person,
            _ => AccessLevel::Company,
        }
    }

    /// What `event` makes of them.
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
            MemberEvent::ScopesChanged { scopes, level } => {
                self.scopes = scopes;
                self.level = level;
            }
            MemberEvent::MembershipLevelAssigned { code } => self.membership_level = Some(code),
            MemberEvent::DocumentHandedIn { document, .. } => self.documents.push(document),
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
