//! Content security policy of pages.

use std::borrow::Cow;

/// Google serves the widget of reCAPTCHA from here.
const RECAPTCHA: &str = "https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/";

/// Allows our own files, scripts with this response's `nonce`, the payment window of the gateway, and the widget of reCAPTCHA if it is on.
pub(super) fn policy(nonce: &str, payment_script: &str, recaptcha_script: Option<&str>) -> String {
    let payment = payment_sources(payment_script);
    let pay = match recaptcha_script {
        None => payment,
        Some(script) if script.starts_with("https://www.google.com/") => {
            Cow::Owned(format!("{payment} {RECAPTCHA}"))
        }
        Some(script) => Cow::Owned(format!("{payment} {}", payment_sources(script))),
    };
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
        assert!(policy("abc", "", None).contains("script-src 'self' 'nonce-abc'"));
        let google = "https://www.google.com/recaptcha/api.js?render=k";
        assert!(!policy("abc", "", None).contains("google"));
        assert!(policy("abc", "", Some(google)).contains(RECAPTCHA));
    }
}
