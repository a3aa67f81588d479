//! Refusals of the gateway.

use integrations::payment::protocol::RESULT_CODES;

/// Why a call is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// HTTP status.
    pub(crate) status: u16,
    /// Result code.
    pub(crate) code: String,
    /// Message.
    pub(crate) message: String,
}

impl Refusal {
    pub(crate) fn new(code: &str) -> Self {
        let message = meaning(code).unwrap_or("거절되었습니다").to_owned();
        let status = match code {
            "A115" => 404,
            "U103" | "U104" => 401,
            _ => 200,
        };
        Self {
            status,
            code: code.to_owned(),
            message,
        }
    }

    pub(crate) fn because(code: &str, message: &str) -> Self {
        Self {
            message: message.to_owned(),
            ..Self::new(code)
        }
    }
}

/// Meaning of a result code, if it is known.
pub(crate) fn meaning(code: &str) -> Option<&'static str> {
    let row = RESULT_CODES.iter().find(|row| row.code == code)?;
    Some(row.meaning)
}
