//! NICE v1 signatures: hex(sha256(fields concatenated + secret key)), domain-facts 2.1. The signature of an approval covers
//! the amount, that of a cancel does not.

use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// The shop's secret at the payment service. Never printed.
#[derive(Clone)]
pub struct SecretKey(String);

impl SecretKey {
    /// Wraps a secret.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The secret itself, for the `Authorization` header.
    pub(crate) fn reveal(&self) -> &str {
        &self.0
    }

    fn sign(&self, fields: &[&str]) -> String {
        let mut hash = Sha256::new();
        for field in fields {
            hash.update(field);
        }
        hash.update(&self.0);
        hex::encode(hash.finalize())
    }
}

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

/// `signData` of an approval. The amount is in the units of the service.
pub fn sign_approve(secret: &SecretKey, tid: &str, amount: i64, edi_date: &str) -> String {
    secret.sign(&[tid, &amount.to_string(), edi_date])
}

/// `signData` of a cancel; the amount is not part of it.
pub fn sign_cancel(secret: &SecretKey, tid: &str, edi_date: &str) -> String {
    secret.sign(&[tid, edi_date])
}

/// `signData` of a net cancel.
pub fn sign_net_cancel(secret: &SecretKey, order_id: &str, edi_date: &str) -> String {
    secret.sign(&[order_id, edi_date])
}

/// `signature` of the form posted to the return page. The amount is the text of the form.
pub fn sign_return(secret: &SecretKey, auth_token: &str, client_key: &str, amount: &str) -> String {
    secret.sign(&[auth_token, client_key, amount])
}

/// `signature` of an answer or a notice.
pub fn sign_answer(secret: &SecretKey, tid: &str, amount: i64, edi_date: &str) -> String {
    secret.sign(&[tid, &amount.to_string(), edi_date])
}

/// Verifies the signature of the form posted to the return page.
pub fn verify_return_signature(
    secret: &SecretKey,
    auth_token: &str,
    client_key: &str,
    amount: &str,
    signature: &str,
) -> bool {
    signatures_match(
        &sign_return(secret, auth_token, client_key, amount),
        signature,
    )
}

/// Verifies the signature of an answer or a notice.
pub fn verify_answer_signature(
    secret: &SecretKey,
    tid: &str,
    amount: i64,
    edi_date: &str,
    signature: &str,
) -> bool {
    signatures_match(&sign_answer(secret, tid, amount, edi_date), signature)
}

/// Compares signatures in constant time, ignoring case.
pub fn signatures_match(expected: &str, given: &str) -> bool {
    expected
        .as_bytes()
        .ct_eq(given.to_lowercase().as_bytes())
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TID: &str = "UT0000113m01012110051656331001";
    const EDI: &str = "2026-01-02T03:04:05.000+0900";

    fn secret() -> SecretKey {
        SecretKey::new("secret-key-for-tests")
    }

    #[test]
    fn signatures_are_those_of_the_check_vectors() {
        assert_eq!(
            sign_approve(&secret(), TID, 1004, EDI),
            "9ce018a3711654443711f77561b4155c2b76427b9de5799d94cd652e7fffc1d5"
        );
        assert_eq!(
            sign_cancel(&secret(), TID, EDI),
            "5e04d1cd47536259bb7ad5bc1f7eb85aecc5fdf0641d2ef402fe9302fb6ca6c5"
        );
        assert_eq!(
            sign_net_cancel(&secret(), "order-1", EDI),
            "8ddad2bb3ab460b104aff85eed28b64e7e160616b465aba78c0612e31d630eba"
        );
        assert_eq!(
            sign_return(&secret(), "NICEUNTTEST", "client-1", "1004"),
            "4112336d283b9dfd4864389dff9c5fba3b523d3a77f1458c01d224350259ceea"
        );
        assert_eq!(
            sign_answer(&secret(), TID, 1004, EDI),
            "9ce018a3711654443711f77561b4155c2b76427b9de5799d94cd652e7fffc1d5"
        );
    }

    #[test]
    fn a_changed_amount_or_signature_does_not_pass() {
        let signature = sign_return(&secret(), "token", "client-1", "1004");
        assert!(verify_return_signature(
            &secret(),
            "token",
            "client-1",
            "1004",
            &signature
        ));
        assert!(!verify_return_signature(
            &secret(),
            "token",
            "client-1",
            "1",
            &signature
        ));
        let signature = sign_answer(&secret(), TID, 1004, EDI);
        assert!(verify_answer_signature(
            &secret(),
            TID,
            1004,
            EDI,
            &signature.to_uppercase()
        ));
        assert!(!verify_answer_signature(
            &secret(),
            TID,
            1005,
            EDI,
            &signature
        ));
        assert!(!verify_answer_signature(&secret(), TID, 1004, EDI, ""));
    }
}
