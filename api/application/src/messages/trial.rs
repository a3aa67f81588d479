//! Messages by which staff try the text of a template: to themselves, by the outbox, with sample values.

use domain::ids::{MemberId, MessageId};
use domain::message::{
    Channel, MessageCause, MessageContent, MessageTerms, Template, TemplateText,
};
use domain::validation::FieldError;

use super::account::profile_of;
use super::request;
use super::templates::TRIED;
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{CommandContext, CommandOutcome};
use crate::members::profiles::PROFILE;

/// A text that is tried.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The template it is for.
    pub template: Template,
    /// The text.
    pub text: TemplateText,
}

impl Trial {
    /// Checks the text as it is checked when it is saved.
    ///
    /// # Errors
    /// The field errors.
    pub fn check(&self) -> Result<(), Vec<FieldError>> {
        self.text.check(self.template)
    }
}

/// Requests a message with this text to a member of staff.
///
/// # Errors
/// `invalid` with the field errors of the text, and at `template` for a text to a phone while the shop sends none; `not_found` without an open account.
pub async fn send_trial(
    app: &App,
    command: &CommandContext,
    (staff, id): (MemberId, MessageId),
    trial: &Trial,
) -> AppResult<CommandOutcome> {
    trial.check().map_err(AppError::invalid)?;
    let profile = profile_of(app, staff).await?;
    let profile = profile.ok_or_else(AppError::not_found)?;
    let values = [
        trial.template.code().to_owned(),
        trial.text.subject.clone(),
        trial.text.content.clone(),
    ];
    let variables = TRIED.map(str::to_owned).into_iter().zip(values);
    let is_sms = trial.template.is_sms();
    if is_sms && app.sms.is_none() {
        return Err(AppError::invalid(vec![FieldError::new(
            "template",
            "sms_off",
            "문자 발송이 설정되어 있지 않습니다.",
        )]));
    }
    let content = MessageContent {
        name: profile.name,
        address: match is_sms {
            true => profile.phone,
            false => profile.email,
        },
        variables: variables.collect(),
    };
    let terms = MessageTerms {
        channel: match is_sms {
            true => Channel::Sms,
            false => Channel::Mail,
        },
        template: match is_sms {
            true => Template::TemplateTestSms,
            false => Template::TemplateTest,
        },
        cause: MessageCause {
            kind: "member".to_owned(),
            id: staff.0,
            event: None,
        },
        content: app.keys.seal(staff.0, PROFILE, &content).await?,
        expires_at: None,
    };
    request(app, command, id, terms).await
}
