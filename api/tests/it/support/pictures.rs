//! Files to upload, and the stored files of a shop.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use reqwest::Method;

use crate::support::{Account, Ask, Reply, TestApp};

pub const BOUNDARY: &str = "------------------------jangbu";

/// A form with one file and some texts.
pub fn form(part: &str, name: &str, bytes: &[u8], texts: &[(&str, &str)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, text) in texts {
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n"
        );
        body.extend_from_slice(head.as_bytes());
    }
    // The content type sent by the browser is wrong, and must not be trusted.
    let head = format!(
        "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{part}\"; filename=\"{name}\"\r\ncontent-type: image/png\r\n\r\n"
    );
    body.extend_from_slice(head.as_bytes());
    body.extend_from_slice(bytes);
    body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
    body
}

pub fn giving(shop: &TestApp, path: &str, part: &str, name: &str, bytes: &[u8]) -> Ask {
    sending(shop, Method::POST, path, form(part, name, bytes, &[]))
}

pub fn sending(shop: &TestApp, method: Method, path: &str, body: Vec<u8>) -> Ask {
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    shop.ask(method, path).body(&kind, body)
}

/// A form with texts, without a file.
pub fn texts_only(texts: &[(&str, &str)]) -> Vec<u8> {
    let parts = texts.iter().map(|(name, text)| {
        format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    });
    format!("{}--{BOUNDARY}--\r\n", parts.collect::<String>()).into_bytes()
}

pub async fn give(shop: &TestApp, who: &Account, part: &str, name: &str, bytes: &[u8]) -> Reply {
    let path = "/api/console/files";
    giving(shop, path, part, name, bytes).as_(who).send().await
}

/// A picture with content: no two of different shades are the same file.
pub fn picture(width: u32, height: u32, shade: u8) -> DynamicImage {
    let bright = |x: u32| u8::try_from(x % 256).unwrap();
    RgbImage::from_fn(width, height, |x, y| Rgb([bright(x), bright(y), shade])).into()
}

pub fn written(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// The bytes at an address.
pub async fn fetched(shop: &TestApp, url: &str) -> Vec<u8> {
    let answer = reqwest::get(format!("{}{url}", shop.url)).await.unwrap();
    assert_eq!(answer.status(), 200, "{url}");
    answer.bytes().await.unwrap().to_vec()
}

/// A small picture of this shade, as a file.
pub fn picture_bytes(shade: u8) -> Vec<u8> {
    written(&picture(8, 8, shade), ImageFormat::Png)
}

/// Every file on disk.
pub fn on_disk(shop: &TestApp) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = vec![shop.app.settings.data_folder.join("files")];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(folder).into_iter().flatten();
        for path in entries.map(|entry| entry.unwrap().path()) {
            match path.is_dir() {
                true => folders.push(path),
                false => names.push(path.file_name().unwrap().to_str().unwrap().to_owned()),
            }
        }
    }
    names.sort();
    names
}
