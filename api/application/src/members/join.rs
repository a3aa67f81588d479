//! Joining the shop: the form, and the registration of the new member.

use domain::business_day;
use domain::forms::{self, FormErrors, Validate};
use domain::ids::{DocumentId, MemberId};
use domain::member::{AccessLevel, MemberType, Profile, Scope};
use domain::month_day::PartialDate;
use domain::storefront::AgreedTerm;
use projections::state::documents::{self, DocumentRow};
use serde::Deserialize;
use utoipa::ToSchema;

use super::register::{NewMember, register};
use crate::app::App;
use crate::error::{AppError, AppResult};
use crate::executor::{CommandContext, CommandOutcome};
use crate::terms::agreed;

/// The sign-up form.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SignUp {
    /// Sign-in name (spec V128, V129).
    #[schema(example = "hong1234")]
    username: String,
    /// Password (spec V130-V133).
    password: String,
    /// Name (spec V135).
    name: String,
    /// Nickname (spec V142, V143).
    nickname: String,
    /// E-mail (spec V136).
    email: String,
    /// Phone (spec V137).
    phone: String,
    /// Member type; a person by default.
    #[serde(rename = "type", default)]
    member_type: MemberType,
    /// Company name, companies only (spec V144).
    company_name: Option<String>,
    /// Chief executive, companies only (spec V145).
    ceo_name: Option<String>,
    /// Business registration number, companies only (spec V146).
    business_registration: Option<String>,
    /// Mail-order license number, companies only (spec V147).
    license_code: Option<String>,
    /// Birthday, as `1990-12-31` or `12-31`; as they like.
    birthday: Option<String>,
    /// The day the company was founded, as `2010-12-31` or `12-31`, companies only; as they like.
    founded_at: Option<String>,
    /// The token returned by `POST /api/v1/users/documents` for the registration copy, companies only (spec V148).
    registration_token: Option<String>,
    /// Codes of the terms agreed to: `age` (fourteen or older), `service` and `privacy` are required, `ads` is optional.
    #[serde(rename = "_terms", default)]
    terms: Vec<String>,
    /// Code of the person who recommended the shop.
    promoter_code: Option<String>,
}

impl Validate for SignUp {
    fn check(&self, checks: &mut FormErrors) {
        checks
            .text("username", &self.username, forms::USERNAME)
            .text("password", &self.password, forms::PASSWORD)
            .text("name", &self.name, forms::NAME)
            .text("nickname", &self.nickname, forms::NICKNAME)
            .text("email", &self.email, forms::EMAIL)
            .text("phone", &self.phone, forms::PHONE)
            .when(
                self.member_type != MemberType::Operator,
                "type",
                "type",
                "회원 유형을 선택해 주세요.",
            )
            .optional(
                "promoterCode",
                self.promoter_code.as_deref(),
                forms::SHORT_TEXT,
            )
            .optional("birthday", self.birthday.as_deref(), forms::NAMED_DAY)
            .optional("foundedAt", self.founded_at.as_deref(), forms::NAMED_DAY)
            .terms("_terms", &self.terms, forms::TERMS_OF_JOINING);
        if self.member_type == MemberType::Company {
            checks
                .required(
                    "companyName",
                    self.company_name.as_deref(),
                    forms::COMPANY_NAME,
                )
                .required("ceoName", self.ceo_name.as_deref(), forms::CEO_NAME)
                .required(
                    "businessRegistration",
                    self.business_registration.as_deref(),
                    forms::BUSINESS_REGISTRATION,
                )
                .required(
                    "licenseCode",
                    self.license_code.as_deref(),
                    forms::LICENSE_CODE,
                )
                .required(
                    "registrationToken",
                    self.registration_token.as_deref(),
                    forms::REGISTRATION_COPY,
                );
        }
    }
}

/// A day that was said; an empty text says none.
pub(super) fn named(day: Option<String>) -> Option<String> {
    day.filter(|day| !day.is_empty())
}

/// Refuses birthdays and founding dates in the future.
pub(super) fn past_days<const N: usize>(
    app: &App,
    days: [(&str, &Option<String>); N],
) -> AppResult<()> {
    let today = business_day::day(app.clock.now());
    for (field, day) in days {
        let day = day.as_deref().filter(|day| !day.is_empty());
        if day.is_some_and(|day| !PartialDate::is_past(day, today)) {
            let message = "오늘이나 그 전의 날짜를 입력해 주세요.";
            return Err(AppError::invalid_field(field, "in_the_future", message));
        }
    }
    Ok(())
}

impl SignUp {
    fn profile(&self) -> Profile {
        let company = |text: &Option<String>| {
            text.clone()
                .filter(|_| self.member_type == MemberType::Company)
        };
        Profile {
            username: self.username.clone(),
            name: self.name.trim().to_owned(),
            nickname: self.nickname.clone(),
            email: self.email.clone(),
            phone: forms::phone_digits(&self.phone),
            company_name: company(&self.company_name),
            ceo_name: company(&self.ceo_name),
            business_registration: company(&self.business_registration),
            license_code: company(&self.license_code),
            birthday: named(self.birthday.clone()),
            founded_at: named(company(&self.founded_at)),
        }
    }

    /// The token of the registration copy, for companies.
    pub fn document_token(&self) -> Option<&str> {
        let token = self.registration_token.as_deref();
        token.filter(|_| self.member_type == MemberType::Company)
    }

    /// Companies may sell from the start; persons have no scopes.
    fn into_new_member(self, terms: Vec<AgreedTerm>, document: Option<DocumentRow>) -> NewMember {
        let (level, scopes) = match self.member_type {
            MemberType::Company => (AccessLevel::Company, vec![Scope::Company]),
            MemberType::Person | MemberType::Operator => (AccessLevel::Person, Vec::new()),
        };
        NewMember {
            profile: self.profile(),
            member_type: self.member_type,
            level,
            scopes,
            terms,
            password: self.password,
            document,
        }
    }
}

/// Joins a member. `document` is the id that [`SignUp::document_token`] names; none without a token, or with an invalid one.
///
/// # Errors
/// `username_taken`, `nickname_taken`; [`AppError::document_gone`] for companies without a document that can be claimed.
pub async fn join(
    app: &App,
    command: &CommandContext,
    form: SignUp,
    document: Option<DocumentId>,
) -> AppResult<(MemberId, CommandOutcome)> {
    past_days(
        app,
        [
            ("birthday", &form.birthday),
            ("foundedAt", &form.founded_at),
        ],
    )?;
    let mut copy = None;
    if form.document_token().is_some() {
        copy = match document {
            Some(id) => documents::find(app.pool(), id).await?.map(|(row, _)| row),
            None => None,
        };
        if copy.is_none() {
            // A repeated command gets the same result, however late.
            let done = app.executor.stored_outcome(command).await?;
            done.ok_or_else(AppError::document_gone)?;
        }
    }
    let terms = agreed(app, &form.terms).await?;
    register(app, command, form.into_new_member(terms, copy)).await
}
