//! The built files of the web app: `web/dist`, embedded in release builds and read from disk in debug builds.

use application::blob_store::WIDTHS;
use application::files::picture::scale_down;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rust_embed::RustEmbed;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

#[derive(RustEmbed)]
#[folder = "../web/dist"]
#[allow_missing = true]
struct Dist;

/// The HTML shell of all pages; none while the app is not built.
pub(super) fn shell() -> Option<String> {
    let shell = Dist::get(SHELL)?;
    Some(String::from_utf8_lossy(&shell.data).into_owned())
}

/// An entry of the build's manifest.
#[derive(Deserialize)]
struct Chunk {
    file: String,
    #[serde(default)]
    imports: Vec<String>,
}

type Manifest = HashMap<String, Chunk>;

/// The parsed manifest with the hash of its file.
static KEPT: Mutex<Option<([u8; 32], Arc<Manifest>)>> = Mutex::new(None);

/// The manifest of the present build.
fn manifest() -> Arc<Manifest> {
    let Some(file) = Dist::get(".vite/manifest.json") else {
        return Arc::default();
    };
    let hash = file.metadata.sha256_hash();
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    match kept.as_ref() {
        Some((of, manifest)) if *of == hash => Arc::clone(manifest),
        _ => {
            let manifest: Arc<Manifest> =
                Arc::new(serde_json::from_slice(&file.data).unwrap_or_default());
            *kept = Some((hash, Arc::clone(&manifest)));
            manifest
        }
    }
}

/// Name of the shell in the manifest.
const SHELL: &str = "index.html";

/// The chunks of a page besides those of the shell, preloaded instead of discovered later.
pub(super) fn chunks(module: &str) -> Vec<String> {
    let manifest = manifest();
    let (mut begun, mut own) = (BTreeSet::new(), BTreeSet::new());
    gather(&manifest, SHELL, &mut begun);
    gather(&manifest, module, &mut own);
    own.difference(&begun)
        .map(|file| format!("/{file}"))
        .collect()
}

/// Collects the files of a chunk and of everything it imports.
fn gather<'a>(manifest: &'a Manifest, name: &str, into: &mut BTreeSet<&'a str>) {
    if let Some(chunk) = manifest.get(name)
        && into.insert(&chunk.file)
    {
        for import in &chunk.imports {
            gather(manifest, import, into);
        }
    }
}

/// The file at this path, if it exists.
pub(super) fn at(path: &str, request_headers: &HeaderMap) -> Option<Response> {
    let name = path.trim_start_matches('/');
    // Internal files of the build are not served.
    if name.is_empty() || name == SHELL || name.starts_with('.') {
        return None;
    }
    file(name, request_headers)
}

/// Hash of a picture's content, and a width.
type Size = ([u8; 32], u32);

/// Resized versions of the built pictures, each rendered once; none where the picture is not wider. Bounded by the pictures of the
/// build times [`WIDTHS`].
static NARROWER: Mutex<BTreeMap<Size, Arc<OnceCell<Option<Bytes>>>>> = Mutex::new(BTreeMap::new());

/// A built picture in one of [`WIDTHS`], rendered at the first request: `/pictures/<code>-<width>.webp`. The original where it is
/// not wider, as for uploads.
pub(super) async fn narrower_at(path: &str, request_headers: &HeaderMap) -> Option<Response> {
    let stem = path.strip_prefix("/pictures/")?.strip_suffix(".webp")?;
    let (code, width) = stem.rsplit_once('-')?;
    let width = WIDTHS
        .into_iter()
        .find(|known| known.to_string() == width)?;
    let name = format!("pictures/{code}.webp");
    let found = Dist::get(&name)?;
    let hash = found.metadata.sha256_hash();
    let tag = format!("W/\"{}-{width}\"", URL_SAFE_NO_PAD.encode(hash));
    let kept = [
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::ETAG, tag.clone()),
    ];
    if has(request_headers.get(header::IF_NONE_MATCH), &tag) {
        return Some((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    let size = {
        let mut sizes = NARROWER.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(sizes.entry((hash, width)).or_default())
    };
    let scale = || async {
        let scaled = scale_down(found.data.into_owned(), width).await;
        scaled.ok().flatten().map(Bytes::from)
    };
    let Some(bytes) = size.get_or_init(scale).await.clone() else {
        return file(&name, request_headers);
    };
    let kind = [(header::CONTENT_TYPE, "image/webp")];
    Some((kind, kept, bytes).into_response())
}

/// Whether the path looks like a file, so that no page is served for it.
pub(super) fn is_one(path: &str) -> bool {
    path.starts_with("/assets/")
        || path.starts_with("/pictures/")
        || path
            .rsplit('/')
            .next()
            .is_some_and(|name| name.contains('.'))
}

/// Response for an unknown file.
pub(super) fn none() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (StatusCode::NOT_FOUND, headers, "not found\n").into_response()
}

/// A weak ETag of some text: compression changes the bytes on the way.
pub(super) fn tag<'a>(parts: impl IntoIterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    format!("W/\"{}\"", URL_SAFE_NO_PAD.encode(hash.finalize()))
}

/// Whether the client's cached copy has this ETag.
pub(super) fn has(seen: Option<&HeaderValue>, tag: &str) -> bool {
    let bare = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    seen.and_then(|seen| seen.to_str().ok())
        .is_some_and(|seen| seen.split(',').any(|one| bare(one) == bare(tag)))
}

fn file(name: &str, request_headers: &HeaderMap) -> Option<Response> {
    let found = Dist::get(name)?;
    let tag = format!(
        "W/\"{}\"",
        URL_SAFE_NO_PAD.encode(found.metadata.sha256_hash())
    );
    // Vite includes a hash in the names of built files, so they never change.
    let cache = if name.starts_with("assets/") {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    let kept = [
        (header::CACHE_CONTROL, cache.to_owned()),
        (header::ETAG, tag.clone()),
        (header::VARY, "accept-encoding".to_owned()),
    ];
    if has(request_headers.get(header::IF_NONE_MATCH), &tag) {
        return Some((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    let kind = mime_guess::from_path(name).first_or_octet_stream();
    let kind = [(header::CONTENT_TYPE, kind.as_ref().to_owned())];
    // The build compresses better than is possible during a request.
    let packed = takes_brotli(request_headers).then(|| Dist::get(&format!("{name}.br")));
    Some(match packed.flatten() {
        Some(packed) => {
            let coding = [(header::CONTENT_ENCODING, "br")];
            (kind, kept, coding, packed.data).into_response()
        }
        None => (kind, kept, found.data).into_response(),
    })
}

/// Whether the client accepts brotli.
fn takes_brotli(request_headers: &HeaderMap) -> bool {
    let codings = request_headers.get_all(header::ACCEPT_ENCODING).iter();
    let mut codings = codings
        .filter_map(|codings| codings.to_str().ok())
        .flat_map(|codings| codings.split(','));
    codings.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().trim_start_matches("q=");
        let refused = !weight.is_empty() && weight.chars().all(|c| matches!(c, '0' | '.'));
        name.trim().eq_ignore_ascii_case("br") && !refused
    })
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

    #[test]
    fn a_page_needs_what_its_code_imports_but_not_what_every_page_begins_with() {
        let chunk = |file: &str, imports: &[&str]| Chunk {
            file: file.to_owned(),
            imports: imports.iter().map(|&import| import.to_owned()).collect(),
        };
        let manifest = Manifest::from([
            ("page".to_owned(), chunk("p", &["card", "index.html"])),
            ("card".to_owned(), chunk("c", &["page", "react"])),
            ("index.html".to_owned(), chunk("i", &["react"])),
            ("react".to_owned(), chunk("r", &[])),
        ]);
        let files = |name| {
            let mut files = BTreeSet::new();
            gather(&manifest, name, &mut files);
            files.into_iter().collect::<String>()
        };
        assert_eq!(files("page"), "cipr");
        assert_eq!(files("index.html"), "ir");
        assert_eq!(files("nothing"), "");
    }

    #[test]
    fn brotli_is_for_those_who_ask_for_it() {
        for (header_value, takes) in [
            ("gzip, deflate, br, zstd", true),
            ("br;q=0.5", true),
            ("gzip, br;q=0", false),
            ("br;q=0.0", false),
            ("gzip", false),
            ("*", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(
                header::ACCEPT_ENCODING,
                HeaderValue::from_static(header_value),
            );
            assert_eq!(takes_brotli(&headers), takes, "{header_value}");
        }
    }
}
