//! Arguments of the payment window: what the browser calls `AUTHNICE.requestPay` with.

use domain::Amount;
use serde::Serialize;

use super::protocol::METHODS;
use super::units::{Currency, UnitError};

/// Request for a payment.
#[derive(Clone, Debug)]
pub struct WindowRequest {
    /// One of [`METHODS`].
    pub method: String,
    /// The shop's id of this attempt; once paid it cannot be used again.
    pub order_id: String,
    /// Amount.
    pub amount: Amount,
    /// Name of the goods; truncated to 40 characters.
    pub goods_name: String,
    /// URL the browser posts to afterwards.
    pub return_url: String,
    /// Text returned with every answer about this payment.
    pub mall_reserved: String,
    /// Account holder; required for method vbank.
    pub holder: Option<String>,
    /// Hours until a virtual account expires.
    pub valid_hours: Option<u32>,
}

/// Arguments of `AUTHNICE.requestPay`, named as in the protocol.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct WindowOptions {
    /// The shop's id at the service.
    pub client_id: String,
    /// Payment method.
    pub method: String,
    /// The shop's id of this attempt.
    pub order_id: String,
    /// Amount in the units of the service.
    pub amount: i64,
    /// Name of the goods.
    pub goods_name: String,
    /// URL the browser posts to afterwards.
    pub return_url: String,
    /// Text returned with every answer.
    pub mall_reserved: String,
    /// Holder of the virtual account.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vbank_holder: Option<String>,
    /// Hours for which a virtual account accepts deposits; default: 7 days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vbank_valid_hours: Option<u32>,
}

/// Why the service would reject the request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WindowError {
    /// The amount cannot be converted, or is not above zero.
    #[error("the amount cannot be paid: {0}")]
    Amount(String),
    /// A field does not have the form the service requires.
    #[error("{0}")]
    Field(&'static str),
}

impl From<UnitError> for WindowError {
    fn from(error: UnitError) -> Self {
        Self::Amount(error.to_string())
    }
}

impl WindowRequest {
    pub(crate) fn options(
        self,
        client_key: &str,
        currency: &Currency,
    ) -> Result<WindowOptions, WindowError> {
        let amount = currency.to_gateway(self.amount)?.0;
        if amount <= 0 {
            return Err(WindowError::Amount("it must be above zero".to_owned()));
        }
        if !METHODS.contains(&self.method.as_str()) {
            return Err(WindowError::Field(
                "the service does not know this way to pay",
            ));
        }
        if self.order_id.is_empty() || self.order_id.len() > 64 {
            return Err(WindowError::Field(
                "the order id must have 1 to 64 characters",
            ));
        }
        if self.mall_reserved.chars().count() > 500 || self.mall_reserved.contains('"') {
            return Err(WindowError::Field(
                "attached text may have 500 characters and no double quote",
            ));
        }
        if self.method == "vbank" && self.holder.is_none() {
            return Err(WindowError::Field(
                "a virtual account needs its holder's name",
            ));
        }
        Ok(WindowOptions {
            client_id: client_key.to_owned(),
            method: self.method,
            order_id: self.order_id,
            amount,
            goods_name: self.goods_name.chars().take(40).collect(),
            return_url: self.return_url,
            mall_reserved: self.mall_reserved,
            vbank_holder: self.holder,
            vbank_valid_hours: self.valid_hours,
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn open(change: impl FnOnce(&mut WindowRequest)) -> Result<WindowOptions, WindowError> {
        let mut request = WindowRequest {
            method: "card".into(),
            order_id: "order-1-1".into(),
            amount: Amount::new(1004),
            goods_name: "사과 ".repeat(30),
            return_url: "http://shop/return".into(),
            mall_reserved: String::new(),
            holder: None,
            valid_hours: None,
        };
        change(&mut request);
        request.options(
            "client-1",
            &Currency::new("USD", 2, Amount::new(1)).unwrap(),
        )
    }

    #[test]
    fn the_window_gets_what_the_service_takes() {
        let options = open(|_| {}).unwrap();
        assert_eq!(options.amount, 1004);
        assert_eq!(options.goods_name.chars().count(), 40);
        let json = serde_json::to_value(&options).unwrap();
        assert_eq!(json.get("clientId").unwrap(), "client-1");
        assert!(json.get("vbankHolder").is_none());
    }

    #[test]
    fn what_it_would_not_take_is_refused_here() {
        assert!(open(|r| r.amount = Amount::ZERO).is_err());
        assert!(open(|r| r.method = "gold".into()).is_err());
        assert!(open(|r| r.method = "vbank".into()).is_err());
        assert!(open(|r| r.order_id = "x".repeat(65)).is_err());
        assert!(open(|r| r.mall_reserved = "\"".into()).is_err());
    }
}
