//! What can happen to a member.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain_event;
use crate::ids::DocumentId;
use crate::order::AgreedTerm;
use crate::personal::Sealed;

/// Member types (spec section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MemberType {
    /// A person.
    #[default]
    Person,
    /// A company: may sell.
    Company,
    /// Staff.
    Operator,
}

/// Access levels (spec section 4; not the membership level).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AccessLevel {
    /// Everything.
    Root,
    /// Staff.
    Admin,
    /// A person.
    #[default]
    Person,
    /// A company.
    Company,
}

/// Scopes in a token (spec V179).
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Staff.
    Console,
    /// Seller.
    Company,
}

/// What a member tells about themselves; always sealed with the `profile` key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Profile {
    /// Sign-in name (spec V128, V129).
    pub username: String,
    /// Name.
    pub name: String,
    /// Shown to others; a seller's shop name.
    pub nickname: String,
    /// E-mail.
    pub email: String,
    /// 10 or 11 digits.
    pub phone: String,
    /// Company name, companies only.
    pub company_name: Option<String>,
    /// Chief executive, companies only.
    pub ceo_name: Option<String>,
    /// Business registration number, companies only.
    pub business_registration: Option<String>,
    /// Mail-order license number, companies only.
    pub license_code: Option<String>,
}

/// What happened to a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum MemberEvent {
    /// Joined.
    MemberJoined {
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
    /// Changed what they tell about themselves.
    ProfileRevised {
        /// Who it is now.
        profile: Sealed<Profile>,
    },
    /// Staff changed what the token may do.
    ScopesChanged {
        /// From now on.
        scopes: Vec<Scope>,
        /// From now on.
        level: AccessLevel,
    },
    /// Came into a membership level.
    MembershipLevelAssigned {
        /// Code of the level record.
        code: String,
    },
    /// Handed in a document: with joining, a company's registration copy (spec V148). What is in it is kept sealed elsewhere.
    DocumentHandedIn {
        /// Which.
        document: DocumentId,
        /// `image/webp` or `application/pdf`.
        content_type: String,
        /// Bytes.
        size: i64,
    },
}

domain_event!(MemberEvent { MemberJoined "1.0", ProfileRevised "1.0", ScopesChanged "1.0", MembershipLevelAssigned "1.0", DocumentHandedIn "1.0" });
