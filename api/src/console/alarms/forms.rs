//! What staff write to members, and to whom.

use application::bulk_grants::Receivers;
use application::sendings::SendingOrder;
use domain::forms::{FormErrors, Validate};
use domain::ids::{MemberId, SendingId};
use domain::member::MemberType;
use domain::sending::{
    CONTENT, PACE_MOST, PATH, SENDING_RECEIVERS_MOST, SendingChannel, SendingText, TITLE,
};
use serde::Deserialize;
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

/// Receivers a minute where the form does not say.
const PACE: u32 = 600;

/// Checks what receivers read.
fn check_text(checks: &mut FormErrors, title: &str, content: &str, url: &str) {
    checks.text("title", title, TITLE);
    checks.text("content", content, CONTENT);
    checks.text("url", url, PATH);
}

fn check_pace(checks: &mut FormErrors, per_minute: Option<u32>) {
    checks.when(
        per_minute.is_none_or(|pace| (1..=PACE_MOST).contains(&pace)),
        "perMinute",
        "pace",
        &format!("분당 발송 수를 1~{PACE_MOST} 사이로 입력해 주세요."),
    );
}

fn text(title: &str, content: &str, url: &str) -> SendingText {
    SendingText {
        title: title.trim().to_owned(),
        content: content.trim().to_owned(),
        url: url.to_owned(),
    }
}

/// A sending. Receivers are named in exactly one way.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SendingForm {
    /// The way it travels.
    channel: SendingChannel,
    /// Whether it is advertising: marked, only with consent, and between 8 and 21 o'clock in Seoul.
    #[serde(default)]
    advertising: bool,
    /// The receivers; one named twice receives once.
    #[serde(rename = "_users")]
    users: Option<Vec<MemberId>>,
    /// Or by their sign-in names.
    usernames: Option<Vec<String>>,
    /// Or all who have one of these membership levels now.
    levels: Option<Vec<String>>,
    /// Or all of a type: `COMPANY` are the sellers.
    user_type: Option<MemberType>,
    /// Or all members.
    #[serde(default)]
    all: bool,
    /// Headline.
    title: String,
    /// Text.
    content: String,
    /// Path within the shop; empty: none.
    #[serde(default)]
    url: String,
    /// Receivers a minute at most; none: 600.
    per_minute: Option<u32>,
    /// Not before this time; none: now.
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    starts_at: Option<OffsetDateTime>,
}

impl SendingForm {
    /// What is ordered.
    pub(super) fn order(self) -> SendingOrder {
        let text = text(&self.title, &self.content, &self.url);
        let receivers = match (self.users, self.usernames, self.levels, self.user_type) {
            (Some(users), ..) => Receivers::Members(users),
            (_, Some(names), ..) => Receivers::Usernames(names),
            (_, _, Some(levels), _) => Receivers::Levels(levels),
            (_, _, _, Some(member_type)) => Receivers::Type(member_type),
            _ => Receivers::All,
        };
        SendingOrder {
            id: SendingId(Uuid::now_v7()),
            receivers,
            channel: self.channel,
            advertising: self.advertising,
            text,
            per_minute: self.per_minute.unwrap_or(PACE),
            starts_at: self.starts_at,
        }
    }
}

impl Validate for SendingForm {
    fn check(&self, checks: &mut FormErrors) {
        let lists = [
            ("_users", self.users.as_ref().map(Vec::len)),
            ("usernames", self.usernames.as_ref().map(Vec::len)),
            ("levels", self.levels.as_ref().map(Vec::len)),
        ];
        let named = lists.iter().filter(|(_, many)| many.is_some()).count()
            + usize::from(self.user_type.is_some())
            + usize::from(self.all);
        checks.when(
            named == 1,
            "target",
            "one_way",
            "받을 회원을 한 가지 방법으로 선택해 주세요.",
        );
        for (field, many) in lists {
            checks.when(
                many.is_none_or(|many| many <= SENDING_RECEIVERS_MOST),
                field,
                "too_many",
                application::bulk_grants::TOO_MANY_MESSAGE,
            );
        }
        check_text(checks, &self.title, &self.content, &self.url);
        check_pace(checks, self.per_minute);
    }
}

/// Changes of a sending that is not done; the text only before its first part.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SendingChangeForm {
    /// Headline.
    title: String,
    /// Text.
    content: String,
    /// Path within the shop; empty: none.
    #[serde(default)]
    url: String,
    /// Receivers a minute at most.
    pub(super) per_minute: u32,
    /// The next part not before this time; none: as it was.
    #[serde(default, with = "time::serde::rfc3339::option")]
    #[schema(value_type = Option<String>, format = DateTime)]
    pub(super) starts_at: Option<OffsetDateTime>,
}

impl SendingChangeForm {
    pub(super) fn text(&self) -> SendingText {
        text(&self.title, &self.content, &self.url)
    }
}

impl Validate for SendingChangeForm {
    fn check(&self, checks: &mut FormErrors) {
        check_text(checks, &self.title, &self.content, &self.url);
        check_pace(checks, Some(self.per_minute));
    }
}

/// An alarm to named members.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemberAlarmForm {
    /// The receivers, by sign-in name.
    usernames: Vec<String>,
    /// Headline.
    title: String,
    /// Text.
    content: String,
    /// Path within the shop; empty: none.
    #[serde(default)]
    url: String,
}

impl MemberAlarmForm {
    /// What is ordered.
    pub(super) fn order(self) -> SendingOrder {
        SendingOrder {
            id: SendingId(Uuid::now_v7()),
            text: text(&self.title, &self.content, &self.url),
            receivers: Receivers::Usernames(self.usernames),
            channel: SendingChannel::Alarm,
            advertising: false,
            per_minute: PACE_MOST,
            starts_at: None,
        }
    }
}

impl Validate for MemberAlarmForm {
    fn check(&self, checks: &mut FormErrors) {
        checks.when(
            self.usernames.len() <= SENDING_RECEIVERS_MOST,
            "usernames",
            "too_many",
            application::bulk_grants::TOO_MANY_MESSAGE,
        );
        check_text(checks, &self.title, &self.content, &self.url);
    }
}
