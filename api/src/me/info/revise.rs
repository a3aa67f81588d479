//! PUT /api/v1/me/info: changes what I told about myself, and my password if one is given. How I am reached and how I sign in
//! changes only for who knows my password.

use axum::extract::State;
use domain::forms::{self, FormErrors, Validate};
use domain::ids::MemberId;
use domain::member::{Member, MemberCommand, Profile};
use event_store::Opened;
use serde::Deserialize;
use utoipa::ToSchema;

use super::MeAnswer;
use crate::app::AppState;
use crate::auth::confirm::{Confirmed, Proof, confirm};
use crate::http::{
    ApiResponse, ApiResult, AppError, AppResult, Code, CurrentMember, Respond, ValidJson,
};
use crate::users::{NICKNAME, PROFILE, nickname_hash};
use application::executor::{AppendBatch, CommandContext, decide};

/// What to change; what is missing stays.
#[derive(Clone, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MyChanges {
    /// Name (spec V135).
    name: Option<String>,
    /// Nickname (spec V142, V143).
    nickname: Option<String>,
    /// E-mail (spec V136); another one needs `currentPassword`.
    email: Option<String>,
    /// Phone (spec V137); another one needs `currentPassword`.
    phone: Option<String>,
    /// Company name (spec V144).
    company_name: Option<String>,
    /// Chief executive (spec V145).
    ceo_name: Option<String>,
    /// Business registration number (spec V146).
    business_registration: Option<String>,
    /// Mail-order license number (spec V147).
    license_code: Option<String>,
    /// A new password; empty leaves the old one (spec V134). Needs `currentPassword`.
    #[serde(default)]
    password: String,
    /// The password they have, for what needs it.
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
            .text("password", &self.password, forms::PASSWORD_CHANGE);
    }
}

impl MyChanges {
    /// Whether it may be something that only who knows the password changes.
    fn may_need_proof(&self) -> bool {
        !self.password.is_empty() || self.email.is_some() || self.phone.is_some()
    }

    /// Whether it is.
    fn needs_proof(&self, old: &Profile, new: &Profile) -> bool {
        !self.password.is_empty() || new.email != old.email || new.phone != old.phone
    }

    /// What is said to who has not shown that it is they.
    fn unproven(&self) -> AppError {
        let (code, message) = match self.current_password.as_str() {
            "" => ("required", "현재 비밀번호를 입력해 주세요."),
            _ => ("current_password", "현재 비밀번호를 확인해 주세요."),
        };
        AppError::invalid_field("currentPassword", code, message)
    }

    fn applied_to(&self, old: Profile) -> Profile {
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
        }
    }
}

/// Change what I told about myself.
#[utoipa::path(
    put, path = "/api/v1/me/info", tag = "me", operation_id = "reviseMe", request_body = MyChanges, security(("access" = [])),
    responses(
        (status = OK, body = MeAnswer),
        (status = BAD_REQUEST, description = "invalid; of `currentPassword`: missing or wrong where it is needed"),
        (status = CONFLICT, description = "nickname_taken"),
        (status = TOO_MANY_REQUESTS, description = "too_many_requests: five wrong current passwords in a row")
    )
)]
pub(crate) async fn revise(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<MyChanges>,
) -> ApiResult<ApiResponse<MeAnswer>> {
    let id = who.member();
    let command = CommandContext::new("revise-profile", who.actor(), &origin);
    // Proven before anything is changed, and the password changed after the rest: a refusal of either leaves both as they were.
    let confirmed = shown(&app, id, &body).await?;
    let is_proven = confirmed.is_some();
    let done = app.executor.transact(&command, |context| {
        let (app, body) = (app.clone(), body.clone());
        async move {
            let loaded = app.store.load::<Member>(&id.to_string()).await?;
            let sealed = loaded
                .state
                .profile
                .as_ref()
                .ok_or_else(AppError::not_found)?;
            let Opened::Value(old) = app.keys.open(sealed).await? else {
                let message =
                    "지금은 개인정보를 읽을 수 없어 바꿀 수 없습니다. 잠시 후 다시 시도해 주세요.";
                return Err(AppError::new(Code::NotAllowedNow).saying(message));
            };
            let new = body.applied_to(old.clone());
            if body.needs_proof(&old, &new) && !is_proven {
                return Err(body.unproven());
            }
            if new == old {
                return Ok(AppendBatch::default());
            }
            let act = MemberCommand::ReviseProfile {
                profile: app.keys.seal(id.0, PROFILE, &new).await?,
            };
            let change = AppendBatch::of([decide(id, &loaded, act, &context)?]);
            let (before, after) = (
                nickname_hash(&app.keys, &old.nickname),
                nickname_hash(&app.keys, &new.nickname),
            );
            if before == after {
                return Ok(change);
            }
            Ok(change
                .release(NICKNAME, before, id)
                .reserve(NICKNAME, after, id))
        }
    });
    let done = done.await?;
    if let Some(confirmed) = confirmed.filter(|_| !body.password.is_empty()) {
        let changed = confirmed.change_password(&app, body.password.clone());
        if !changed.await? {
            return Err(body.unproven().into());
        }
    }
    Ok(done.answer(MeAnswer::of(&app, id).await?))
}

/// What they showed to prove that it is they, where it may be needed.
async fn shown(app: &AppState, id: MemberId, body: &MyChanges) -> AppResult<Option<Confirmed>> {
    if body.current_password.is_empty() || !body.may_need_proof() {
        return Ok(None);
    }
    confirm(app, id, Proof::Password(body.current_password.clone())).await
}
