//! POST /api/v1/users: joining. Cut off half-way, the same request with the same `Idempotency-Key` completes it.

use axum::extract::State;
use domain::Actor;
use domain::forms::{self, FormErrors, Validate};
use domain::ids::MemberId;
use domain::member::{AccessLevel, MemberType, Profile, Scope};
use domain::order::AgreedTerm;
use projections::state::documents::DocumentRow;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::documents;
use super::enrol::{Newcomer, enrol};
use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, Respond, ValidJson};
use application::executor::CommandContext;
use application::terms::agreed;

/// Who wants to join.
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
    /// A person, unless it says company.
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
    /// What `POST /api/v1/users/documents` answered for the registration copy, companies only (spec V148).
    registration_token: Option<String>,
    /// Codes of the terms agreed to: `age` (fourteen or older), `service` and `privacy`; `ads` as they like.
    #[serde(rename = "_terms", default)]
    terms: Vec<String>,
    /// Who recommended the shop.
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
        }
    }

    /// A company may sell from the start; a person's token does nothing special.
    fn newcomer(self, terms: Vec<AgreedTerm>, document: Option<DocumentRow>) -> Newcomer {
        let company = self.member_type == MemberType::Company;
        Newcomer {
            profile: self.profile(),
            member_type: self.member_type,
            level: if company {
                AccessLevel::Company
            } else {
                AccessLevel::Person
            },
            scopes: if company {
                vec![Scope::Company]
            } else {
                Vec::new()
            },
            terms,
            password: self.password,
            document,
        }
    }
}

/// Somebody joined.
#[derive(Serialize, ToSchema)]
pub struct Joined {
    /// They.
    user: JoinedUser,
}

/// They.
#[derive(Serialize, ToSchema)]
pub struct JoinedUser {
    /// Their id.
    #[serde(rename = "_id")]
    id: MemberId,
}

/// Join.
#[utoipa::path(
    post, path = "/api/v1/users", tag = "shop", operation_id = "join", request_body = SignUp,
    responses(
        (status = CREATED, body = Joined),
        (status = BAD_REQUEST, description = "invalid, with every field that has to be typed again"),
        (status = CONFLICT, description = "username_taken, nickname_taken")
    )
)]
pub(crate) async fn join(
    State(app): State<AppState>,
    ValidJson { body, origin }: ValidJson<SignUp>,
) -> ApiResult<ApiResponse<Joined>> {
    let command = CommandContext::new("join", Actor::Guest, &origin);
    let token = body
        .registration_token
        .clone()
        .filter(|_| body.member_type == MemberType::Company);
    let copy = match token {
        Some(token) => match documents::named(&app, &token).await {
            Ok(document) => Some(document),
            Err(refusal) => {
                // A repeat is answered again, however late.
                app.executor
                    .stored_outcome(&command)
                    .await?
                    .ok_or(refusal)?;
                None
            }
        },
        None => None,
    };
    let terms = agreed(&app, &body.terms).await?;
    let (id, done) = enrol(&app, &command, body.newcomer(terms, copy)).await?;
    Ok(done.created(Joined {
        user: JoinedUser { id },
    }))
}
