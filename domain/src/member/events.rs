//! What can happen to a member.

use serde::{Deserialize, Serialize};
use time::{Date, Month, OffsetDateTime};
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

impl Scope {
    /// Its name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Console => "console",
            Self::Company => "company",
        }
    }
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

crate::personal::seal_label!(Profile = "Profile");

/// Why somebody leaves, in words of ours: what people write themselves may say who they are, and nothing of that may stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LeavingReason {
    /// They seldom use the shop.
    SeldomUsed,
    /// Choice or prices.
    Goods,
    /// Delivery, returns or answers.
    Service,
    /// They worry about their data.
    Privacy,
    /// Something else.
    Other,
}

/// Years that orders and payments, and who they were with, have to be kept (Act on Consumer Protection in Electronic Commerce,
/// decree article 6).
const YEARS_KEPT: i32 = 5;

/// Until when the records of somebody have to be kept whose last dealing with the shop was at `last`.
pub fn statutory_until(last: OffsetDateTime) -> OffsetDateTime {
    let day = last.date();
    let year = day.year() + YEARS_KEPT;
    // the 29th of February has no such day in most years
    let then = Date::from_calendar_date(year, day.month(), day.day())
        .or_else(|_| Date::from_calendar_date(year, Month::March, 1))
        .unwrap_or(Date::MAX);
    last.replace_date(then)
}

/// Who wants a member gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeavingWish {
    /// They themselves; refused while something of theirs is under way, because nobody could be asked about it.
    Theirs,
    /// Whoever runs the shop: at once.
    Operators,
}

/// What a member has, or had, with the shop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dealings {
    /// Purchases of theirs, or sold by them, that are not done yet.
    pub under_way: i64,
    /// When something last happened to an order of theirs; none: they never ordered.
    pub last: Option<OffsetDateTime>,
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
    /// Left the shop. Their profile key is destroyed with this, their names are free again.
    MemberLeft {
        /// Why, if they said so.
        reason: Option<LeavingReason>,
        /// Until when their orders' records have to stay readable; none: there are none, and that key goes at once, too.
        #[serde(with = "time::serde::rfc3339::option")]
        statutory_until: Option<OffsetDateTime>,
    },
    /// The time their orders' records had to be kept is over. Their last key is destroyed with this.
    StatutoryDataErased {},
}

domain_event!(MemberEvent {
    MemberJoined "1.0" "회원으로 가입했습니다",
    ProfileRevised "1.0" "회원 정보를 수정했습니다",
    ScopesChanged "1.0" "권한이 변경되었습니다",
    MembershipLevelAssigned "1.0" "회원 등급이 정해졌습니다",
    DocumentHandedIn "1.0" "가입 서류가 제출되었습니다",
    MemberLeft "1.0" "회원이 탈퇴했습니다",
    StatutoryDataErased "1.0" "보관 기한이 지나 개인정보를 파기했습니다",
});
