//! Content security policy of pages.

use std::borrow::Cow;

/// Allows our own files, scripts with this response's `nonce`, and the payment window of the gateway.
pub(super) fn policy(nonce: &str, payment_script: &str) -> String {
    let pay = payment_sources(payment_script);
    format!(
        "default-src 'self'; script-src 'self' 'nonce-{nonce}' {pay}; style-src 'self' 'unsafe-inline'; \
         img-src 'self' data: blob: {pay}; font-src 'self' data:; connect-src 'self' {pay}; frame-src 'self' {pay}; \
         form-action 'self' {pay}; frame-ancestors 'self'; base-uri 'none'; object-src 'none'"
    )
}

/// The script's origin; NICE serves its windows from several hosts of one domain.
fn payment_sources(script: &str) -> Cow<'_, str> {
    let origin_end = script.find("://").map(|at| at + 3).and_then(|from| {
        let rest = script.get(from..)?;
        Some(from + rest.find('/').unwrap_or(rest.len()))
    });
    let origin = origin_end
        .and_then(|end| script.get(..end))
        .unwrap_or_default();
    if origin.ends_with(".nicepay.co.kr") {
        Cow::Borrowed("https://*.nicepay.co.kr")
    } else {
        Cow::Borrowed(origin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_may_load_the_payment_window_and_nothing_else_from_outside() {
        assert_eq!(
            payment_sources("http://127.0.0.1:4100/v1/js/"),
            "http://127.0.0.1:4100"
        );
        assert_eq!(
            payment_sources("https://pay.nicepay.co.kr/v1/js/"),
            "https://*.nicepay.co.kr"
        );
        assert_eq!(payment_sources("nonsense"), "");
        assert!(policy("abc", "").contains("script-src 'self' 'nonce-abc'"));
    }
}
