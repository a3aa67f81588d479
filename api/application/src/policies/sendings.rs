//! Delivers the parts of sendings: alarms into drawers, mails and texts into the outbox; and takes alarms back that staff withdrew.
//!
//! Ids are derived from the sending and the member, so rereading the log delivers nothing twice.

use std::collections::BTreeSet;

use domain::ids::{AlarmId, MemberId, derived_id};
use domain::member::Member;
use domain::message::{
    Channel, MessageCause, MessageContent, MessageTerms, Template, mobile_number,
};
use domain::sending::{
    Sending, SendingChannel, SendingEvent, SendingTerms, end_of_advertising_hours, marked_title,
};
use event_store::{StoreError, StoredEvent, async_trait};
use projections::state::alarm_lists::{withdraw, withdraw_sending};
use projections::state::notifications::{self, News};

use super::Policy;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::CommandContext;
use crate::members::profiles::PROFILE;
use crate::messages::phone::sending_variables;
use crate::messages::{message_id, request};
use crate::sendings::category;

/// Delivers sendings.
pub struct Sendings;

#[async_trait]
impl Policy for Sendings {
    fn name(&self) -> &'static str {
        "policy_sendings"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_sendings")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["sending", "alarm"]
    }

    fn wants(&self, event: &StoredEvent) -> Result<bool, StoreError> {
        Ok(match event.stream.kind.as_str() {
            "alarm" => true,
            _ => matches!(
                event.event::<Sending>()?,
                SendingEvent::SendingPartSent { .. } | SendingEvent::SendingWithdrawn { .. }
            ),
        })
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        let id = &event.stream.id;
        if event.stream.kind == "alarm" {
            let id: AlarmId = id.parse().map_err(AppError::internal)?;
            return Ok(withdraw(app.pool(), id).await?);
        }
        let (from, served, members, skipped) = match event.event::<Sending>()? {
            SendingEvent::SendingPartSent {
                from,
                served,
                members,
                skipped,
                ..
            } => (from, served, members, skipped),
            SendingEvent::SendingWithdrawn { .. } => {
                let id = id.parse().map_err(AppError::internal)?;
                return Ok(withdraw_sending(app.pool(), id).await?);
            }
            _ => return Ok(()),
        };
        let sending = app.store.load::<Sending>(id).await?.state;
        let Some(terms) = sending.terms.as_ref().filter(|_| !sending.withdrawn) else {
            return Ok(());
        };
        let part = match terms.crowd {
            Some(_) => &members,
            None => sending.part(from, served),
        };
        let skipped: BTreeSet<MemberId> = skipped.iter().map(|one| one.member).collect();
        for member in part.iter().filter(|member| !skipped.contains(member)) {
            deliver(app, event, terms, *member).await?;
        }
        Ok(())
    }
}

/// Delivers a sending to a member, unless they have left meanwhile.
async fn deliver(
    app: &App,
    event: &StoredEvent,
    terms: &SendingTerms,
    member: MemberId,
) -> AppResult<()> {
    let state = app.store.load::<Member>(&member.to_string()).await?.state;
    let Some(sealed) = state.profile else {
        return Ok(());
    };
    let sending = &event.stream.id;
    let (text, advertising) = (&terms.text, terms.advertising);
    let title = marked_title(&text.title, advertising);
    if terms.channel == SendingChannel::Alarm {
        let news = News {
            id: derived_id(&format!("alarm sending {sending} {member}")),
            member,
            category: category(advertising),
            kind: match advertising {
                true => "ADVERTISING",
                false => "NOTICE",
            },
            title,
            content: text.content.clone(),
            url: text.url.clone(),
            cause: ("sending".to_owned(), sending.clone()),
            at: event.metadata.occurred_at,
        };
        return Ok(notifications::tell(app.pool(), &news).await?);
    }
    let Some(profile) = app.open(&sealed).await? else {
        return Ok(());
    };
    let is_text = terms.channel == SendingChannel::Sms;
    let number = mobile_number(&profile.phone);
    if is_text && number.is_none() {
        return Ok(());
    }
    let mut variables = sending_variables(text);
    if !is_text {
        variables.insert("title".to_owned(), title);
    }
    let content = MessageContent {
        name: profile.name,
        address: match is_text {
            true => number.unwrap_or_default(),
            false => profile.email,
        },
        variables,
    };
    let message = MessageTerms {
        channel: match is_text {
            true => Channel::Sms,
            false => Channel::Mail,
        },
        template: match (is_text, advertising) {
            (false, true) => Template::Advertising,
            (false, false) => Template::Notice,
            (true, true) => Template::AdvertisingSms,
            (true, false) => Template::NoticeSms,
        },
        cause: MessageCause {
            kind: "sending".to_owned(),
            id: sending.parse().map_err(AppError::internal)?,
            event: Some(event.event_id),
        },
        content: app.keys.seal(member.0, PROFILE, &content).await?,
        // The outbox sends no advertising at night, however long its server was away.
        expires_at: advertising.then(|| end_of_advertising_hours(event.metadata.occurred_at)),
    };
    let cause = format!("sending {sending}");
    let id = message_id(&cause, &member.to_string());
    let command = CommandContext::once("request-message", "sendings", format!("{cause} {member}"))
        .caused_by(event);
    request(app, &command, id, message).await?;
    Ok(())
}
