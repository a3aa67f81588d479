//! Signatures as the service computes them (domain-facts 2.1), written independently of the client in `integrations`: the
//! check vectors below are literals, so the two sides cannot agree on a wrong signature.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The merchant's secret. Never printed.
#[derive(Clone)]
pub struct MerchantSecret(String);

impl MerchantSecret {
    /// Wraps a secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Whether HTTP Basic credentials (`key:secret`) are those of the merchant.
    pub(crate) fn is_login(&self, client_key: &str, credentials: &[u8]) -> bool {
        let expected = format!("{client_key}:{}", self.0);
        expected.as_bytes().ct_eq(credentials).into()
    }

    /// `signature` of an answer or a notice about a payment.
    pub fn answer(&self, tid: &str, amount: i64, edi_date: &str) -> String {
        self.digest(&format!("{tid}{amount}{edi_date}"))
    }

    /// `signature` of the form that the browser posts to the merchant's return page.
    pub fn return_form(&self, auth_token: &str, client_key: &str, amount: &str) -> String {
        self.digest(&format!("{auth_token}{client_key}{amount}"))
    }

    /// `signData` expected of an approval, and of a comparison of an amount.
    pub(crate) fn approval(&self, tid: &str, amount: i64, edi_date: &str) -> String {
        self.digest(&format!("{tid}{amount}{edi_date}"))
    }

    /// `signData` expected of a cancel: the amount is not part of it.
    pub(crate) fn cancel(&self, tid: &str, edi_date: &str) -> String {
        self.digest(&format!("{tid}{edi_date}"))
    }

    /// `signData` expected of a net cancel.
    pub(crate) fn net_cancel(&self, order_id: &str, edi_date: &str) -> String {
        self.digest(&format!("{order_id}{edi_date}"))
    }

    fn digest(&self, fields: &str) -> String {
        hex::encode(Sha256::digest(format!("{fields}{}", self.0)))
    }
}

impl std::fmt::Debug for MerchantSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MerchantSecret(..)")
    }
}

/// Compares hexadecimal signatures, ignoring case.
pub(crate) fn matches(expected: &str, given: &str) -> bool {
    let given = given.to_ascii_lowercase();
    expected.as_bytes().ct_eq(given.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TID: &str = "UT0000113m01012110051656331001";
    const EDI_DATE: &str = "2026-01-02T03:04:05.000+0900";

    /// The check vectors of domain-facts 2.1.
    #[test]
    fn signatures_equal_the_check_vectors() {
        let secret = MerchantSecret::new("secret-key-for-tests");
        let amount = "9ce018a3711654443711f77561b4155c2b76427b9de5799d94cd652e7fffc1d5";
        assert_eq!(secret.approval(TID, 1004, EDI_DATE), amount);
        assert_eq!(secret.answer(TID, 1004, EDI_DATE), amount);
        assert_eq!(
            secret.cancel(TID, EDI_DATE),
            "5e04d1cd47536259bb7ad5bc1f7eb85aecc5fdf0641d2ef402fe9302fb6ca6c5"
        );
        assert_eq!(
            secret.net_cancel("order-1", EDI_DATE),
            "8ddad2bb3ab460b104aff85eed28b64e7e160616b465aba78c0612e31d630eba"
        );
        assert_eq!(
            secret.return_form("NICEUNTTEST", "client-1", "1004"),
            "4112336d283b9dfd4864389dff9c5fba3b523d3a77f1458c01d224350259ceea"
        );
    }

    #[test]
    fn another_signature_or_login_does_not_match() {
        let secret = MerchantSecret::new("secret-key-for-tests");
        let signature = secret.answer(TID, 1004, EDI_DATE);
        assert!(matches(&signature, &signature.to_uppercase()));
        assert!(!matches(&signature, &secret.answer(TID, 1005, EDI_DATE)));
        assert!(!matches(&signature, ""));
        assert!(secret.is_login("client-1", b"client-1:secret-key-for-tests"));
        assert!(!secret.is_login("client-1", b"client-1:guess"));
        assert_eq!(format!("{secret:?}"), "MerchantSecret(..)");
    }
}
