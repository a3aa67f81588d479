//! /api/plugins/recaptcha: the check against programs before a guest writes to the shop.
//!
//! The browser sends what Google's widget gave it and gets a pass, which goes into the form: valid for some minutes, for its client address
//! only, and not stored. A service that is down or slow does not keep guests out: they get a pass, too, and what they may send stays
//! limited by their address (decision 80).

use axum::extract::State;
use domain::forms::{FormErrors, Validate};
use integrations::recaptcha::Verdict;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::app::AppState;
use crate::guest_pass::{MESSAGE, PASS_LIFE, pass};
use crate::http::{ApiResult, AppError, Json, ValidJson};
use crate::limits::Client;

/// Maximum length of a response; Google's have some two thousand characters.
const RESPONSE_MOST: usize = 8_192;

/// Public configuration of the check.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecaptchaConfigAnswer {
    /// Whether forms of guests need a pass.
    enabled: bool,
    /// The shop's public key; empty if the check is off.
    site_key: String,
    /// Script of the widget; empty if the check is off.
    script_url: String,
}

/// What the widget gave the browser.
#[derive(Deserialize, ToSchema)]
pub struct RecaptchaForm {
    /// The response of the widget.
    #[serde(default)]
    response: String,
}

impl Validate for RecaptchaForm {
    fn check(&self, errors: &mut FormErrors) {
        errors.when(
            self.response.len() <= RESPONSE_MOST,
            "response",
            "too_long",
            MESSAGE,
        );
    }
}

/// A pass for forms of guests.
#[derive(Serialize, ToSchema)]
pub struct RecaptchaAnswer {
    /// The pass; empty if the check is off.
    pass: String,
}

/// Whether guests need a pass, and what the widget needs.
#[utoipa::path(
    get, path = "/api/plugins/recaptcha", tag = "plugins", operation_id = "recaptchaConfig",
    responses((status = OK, body = RecaptchaConfigAnswer))
)]
pub(crate) async fn config(State(app): State<AppState>) -> Json<RecaptchaConfigAnswer> {
    let settings = app.settings.recaptcha.as_ref();
    Json(RecaptchaConfigAnswer {
        enabled: settings.is_some(),
        site_key: settings.map_or_else(String::new, |set| set.site_key.clone()),
        script_url: settings.map_or_else(String::new, |set| set.script_url.clone()),
    })
}

/// Check a response of the widget.
#[utoipa::path(
    post, path = "/api/plugins/recaptcha", tag = "plugins", operation_id = "verifyRecaptcha", request_body = RecaptchaForm,
    responses((status = OK, body = RecaptchaAnswer), (status = BAD_REQUEST, description = "invalid, field response: not_human"))
)]
pub(crate) async fn verify(
    State(app): State<AppState>,
    from: Client,
    ValidJson { body, .. }: ValidJson<RecaptchaForm>,
) -> ApiResult<Json<RecaptchaAnswer>> {
    let Some(service) = &app.recaptcha else {
        let pass = String::new();
        return Ok(Json(RecaptchaAnswer { pass }));
    };
    match service.verify(&body.response, Some(from.address())).await {
        Verdict::Human => {}
        Verdict::Robot => {
            return Err(AppError::invalid_field("response", "not_human", MESSAGE).into());
        }
        Verdict::Unavailable { why } => {
            tracing::warn!(why, "reCAPTCHA has no verdict; the guest gets a pass");
        }
    }
    let pass = pass(&app, from.address(), app.clock.now() + PASS_LIFE);
    Ok(Json(RecaptchaAnswer { pass }))
}
