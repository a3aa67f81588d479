//! Events of a member.

use serde::{Deserialize, Serialize};
use time::{Date, Month, OffsetDateTime};
use utoipa::ToSchema;

use crate::domain_event;
use crate::ids::DocumentId;
use crate::personal::Sealed;
use crate::storefront::AgreedTerm;

/// Member types (spec section 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MemberType {
    /// A person.
    #[default]
    Person,
    /// A company; may sell.
    Company,
    /// Staff.
    Operator,
}

impl MemberType {
    /// Its name on the wire and in stored columns.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Person => "PERSON",
            Self::Company => "COMPANY",
            Self::Operator => "OPERATOR",
        }
    }
}

/// Access levels (spec section 4; not the membership level).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AccessLevel {
    /// All permissions.
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

/// Personal data of a member; always sealed with the `profile` key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Profile {
    /// Sign-in name (spec V128, V129).
    pub username: String,
    /// Name.
    pub name: String,
    /// Public name; a seller's shop name.
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
    /// Birthday, `YYYY-MM-DD` or `MM-DD` (spec: birthday).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub birthday: Option<String>,
    /// The day the company was founded, `YYYY-MM-DD` or `MM-DD`, companies only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub founded_at: Option<String>,
}

crate::personal::seal_label!(Profile = "Profile");

/// Reason for leaving, as a fixed choice: free text could contain personal data, which must not remain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LeavingReason {
    /// Rarely uses the shop.
    SeldomUsed,
    /// Selection or prices.
    Goods,
    /// Delivery, returns or customer service.
    Service,
    /// Privacy concerns.
    Privacy,
    /// Other.
    Other,
}

/// Retention period of order and payment records with the parties' identity, in years (Act on Consumer Protection in Electronic
/// Commerce, decree article 6).
const YEARS_KEPT: i32 = 5;

/// End of the retention period for records whose last event was at `last`.
pub fn statutory_until(last: OffsetDateTime) -> OffsetDateTime {
    let day = last.date();
    let year = day.year() + YEARS_KEPT;
    // February 29 does not exist in most years.
    let then = Date::from_calendar_date(year, day.month(), day.day())
        .or_else(|_| Date::from_calendar_date(year, Month::March, 1))
        .unwrap_or(Date::MAX);
    last.replace_date(then)
}

/// The party that requests closing an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeavingWish {
    /// The member; rejected while purchases are in progress, because the buyer or seller could not be contacted about them.
    Theirs,
    /// An operator: takes effect at once.
    Operators,
}

/// Orders of a member, bought or sold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dealings {
    /// Number of purchases, bought or sold, that are not final.
    pub under_way: i64,
    /// Time of the last event of the member's orders; none if they never ordered.
    pub last: Option<OffsetDateTime>,
}

/// Events of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all_fields = "camelCase")]
pub enum MemberEvent {
    /// Joined.
    MemberJoined {
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
    /// The personal data changed. Since 2.0 it may have a birthday and a founding date, which an older program would lose.
    ProfileRevised {
        /// The new personal data.
        profile: Sealed<Profile>,
    },
    /// Staff changed the scopes.
    ScopesChanged {
        /// The new scopes.
        scopes: Vec<Scope>,
        /// The new access level.
        level: AccessLevel,
    },
    /// Moved to a membership level.
    MembershipLevelAssigned {
        /// Code of the level record.
        code: String,
    },
    /// Handed in a document, e.g. a company's registration copy while joining (spec V148). Its content is stored sealed outside the
    /// log.
    DocumentHandedIn {
        /// Id of the document.
        document: DocumentId,
        /// `image/webp` or `application/pdf`.
        content_type: String,
        /// Size in bytes.
        size: i64,
    },
    /// Closed the account. The profile key is destroyed in the same append, and the names can be used again.
    MemberLeft {
        /// The reason, if given.
        reason: Option<LeavingReason>,
        /// End of the retention period of the order records; none without orders: then that key is destroyed at once, too.
        #[serde(with = "time::serde::rfc3339::option")]
        statutory_until: Option<OffsetDateTime>,
    },
    /// Agreed to a text after joining, such as advertising.
    ConsentGiven {
        /// The text and its edition.
        term: AgreedTerm,
    },
    /// Withdrew the consent to a text, by the link in a mail or in the shop.
    ConsentWithdrawn {
        /// Code of the text.
        code: String,
    },
    /// Confirmed the e-mail address in the profile, by a link in a mail to it. The event has no address: it is the profile's at this
    /// version. No other member can confirm it meanwhile.
    EmailConfirmed {},
    /// The address was replaced by one that is not confirmed; others can confirm the old one from now on.
    EmailConfirmationEnded {},
    /// The retention period of the order records has ended. The last key is destroyed in the same append.
    StatutoryDataErased {},
}

domain_event!(MemberEvent {
    MemberJoined "2.0" "회원으로 가입했습니다",
    ProfileRevised "2.0" "회원 정보를 수정했습니다",
    ScopesChanged "1.0" "권한이 변경되었습니다",
    MembershipLevelAssigned "1.0" "회원 등급이 정해졌습니다",
    DocumentHandedIn "1.0" "가입 서류가 제출되었습니다",
    MemberLeft "1.0" "회원이 탈퇴했습니다",
    ConsentGiven "1.0" "수신 동의를 했습니다",
    ConsentWithdrawn "1.0" "수신 동의를 철회했습니다",
    EmailConfirmed "1.0" "이메일 주소를 확인했습니다",
    EmailConfirmationEnded "1.0" "확인한 이메일 주소를 다른 주소로 바꿨습니다",
    StatutoryDataErased "1.0" "보관 기한이 지나 개인정보를 파기했습니다",
});
