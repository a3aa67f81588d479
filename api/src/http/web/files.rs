//! The built files: `web/dist`, inside the program in a release build and read from disk in a debug build.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rust_embed::{EmbeddedFile, RustEmbed};
use sha2::{Digest, Sha256};

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Dist;

/// The page every address of the app begins with; none while the app is not built.
pub(super) fn shell() -> Option<String> {
    let shell = Dist::get("index.html")?;
    Some(String::from_utf8_lossy(&shell.data).into_owned())
}

/// The file at this address, if there is one.
pub(super) fn at(path: &str, seen: Option<&HeaderValue>) -> Option<Response> {
    let name = path.trim_start_matches('/');
    if name.is_empty() || name == "index.html" {
        return None;
    }
    Some(file(name, Dist::get(name)?, seen))
}

/// An address of a file there is not: no page belongs there.
pub(super) fn is_one(path: &str) -> bool {
    path.starts_with("/assets/")
        || path.starts_with("/pictures/")
        || path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.contains('.'))
}

/// There is no such file.
pub(super) fn none() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (StatusCode::NOT_FOUND, headers, "not found\n").into_response()
}

/// A weak tag of some text: compression changes its bytes on the way.
pub(super) fn tag<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    format!("W/\"{}\"", URL_SAFE_NO_PAD.encode(hash.finalize()))
}

/// The reader has what carries this tag.
pub(super) fn has(seen: Option<&HeaderValue>, tag: &str) -> bool {
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    seen.and_then(|seen| seen.to_str().ok())
        .is_some_and(|seen| seen.split(',').any(|one| bare(one) == bare(tag)))
}

fn file(name: &str, found: EmbeddedFile, seen: Option<&HeaderValue>) -> Response {
    let tag = format!(
        "W/\"{}\"",
        URL_SAFE_NO_PAD.encode(found.metadata.sha256_hash())
    );
    // Vite puts a hash into the names of what it builds, so those never change.
    let cache = if name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let kept = [
        (header::CACHE_CONTROL, cache.to_owned()),
        (header::ETAG, tag.clone()),
    ];
    if has(seen, &tag) {
        return (StatusCode::NOT_MODIFIED, kept).into_response();
    }
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let kind = [(header::CONTENT_TYPE, kind.as_ref().to_owned())];
    (kind, kept, found.data).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_recognised_among_several_weak_or_not() {
        let seen = HeaderValue::from_static("\"x\", W/\"abc\"");
        assert!(has(Some(&seen), "\"abc\""));
        assert!(has(Some(&seen), "W/\"x\""));
        assert!(!has(Some(&seen), "\"ab\""));
        assert!(!has(None, "\"ab\""));
    }
}
