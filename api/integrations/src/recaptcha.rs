//! Google's reCAPTCHA: whether what a guest sends was sent by a person. [`RecaptchaClient`] speaks the `siteverify` protocol: a form POST
//! with `secret`, `response` and `remoteip`, answered with `success`, for version 3 `score`, and `error-codes`.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::Client;
use serde::Deserialize;

use crate::http;

/// Answers are a few hundred bytes; a longer body is no answer.
const MAX_ANSWER_BYTES: usize = 64 * 1024;
/// The lowest score of version 3 that counts as a person's; the service recommends it as a start.
const LOWEST_SCORE: f64 = 0.5;

/// How to reach the service.
#[derive(Clone)]
pub struct RecaptchaConfig {
    /// Address of `siteverify`.
    pub verify_url: String,
    /// The shop's secret at the service.
    pub secret: String,
    /// Time for the whole call.
    pub timeout: Duration,
    /// Whether to bypass the HTTP proxy of the environment: for a service on this machine.
    pub bypass_proxy: bool,
}

impl std::fmt::Debug for RecaptchaConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RecaptchaConfig")
            .field("verify_url", &self.verify_url)
            .finish_non_exhaustive()
    }
}

/// The service's verdict on a response of its widget.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Sent by a person.
    Human,
    /// Sent by a program, used before, or too old.
    Robot,
    /// There is no verdict: the service is down, slow, or does not accept the shop's secret.
    Unavailable {
        /// Why, for the log of the program.
        why: String,
    },
}

/// The client.
#[derive(Clone, Debug)]
pub struct RecaptchaClient {
    http: Client,
    config: RecaptchaConfig,
}

/// The client cannot be built: certificates or resolver of this machine are broken.
#[derive(Debug, thiserror::Error)]
#[error("cannot build the reCAPTCHA client: {0}")]
pub struct RecaptchaClientError(#[from] reqwest::Error);

#[derive(Debug, Deserialize)]
struct VerifyAnswer {
    success: bool,
    #[serde(default)]
    score: Option<f64>,
    #[serde(default, rename = "error-codes")]
    error_codes: Vec<String>,
}

impl VerifyAnswer {
    fn verdict(&self) -> Verdict {
        // Faults of the shop itself: no guest could pass.
        let ours = [
            "missing-input-secret",
            "invalid-input-secret",
            "bad-request",
        ];
        let ours = |code: &&String| ours.contains(&code.as_str());
        if let Some(code) = self.error_codes.iter().find(ours) {
            return Verdict::Unavailable { why: code.clone() };
        }
        match self.success && self.score.is_none_or(|score| score >= LOWEST_SCORE) {
            true => Verdict::Human,
            false => Verdict::Robot,
        }
    }
}

impl RecaptchaClient {
    /// Builds the client.
    ///
    /// # Errors
    /// [`RecaptchaClientError`].
    pub fn new(config: RecaptchaConfig) -> Result<Self, RecaptchaClientError> {
        let http = http::once_only(config.bypass_proxy).timeout(config.timeout);
        Ok(Self {
            http: http.build()?,
            config,
        })
    }

    /// Asks for the verdict on a response. A response has one verdict: the service refuses it the second time.
    pub async fn verify(&self, response: &str, remote: Option<IpAddr>) -> Verdict {
        match self.ask(response, remote).await {
            Ok(answer) => answer.verdict(),
            Err(why) => Verdict::Unavailable { why },
        }
    }

    async fn ask(&self, response: &str, remote: Option<IpAddr>) -> Result<VerifyAnswer, String> {
        let mut form = vec![
            ("secret", self.config.secret.clone()),
            ("response", response.to_owned()),
        ];
        form.extend(remote.map(|address| ("remoteip", address.to_string())));
        let call = self.http.post(&self.config.verify_url).form(&form);
        let answer = call.send().await.map_err(|error| error.to_string())?;
        if !answer.status().is_success() {
            return Err(format!("status {}", answer.status().as_u16()));
        }
        let body = answer.bytes().await.map_err(|error| error.to_string())?;
        if body.len() > MAX_ANSWER_BYTES {
            return Err("the answer is too long".to_owned());
        }
        serde_json::from_slice(&body).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn verdict(answer: &str) -> Verdict {
        let answer: VerifyAnswer = serde_json::from_str(answer).unwrap();
        answer.verdict()
    }

    #[test]
    fn a_wrong_secret_is_a_fault_of_the_shop_and_not_of_its_guests() {
        assert_eq!(
            verdict(r#"{"success": true, "hostname": "a"}"#),
            Verdict::Human
        );
        assert_eq!(
            verdict(r#"{"success": true, "score": 0.9}"#),
            Verdict::Human
        );
        assert_eq!(
            verdict(r#"{"success": true, "score": 0.1}"#),
            Verdict::Robot
        );
        let old = r#"{"success": false, "error-codes": ["timeout-or-duplicate"]}"#;
        assert_eq!(verdict(old), Verdict::Robot);
        let why = "invalid-input-secret".to_owned();
        let wrong = r#"{"success": false, "error-codes": ["invalid-input-secret"]}"#;
        assert_eq!(verdict(wrong), Verdict::Unavailable { why });
    }
}
