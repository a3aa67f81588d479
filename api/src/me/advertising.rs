//! PUT /api/v1/me/advertising: the member's own consent to advertising.

use application::executor::CommandContext;
use application::messages::consent;
use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use domain::sending::SendingChannel;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::app::AppState;
use crate::http::{ApiResponse, ApiResult, CurrentMember, Respond, ValidJson};
use crate::me::info::MeAnswer;

/// Whether advertising is wanted.
#[derive(Deserialize, ToSchema)]
pub struct AdvertisingForm {
    /// Whether the member agrees.
    agrees: bool,
    /// The way: `SMS` has a consent of its own, `MAIL` (as if it is missing) is for mail and alarms.
    #[serde(default = "mail")]
    #[schema(required = false)]
    channel: SendingChannel,
}

const fn mail() -> SendingChannel {
    SendingChannel::Mail
}

impl Validate for AdvertisingForm {
    fn check(&self, _checks: &mut FormErrors) {}
}

/// Agree to advertising, or withdraw the consent.
#[utoipa::path(
    put, path = "/api/v1/me/advertising", tag = "me", operation_id = "setMyAdvertising", request_body = AdvertisingForm,
    security(("access" = [])), responses((status = OK, body = MeAnswer))
)]
pub(crate) async fn set(
    State(app): State<AppState>,
    who: CurrentMember,
    ValidJson { body, origin }: ValidJson<AdvertisingForm>,
) -> ApiResult<ApiResponse<MeAnswer>> {
    let name = match body.agrees {
        true => "give-consent",
        false => "withdraw-consent",
    };
    let command = CommandContext::new(name, who.actor(), &origin);
    let way = (who.member(), body.channel);
    let done = consent::set(&app, &command, way, body.agrees).await?;
    Ok(done.answer(MeAnswer::of(&app, who.member()).await?))
}
