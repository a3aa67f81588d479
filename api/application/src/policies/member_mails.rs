//! Keeps the look-up of members by e-mail address beside the log: of every member, also those who joined before there was one. A new
//! address gets a link that confirms it, and the old one gets a notice of the change.

use domain::ids::MemberId;
use domain::member::{Member, MemberEvent, Profile};
use domain::message::{Channel, MessageCause, MessageContent, MessageTerms, Template};
use event_store::{StoreError, StoredEvent, async_trait};
use projections::state::account_mail;
use time::Duration;

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;
use crate::members::profiles::PROFILE;
use crate::messages::account::{confirm_new_address, korean_time, mail_hash};
use crate::messages::{message_id, request};

/// Events older than this lead to no mail.
const NEWS: Duration = Duration::days(2);

/// Keeps the look-up of members' addresses.
pub struct MemberMails;

#[async_trait]
impl Policy for MemberMails {
    fn name(&self) -> &'static str {
        "policy_member_mails"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_member_mails")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["member"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(matches!(
            event.event::<Member>()?,
            MemberEvent::MemberJoined { .. }
                | MemberEvent::ProfileRevised { .. }
                | MemberEvent::MemberLeft { .. }
        ))
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let member: MemberId = event.stream.id.parse().map_err(AppError::internal)?;
        // As it is now, so that an event that is read again changes nothing.
        let state = app.store.load::<Member>(&member.to_string()).await?.state;
        let profile = match &state.profile {
            Some(sealed) => app.open(sealed).await?,
            None => None,
        };
        let hash = profile.map(|profile| mail_hash(app, &profile.email));
        account_mail::set_mail(app.pool(), member, hash).await?;
        let Some((old, new)) = address_change(app, event).await? else {
            return Ok(());
        };
        if let Some(old) = old {
            tell_old_address(app, event, member, old).await?;
        }
        match app.settings.email_confirmations {
            true => confirm_new_address(app, event, member, &new.email).await,
            false => Ok(()),
        }
    }
}

/// The profiles before and after an event that brings another address; none before joining. Old events bring none.
async fn address_change(
    app: &App,
    event: &StoredEvent,
) -> AppResult<Option<(Option<Profile>, Profile)>> {
    if app.clock.now() - event.metadata.occurred_at > NEWS {
        return Ok(None);
    }
    let profile = match event.event::<Member>()? {
        MemberEvent::MemberJoined { profile, .. } => {
            return Ok(app.open(&profile).await?.map(|new| (None, new)));
        }
        MemberEvent::ProfileRevised { profile } => profile,
        _ => return Ok(None),
    };
    let events = app.store.read_stream(&event.stream).await?;
    let mut before = None;
    for earlier in events.iter().filter(|one| one.position < event.position) {
        match earlier.event::<Member>()? {
            MemberEvent::MemberJoined { profile, .. } | MemberEvent::ProfileRevised { profile } => {
                before = Some(profile);
            }
            _ => {}
        }
    }
    let old = match &before {
        Some(before) => app.open(before).await?,
        None => None,
    };
    let (Some(old), Some(new)) = (old, app.open(&profile).await?) else {
        return Ok(None);
    };
    let is_other = mail_hash(app, &old.email) != mail_hash(app, &new.email);
    Ok(is_other.then_some((Some(old), new)))
}

/// Tells the old address that it was changed.
async fn tell_old_address(
    app: &App,
    event: &StoredEvent,
    member: MemberId,
    old: Profile,
) -> AppResult<()> {
    let at = event.metadata.occurred_at;
    let content = MessageContent {
        name: old.name,
        address: old.email,
        variables: [("at".to_owned(), korean_time(at))].into(),
    };
    let terms = MessageTerms {
        channel: Channel::Mail,
        template: Template::EmailChanged,
        cause: MessageCause {
            kind: "member".to_owned(),
            id: member.0,
            event: Some(event.event_id),
        },
        content: app.keys.seal(member.0, PROFILE, &content).await?,
        expires_at: None,
    };
    let id = message_id(&event.event_id.to_string(), &member.to_string());
    let command = CommandContext::for_policy("request-message", "member-mail", event);
    request(app, &command, id, terms).await?;
    Ok(())
}
