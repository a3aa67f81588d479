//! Changes a member's own profile and password. E-mail address, phone number and password need the current password.

use domain::forms::{self, FormErrors, Validate};
use domain::ids::MemberId;
use domain::member::{Member, MemberCommand, MemberType, Profile};
use event_store::SealContent;
use serde::Deserialize;
use utoipa::ToSchema;

use super::confirm::{Confirmation, Proof, confirm};
use super::join::{named, past_days};
use super::names::{mail_hash, nickname_hash};
use super::profiles::PROFILE;
use crate::app::App;
use crate::error::{AppError, AppResult, Code};
use crate::executor::{AppendBatch, CommandContext, CommandOutcome, decide};
use crate::reservations::{EMAIL, NICKNAME};

/// The fields to change; missing fields stay unchanged.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MyChanges {
    /// Name (spec V135).
    name: Option<String>,
    /// Nickname (spec V142, V143).
    nickname: Option<String>,
    /// E-mail (spec V136); a changed one needs `currentPassword`.
    email: Option<String>,
    /// Phone (spec V137); a changed one needs `currentPassword`.
    phone: Option<String>,
    /// Company name (spec V144).
    company_name: Option<String>,
    /// Chief executive (spec V145).
    ceo_name: Option<String>,
    /// Business registration number (spec V146).
    business_registration: Option<String>,
    /// Mail-order license number (spec V147).
    license_code: Option<String>,
    /// Birthday, as `1990-12-31` or `12-31`; empty says none.
    birthday: Option<String>,
    /// The day the company was founded, as `2010-12-31` or `12-31`, companies only; empty says none.
    founded_at: Option<String>,
    /// A new password; empty leaves the old one (spec V134). Needs `currentPassword`.
    #[serde(default)]
    password: String,
    /// The current password, for changes that need it.
    #[serde(default)]
    current_password: String,
}

impl Validate for MyChanges {
    fn check(&self, checks: &mut FormErrors) {
        checks
            .optional("name", self.name.as_deref(), forms::NAME)
            .optional("nickname", self.nickname.as_deref(), forms::NICKNAME)
            .optional("email", self.email.as_deref(), forms::EMAIL)
            .optional("phone", self.phone.as_deref(), forms::PHONE)
            .optional(
                "companyName",
                self.company_name.as_deref(),
                forms::COMPANY_NAME,
            )
            .optional("ceoName", self.ceo_name.as_deref(), forms::CEO_NAME)
            .optional(
                "businessRegistration",
                self.business_registration.as_deref(),
                forms::BUSINESS_REGISTRATION,
            )
            .optional(
                "licenseCode",
                self.license_code.as_deref(),
                forms::LICENSE_CODE,
            )
            .optional("birthday", self.birthday.as_deref(), forms::NAMED_DAY)
            .optional("foundedAt", self.founded_at.as_deref(), forms::NAMED_DAY)
            .text("password", &self.password, forms::PASSWORD_CHANGE);
    }
}

impl MyChanges {
    /// Whether it may be a change that needs the current password.
    fn may_need_proof(&self) -> bool {
        !self.password.is_empty() || self.email.is_some() || self.phone.is_some()
    }

    /// Whether it needs the current password.
    fn needs_proof(&self, old: &Profile, new: &Profile) -> bool {
        !self.password.is_empty() || new.email != old.email || new.phone != old.phone
    }

    /// The error for a missing or wrong password.
    fn unproven(&self) -> AppError {
        let (code, message) = match self.current_password.as_str() {
            "" => ("required", "현재 비밀번호를 입력해 주세요."),
            _ => ("current_password", "현재 비밀번호를 확인해 주세요."),
        };
        AppError::invalid_field("currentPassword", code, message)
    }

    fn applied_to(&self, old: Profile, is_company: bool) -> Profile {
        let day = |new: &Option<String>, old| match new {
            Some(_) => named(new.clone()),
            None => old,
        };
        let or = |new: &Option<String>, old: String| new.clone().unwrap_or(old);
        Profile {
            username: old.username,
            name: or(&self.name, old.name),
            nickname: or(&self.nickname, old.nickname),
            email: or(&self.email, old.email),
            phone: self.phone.as_deref().map_or(old.phone, forms::phone_digits),
            company_name: self.company_name.clone().or(old.company_name),
            ceo_name: self.ceo_name.clone().or(old.ceo_name),
            business_registration: self
                .business_registration
                .clone()
                .or(old.business_registration),
            license_code: self.license_code.clone().or(old.license_code),
            birthday: day(&self.birthday, old.birthday),
            founded_at: day(&self.founded_at, old.founded_at).filter(|_| is_company),
        }
    }
}

/// Changes the profile, and then the password if a new one is given. The identity is confirmed before anything is changed, so that a
/// refusal leaves both unchanged.
///
/// # Errors
/// `invalid` at `currentPassword` if it is needed and wrong; `nickname_taken`; `too_many_requests`; `not_allowed_now` while the
/// member's key is not available.
pub async fn revise(
    app: &App,
    command: &CommandContext,
    member: MemberId,
    changes: &MyChanges,
) -> AppResult<CommandOutcome> {
    past_days(
        app,
        [
            ("birthday", &changes.birthday),
            ("foundedAt", &changes.founded_at),
        ],
    )?;
    let confirmation = confirmation(app, member, changes).await?;
    let is_confirmed = confirmation.is_some();
    // The decision decrypts and seals the profile, so it cannot be a pure function of a unit of work.
    let done = app.executor.transact(command, |context| async move {
        let loaded = app.store.load::<Member>(&member.to_string()).await?;
        let is_company = loaded.state.member_type == MemberType::Company;
        let sealed = loaded.state.profile.as_ref();
        let SealContent::Value(old) = app
            .keys
            .open(sealed.ok_or_else(AppError::not_found)?)
            .await?
        else {
            let message =
                "지금은 개인정보를 읽을 수 없어 바꿀 수 없습니다. 잠시 후 다시 시도해 주세요.";
            return Err(AppError::new(Code::NotAllowedNow).saying(message));
        };
        let new = changes.applied_to(old.clone(), is_company);
        if changes.needs_proof(&old, &new) && !is_confirmed {
            return Err(changes.unproven());
        }
        if new == old {
            return Ok(AppendBatch::default());
        }
        let old_email = mail_hash(&app.keys, &old.email);
        let new_email = old_email != mail_hash(&app.keys, &new.email);
        let revise = MemberCommand::ReviseProfile {
            profile: app.keys.seal(member.0, PROFILE, &new).await?,
            new_email,
        };
        let mut batch = AppendBatch::of([decide(member, &loaded, revise, &context)?]);
        if new_email && loaded.state.email_confirmed {
            batch = batch.release(EMAIL, old_email, member);
        }
        let before = nickname_hash(&app.keys, &old.nickname);
        let after = nickname_hash(&app.keys, &new.nickname);
        if before == after {
            return Ok(batch);
        }
        Ok(batch
            .release(NICKNAME, before, member)
            .reserve(NICKNAME, after, member))
    });
    let done = done.await?;
    if let Some(confirmation) = confirmation.filter(|_| !changes.password.is_empty()) {
        let changed = confirmation.change_password(app, changes.password.clone());
        if !changed.await? {
            return Err(changes.unproven());
        }
    }
    Ok(done)
}

/// Checks the current password, if one is given and may be needed.
async fn confirmation(
    app: &App,
    member: MemberId,
    changes: &MyChanges,
) -> AppResult<Option<Confirmation>> {
    if changes.current_password.is_empty() || !changes.may_need_proof() {
        return Ok(None);
    }
    let proof = Proof::Password(changes.current_password.clone());
    confirm(app, member, proof).await
}
