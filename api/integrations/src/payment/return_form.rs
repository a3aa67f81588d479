//! The form that the browser posts to the return page after the payment window. The buyer can change it, so nothing in it
//! is trusted before signature, order id and amount have been checked.

use domain::Amount;
use serde::{Deserialize, Serialize};

use super::sign::{SecretKey, verify_return_signature};
use super::units::Currency;

/// The posted form. A closed window fills only the first fields.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ReturnForm {
    /// `0000` when the buyer authenticated.
    pub auth_result_code: String,
    /// Message.
    pub auth_result_msg: String,
    /// Transaction id.
    pub tid: String,
    /// The shop's id at the service.
    pub client_id: String,
    /// Order id the window was opened with.
    pub order_id: String,
    /// Amount in the units of the service, as text.
    pub amount: String,
    /// Text the shop attached to the window.
    pub mall_reserved: String,
    /// One-time token.
    pub auth_token: String,
    /// hex(sha256(authToken + clientId + amount + SecretKey)).
    pub signature: String,
}

/// A payment that the buyer has authenticated and the shop may approve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuthenticatedPayment {
    /// Transaction id.
    pub tid: String,
    /// Order id.
    pub order_id: String,
    /// Amount.
    pub amount: Amount,
    /// Text the shop attached to the window.
    pub mall_reserved: String,
}

/// Why the form does not permit an approval.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReturnError {
    /// The buyer did not authenticate.
    #[error("the buyer did not authenticate: {code} {message}")]
    NotAuthenticated {
        /// Result code.
        code: String,
        /// Message.
        message: String,
    },
    /// It is not signed by the service.
    #[error("the form is not signed by the payment service")]
    Signature,
    /// It belongs to another shop, order or amount.
    #[error("the form's {0} is not the order's")]
    Differs(&'static str),
}

impl ReturnForm {
    /// Checks the form against the order it is to pay.
    ///
    /// # Errors
    /// [`ReturnError`].
    pub(crate) fn check(
        &self,
        secret: &SecretKey,
        client_key: &str,
        currency: &Currency,
        order_id: &str,
        amount: Amount,
    ) -> Result<AuthenticatedPayment, ReturnError> {
        if self.auth_result_code != "0000" {
            return Err(ReturnError::NotAuthenticated {
                code: self.auth_result_code.clone(),
                message: self.auth_result_msg.clone(),
            });
        }
        if self.client_id != client_key {
            return Err(ReturnError::Differs("clientId"));
        }
        if !verify_return_signature(
            secret,
            &self.auth_token,
            &self.client_id,
            &self.amount,
            &self.signature,
        ) {
            return Err(ReturnError::Signature);
        }
        if self.order_id != order_id {
            return Err(ReturnError::Differs("orderId"));
        }
        let asked = currency
            .to_gateway(amount)
            .map_err(|_| ReturnError::Differs("amount"))?;
        if self.amount != asked.0.to_string() {
            return Err(ReturnError::Differs("amount"));
        }
        Ok(AuthenticatedPayment {
            tid: self.tid.clone(),
            order_id: self.order_id.clone(),
            amount,
            mall_reserved: self.mall_reserved.clone(),
        })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::super::sign::sign_return;
    use super::*;

    fn form(secret: &SecretKey) -> ReturnForm {
        ReturnForm {
            auth_result_code: "0000".into(),
            tid: "tid-1".into(),
            client_id: "client-1".into(),
            order_id: "order-1".into(),
            amount: "1004".into(),
            auth_token: "token".into(),
            signature: sign_return(secret, "token", "client-1", "1004"),
            ..ReturnForm::default()
        }
    }

    fn check(
        change: impl FnOnce(&mut ReturnForm),
        amount: i64,
    ) -> Result<AuthenticatedPayment, ReturnError> {
        let secret = SecretKey::new("secret");
        let usd = Currency::new("USD", 2, Amount::new(1)).unwrap();
        let mut form = form(&secret);
        change(&mut form);
        form.check(&secret, "client-1", &usd, "order-1", Amount::new(amount))
    }

    #[test]
    fn only_what_the_service_signed_for_this_order_is_believed() {
        assert_eq!(check(|_| {}, 1004).unwrap().tid, "tid-1");
        assert_eq!(check(|_| {}, 1005), Err(ReturnError::Differs("amount")));
        assert_eq!(
            check(|form| form.amount = "1".into(), 1),
            Err(ReturnError::Signature)
        );
        assert_eq!(
            check(|form| form.order_id = "order-2".into(), 1004),
            Err(ReturnError::Differs("orderId"))
        );
        assert_eq!(
            check(|form| form.client_id = "other".into(), 1004),
            Err(ReturnError::Differs("clientId"))
        );
        assert_eq!(
            check(|form| form.signature.clear(), 1004),
            Err(ReturnError::Signature)
        );
        let closed = check(|form| form.auth_result_code = "9999".into(), 1004);
        assert!(matches!(closed, Err(ReturnError::NotAuthenticated { .. })));
    }
}
