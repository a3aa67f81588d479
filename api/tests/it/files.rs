//! Files people give the shop.

use std::io::Cursor;
use std::path::PathBuf;

use api::app::AppBuilder;
use api::router::router;
use image::{DynamicImage, ImageFormat, Rgb, RgbImage};
use reqwest::Method;
use search_index::Embedded;
use serde_json::{Value, json};

use crate::support::{Account, Ask, Reply, TestApp, served};

const BOUNDARY: &str = "------------------------jangbu";

/// A form of one file and some texts.
fn form(part: &str, name: &str, bytes: &[u8], texts: &[(&str, &str)]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, text) in texts {
        let head = format!(
            "--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n"
        );
        body.extend_from_slice(head.as_bytes());
    }
    // what a browser says of the type is a lie here: nobody may believe it
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

fn sending(shop: &TestApp, method: Method, path: &str, body: Vec<u8>) -> Ask {
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    shop.ask(method, path).body(&kind, body)
}

/// A form of texts, without a file.
fn texts_only(texts: &[(&str, &str)]) -> Vec<u8> {
    let parts = texts.iter().map(|(name, text)| {
        format!("--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n")
    });
    format!("{}--{BOUNDARY}--\r\n", parts.collect::<String>()).into_bytes()
}

async fn give(shop: &TestApp, who: &Account, part: &str, name: &str, bytes: &[u8]) -> Reply {
    let path = "/api/console/files";
    giving(shop, path, part, name, bytes).as_(who).send().await
}

/// A picture that says something: no two of different shades are the same file.
fn picture(width: u32, height: u32, shade: u8) -> DynamicImage {
    let bright = |x: u32| u8::try_from(x % 256).unwrap();
    RgbImage::from_fn(width, height, |x, y| Rgb([bright(x), bright(y), shade])).into()
}

fn written(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Bytes at an address.
async fn fetched(shop: &TestApp, url: &str) -> Vec<u8> {
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

#[tokio::test]
async fn a_picture_is_kept_upright_in_several_widths_without_what_its_camera_wrote() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    // taken sideways: EXIF says that what is left is up
    let jpeg = written(&picture(700, 1000, 7), ImageFormat::Jpeg);
    let exif = b"\xff\xe1\x00\x2aExif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0SECRETPL";
    let sideways = [&jpeg[..2], &exif[..], &jpeg[2..]].concat();
    let kind = format!("multipart/form-data; boundary={BOUNDARY}");
    let texts = [("index", "3"), ("_product", "p-1")];
    let body = form("image", "C:\\사진\\여름.jpg", &sideways, &texts);
    let given = shop
        .ask(reqwest::Method::POST, "/api/console/files")
        .body(&kind, body)
        .as_(&staff)
        .send()
        .await
        .expect(201);
    let file = &given.body["file"];
    assert_eq!(file["name"], "여름.jpg");
    assert_eq!(file["contentType"], "image/webp");
    assert_eq!(
        (&file["width"], &file["height"]),
        (&json!(1000), &json!(700))
    );
    assert_eq!(file["index"], 3);
    assert_eq!(file["owners"], json!({ "_product": "p-1" }));
    let widths: Vec<_> = file["variants"].as_array().unwrap().iter().collect();
    assert_eq!(widths.len(), 3, "1600 would be larger than the picture");
    let whole = fetched(&shop, file["url"].as_str().unwrap()).await;
    assert_eq!(file["size"], whole.len());
    assert!(!whole.windows(8).any(|part| part == b"SECRETPL"));
    assert!(sideways.windows(8).any(|part| part == b"SECRETPL"));
    for (variant, (width, height)) in widths.into_iter().zip([(200, 140), (400, 280), (800, 560)]) {
        assert_eq!(variant["width"], width);
        let bytes = fetched(&shop, variant["url"].as_str().unwrap()).await;
        let image = image::load_from_memory_with_format(&bytes, ImageFormat::WebP).unwrap();
        assert_eq!((image.width(), image.height()), (width, height));
    }

    let served = shop.get(file["url"].as_str().unwrap()).send().await;
    assert_eq!(served.header("content-type"), Some("image/webp"));
    assert_eq!(served.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(
        served.header("cache-control"),
        Some("public, max-age=31536000, immutable")
    );
    let policy = served.header("content-security-policy").unwrap();
    assert!(policy.contains("sandbox") && policy.contains("default-src 'none'"));

    let id = file["_id"].as_str().unwrap();
    let shown = shop
        .get(&format!("/api/v1/files/{id}"))
        .send()
        .await
        .expect(200);
    assert_eq!(&shown.body["file"], file);
}

#[tokio::test]
async fn a_document_is_only_saved_and_an_editor_takes_pictures_only() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let pdf = b"%PDF-1.4\n%%EOF\n";
    let given = give(&shop, &staff, "file", "등록증.pdf", pdf)
        .await
        .expect(201);
    let file = &given.body["file"];
    assert_eq!(file["contentType"], "application/pdf");
    assert_eq!(file["variants"], json!([]));
    assert_eq!(file["width"], Value::Null);
    let url = file["url"].as_str().unwrap();
    let served = shop.get(url).send().await.expect(200);
    assert_eq!(served.header("content-disposition"), Some("attachment"));
    assert_eq!(served.header("content-type"), Some("application/pdf"));
    assert_eq!(fetched(&shop, url).await, pdf);

    let photo = "/api/editor/photo";
    let refused = giving(&shop, photo, "file", "a.png", pdf)
        .as_(&staff)
        .send()
        .await;
    assert_eq!(
        refused.expect(415).complaint(),
        ("file", "unsupported_type")
    );
    let png = written(&picture(10, 10, 1), ImageFormat::Png);
    let kept = giving(&shop, photo, "image", "a.png", &png)
        .as_(&staff)
        .send()
        .await;
    let kept = kept.expect(201);
    fetched(&shop, kept.body["url"].as_str().unwrap()).await;
}

#[tokio::test]
async fn what_a_file_is_called_says_nothing() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let svg: &[u8] = b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    let html: &[u8] = b"<!doctype html><script>alert(1)</script>";
    for (name, bytes) in [
        ("a.svg", svg),
        ("a.png", svg),
        ("a.png", html),
        ("a.png", b""),
    ] {
        let refused = give(&shop, &staff, "image", name, bytes).await.expect(415);
        assert_eq!(refused.code(), "unsupported_media_type");
        assert_eq!(refused.complaint(), ("image", "unsupported_type"), "{name}");
        let message = refused.body["error"]["message"].as_str().unwrap();
        assert!(message.contains("사진만"), "{message}");
    }
    // and the other way round: a picture stays one under any name
    let png = written(&picture(10, 10, 1), ImageFormat::Png);
    let kept = give(&shop, &staff, "image", "a.html", &png)
        .await
        .expect(201);
    assert_eq!(kept.body["file"]["contentType"], "image/webp");
    let missing = give(&shop, &staff, "other", "a.png", &png)
        .await
        .expect(400);
    assert_eq!(missing.complaint(), ("file", "required"));
}

#[tokio::test]
async fn a_picture_that_is_too_much_or_too_little_is_refused() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    // 49 million pixels of one colour in some kilobytes
    let vast = written(&DynamicImage::new_luma8(7_000, 7_000), ImageFormat::Png);
    assert!(vast.len() < 300_000, "{}", vast.len());
    let refused = give(&shop, &staff, "image", "a.png", &vast)
        .await
        .expect(400);
    assert_eq!(refused.complaint(), ("image", "too_many_pixels"));

    for format in [
        ImageFormat::Jpeg,
        ImageFormat::Png,
        ImageFormat::WebP,
        ImageFormat::Gif,
    ] {
        let whole = written(&picture(300, 300, 3), format);
        give(&shop, &staff, "image", "a", &whole).await.expect(201);
        let torn = &whole[..whole.len() / 2];
        let refused = give(&shop, &staff, "image", "a", torn).await.expect(400);
        assert_eq!(refused.complaint(), ("image", "broken_image"), "{format:?}");
    }

    let mut heavy = b"%PDF-1.4\n".to_vec();
    heavy.resize(10 * 1024 * 1024 + 1, b' ');
    let refused = give(&shop, &staff, "file", "a.pdf", &heavy)
        .await
        .expect(413);
    assert_eq!(refused.complaint(), ("file", "too_large"));
    heavy.resize(15 * 1024 * 1024 + 1, b' ');
    let refused = give(&shop, &staff, "file", "a.pdf", &heavy)
        .await
        .expect(413);
    assert_eq!(refused.complaint(), ("file", "too_large"));
}

#[tokio::test]
async fn a_file_of_another_is_not_there() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let (seller, rival) = (
        shop.company("seller12").await,
        shop.company("rival123").await,
    );
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    let png = written(&picture(10, 10, 1), ImageFormat::Png);
    giving(&shop, "/api/v1/files", "image", "a.png", &png)
        .send()
        .await
        .expect(401);
    give(&shop, &hong, "image", "a.png", &png).await.expect(403);

    let mine = giving(&shop, "/api/v1/files", "file", "a.png", &png).as_(&hong);
    let mine = mine.send().await.expect(201);
    let path = format!(
        "/api/v1/files/{}",
        mine.body["file"]["_id"].as_str().unwrap()
    );
    shop.get(&path).as_(&hong).send().await.expect(200);
    shop.get(&path).as_(&staff).send().await.expect(200);
    shop.get(&path).as_(&kim).send().await.expect(404);
    shop.get(&path).send().await.expect(404);

    let sold = give(&shop, &seller, "image", "b.png", &png)
        .await
        .expect(201);
    let id = sold.body["file"]["_id"].as_str().unwrap();
    let path = format!("/api/console/files/{id}");
    shop.get(&path).as_(&rival).send().await.expect(404);
    shop.delete(&path).as_(&rival).send().await.expect(404);
    shop.get(&path).as_(&seller).send().await.expect(200);
    let listed = |reply: Reply| reply.body["summary"]["totalCount"].as_i64().unwrap();
    let all = "/api/console/files";
    assert_eq!(listed(shop.get(all).as_(&staff).send().await), 2);
    assert_eq!(listed(shop.get(all).as_(&seller).send().await), 1);
    assert_eq!(listed(shop.get(all).as_(&rival).send().await), 0);
    shop.get(all).as_(&hong).send().await.expect(403);
}

#[tokio::test]
async fn the_same_content_is_one_file_until_its_last_row_goes() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let seller = shop.company("seller12").await;
    let png = written(&picture(900, 600, 9), ImageFormat::Png);
    let (first, second) = tokio::join!(
        give(&shop, &staff, "image", "a.png", &png),
        give(&shop, &seller, "image", "b.png", &png)
    );
    let (first, second) = (first.expect(201), second.expect(201));
    let (first, second) = (&first.body["file"], &second.body["file"]);
    assert_ne!(first["_id"], second["_id"]);
    assert_eq!(first["url"], second["url"]);
    assert_eq!(first["name"], "a.png");
    assert_eq!(second["name"], "b.png");
    assert_eq!(on_disk(&shop).len(), 4, "{:?}", on_disk(&shop));
    let url = first["url"].as_str().unwrap();
    let remove = |file: &Value| {
        let path = format!("/api/console/files/{}", file["_id"].as_str().unwrap());
        shop.delete(&path).as_(&staff).send()
    };
    remove(first).await.expect(204);
    fetched(&shop, url).await;
    remove(second).await.expect(204);
    shop.get(url).send().await.expect(404);
    assert_eq!(on_disk(&shop), Vec::<String>::new());
    remove(second).await.expect(404);
}

#[tokio::test]
async fn only_files_are_served() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let png = written(&picture(10, 10, 1), ImageFormat::Png);
    let kept = give(&shop, &staff, "image", "a.png", &png)
        .await
        .expect(201);
    let url = kept.body["file"]["url"].as_str().unwrap().to_owned();
    let whole = fetched(&shop, &url).await;
    for width in [200, 1600] {
        let wider = url.replace(".webp", &format!("-{width}.webp"));
        assert_eq!(fetched(&shop, &wider).await, whole, "it is not so wide");
    }
    let secrets: PathBuf = shop.app.settings.data_folder.join("secrets.toml");
    assert!(secrets.exists());
    for wrong in [
        url.replace(".webp", "-300.webp"),
        url.replace(".webp", ".pdf"),
        url.replace(".webp", ".html"),
        url.replace("/files/", "/files/..%2F"),
        "/files/..%2Fsecrets.toml".to_owned(),
        "/files/%2e%2e/secrets.toml".to_owned(),
        "/files/".to_owned(),
        "/files/%00".to_owned(),
    ] {
        let reply = shop.get(&wrong).send().await;
        assert_eq!(reply.status, 404, "{wrong}");
        assert!(!reply.text.contains("master_key"), "{wrong}");
    }
}

#[tokio::test]
async fn a_member_has_so_much_room_and_so_many_tries() {
    let shop = TestApp::with(&[
        ("JANGBU_LIMITS_UPLOADS_PER_MINUTE", "3"),
        ("JANGBU_LIMITS_UPLOADED_BYTES", "30"),
    ])
    .await;
    let (staff, seller) = (shop.console().await, shop.company("seller12").await);
    let pdf = |page: u8| format!("%PDF-1.4 {page} %%EOF\n");
    let first = give(&shop, &staff, "file", "a.pdf", pdf(1).as_bytes()).await;
    first.expect(201);
    let full = give(&shop, &staff, "file", "b.pdf", pdf(2).as_bytes()).await;
    assert_eq!(full.expect(400).complaint(), ("file", "quota"));
    assert_eq!(on_disk(&shop).len(), 1);
    give(&shop, &staff, "file", "c.pdf", b"no")
        .await
        .expect(415);
    let many = give(&shop, &staff, "file", "d.pdf", b"no")
        .await
        .expect(429);
    assert!(many.header("retry-after").is_some());
    let other = give(&shop, &seller, "file", "a.pdf", pdf(3).as_bytes()).await;
    other.expect(201);
}

#[tokio::test]
async fn files_are_there_after_a_restart() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let png = written(&picture(10, 10, 1), ImageFormat::Png);
    let kept = give(&shop, &staff, "image", "a.png", &png)
        .await
        .expect(201);
    let url = kept.body["file"]["url"].as_str().unwrap();
    let again = AppBuilder::new((*shop.app.settings).clone(), &shop.database)
        .clock(shop.clock.clone())
        .search(std::sync::Arc::new(Embedded::in_memory().unwrap()))
        .connections(4)
        .build()
        .await
        .unwrap();
    // the limiter wants to know who asks, so only what is not counted is asked here
    let second = served(router(again)).await;
    let there = shop.get(&format!("{second}{url}")).send().await.expect(200);
    assert_eq!(there.header("content-type"), Some("image/webp"));
    let id = kept.body["file"]["_id"].as_str().unwrap();
    let row = projections::state::files::find(shop.app.pool(), id.parse().unwrap())
        .await
        .unwrap()
        .unwrap();
    assert!(url.contains(&row.hash));
    assert!(
        !serde_json::to_string(&row.name).unwrap().contains("a.png"),
        "the name is sealed"
    );
}

#[tokio::test]
async fn a_file_is_replaced_and_renamed_and_what_it_was_is_kept() {
    let shop = TestApp::start().await;
    let (staff, seller) = (shop.console().await, shop.company("seller12").await);
    let (old, new) = (picture_bytes(1), picture_bytes(2));
    let given = give(&shop, &seller, "image", "봄.png", &old)
        .await
        .expect(201);
    let before = given.body["file"].clone();
    let path = format!("/api/console/files/{}", before["_id"].as_str().unwrap());
    let put =
        |who: &Account, body: Vec<u8>| sending(&shop, Method::PUT, &path, body).as_(who).send();

    let content = form("image", "여름.png", &new, &[("_product", "p-1")]);
    let replaced = put(&staff, content).await.expect(200);
    let after = &replaced.body["file"];
    assert_eq!(after["_id"], before["_id"]);
    assert_ne!(after["url"], before["url"]);
    assert_eq!(
        (&after["name"], &after["owners"]),
        (&json!("여름.png"), &json!({ "_product": "p-1" }))
    );
    let renamed = put(
        &seller,
        texts_only(&[("name", "한여름.png"), ("index", "4")]),
    )
    .await
    .expect(200);
    let named = &renamed.body["file"];
    assert_eq!(
        (&named["name"], &named["index"], &named["url"]),
        (&json!("한여름.png"), &json!(4), &after["url"])
    );
    assert_eq!(named["owners"], after["owners"], "what is not said stays");
    let shown = shop.get(&path).as_(&seller).send().await.expect(200);
    assert_eq!(&shown.body["file"], named);

    // what shows the old one still shows it, and its history says when it was what, and who replaced it
    fetched(&shop, before["url"].as_str().unwrap()).await;
    let past = shop.get(&format!("{path}/history")).as_(&seller);
    let past = past.send().await.expect(200).body["versions"].clone();
    let told: Vec<_> = past.as_array().unwrap().iter().collect();
    assert_eq!(told.len(), 2);
    assert_eq!(
        (&told[0]["name"], &told[0]["url"], &told[0]["replacedBy"]),
        (&after["name"], &after["url"], &json!("seller12"))
    );
    assert_eq!(
        (&told[1]["name"], &told[1]["url"]),
        (&before["name"], &before["url"])
    );
    // the log tells it, and nobody what the file was called
    let id = before["_id"].as_str().unwrap();
    let story = async || {
        let path = format!("/api/console/history/file/{id}");
        let told = shop.get(&path).as_(&staff).send().await.expect(200);
        assert!(!told.text.contains("봄.png"), "{}", told.text);
        told.body["events"].as_array().unwrap().clone()
    };
    let events = story().await;
    let who: Vec<_> = events.iter().map(|event| &event["actor"]["id"]).collect();
    assert_eq!(who, [&json!(staff.id), &json!(seller.id)]);
    let (first, says) = (&events[0], &events[0]["data"]["FileReplaced"]);
    assert_eq!(
        (&first["type"], &first["position"], &first["commandTitle"]),
        (
            &json!("FileReplaced"),
            &told[1]["position"],
            &json!("파일 교체")
        )
    );
    for (side, file) in [("before", &before), ("after", after)] {
        let (url, hash) = (file["url"].as_str().unwrap(), &says[side]["hash"]);
        assert!(url.contains(hash.as_str().unwrap()), "{side}");
        assert_eq!(says[side]["size"], file["size"], "{side}");
    }
    // what it is already is nothing that happened
    let same = form("image", "한여름.png", &new, &[]);
    let same = put(&staff, same).await.expect(200);
    assert_eq!(&same.body["file"], named);
    assert_eq!(story().await.len(), 2);
    let listed = shop.get("/api/console/files").as_(&staff).send().await;
    assert_eq!(
        listed.body["summary"]["totalCount"], 1,
        "an earlier one is no file of its own"
    );

    let nothing = put(&seller, texts_only(&[])).await.expect(400);
    assert_eq!(nothing.complaint(), ("file", "required"));
    let nameless = put(&seller, texts_only(&[("name", " ")])).await.expect(400);
    assert_eq!(nameless.complaint(), ("name", "required"));
    let wrong = put(&seller, form("file", "a.html", b"<b>", &[])).await;
    assert_eq!(wrong.expect(415).complaint(), ("file", "unsupported_type"));

    shop.delete(&path).as_(&seller).send().await.expect(204);
    assert_eq!(on_disk(&shop), Vec::<String>::new(), "its history goes too");
    put(&seller, texts_only(&[("name", "a.png")]))
        .await
        .expect(404);
}

/// Between the event and the row of the list the program may die.
#[tokio::test]
async fn a_file_whose_replacing_was_cut_off_becomes_what_the_log_says() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let given = give(&shop, &staff, "image", "a.png", &picture_bytes(1)).await;
    let before = given.expect(201).body["file"].clone();
    let path = format!("/api/console/files/{}", before["_id"].as_str().unwrap());
    // the row is written by whoever comes second
    sqlx::raw_sql(
        "CREATE SEQUENCE cut_off;
         CREATE FUNCTION cut_off() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN IF nextval('cut_off') = 1 THEN RAISE EXCEPTION 'cut off'; END IF; RETURN new; END $$;
         CREATE TRIGGER cut_off BEFORE UPDATE ON files FOR EACH ROW EXECUTE FUNCTION cut_off()",
    )
    .execute(shop.app.pool())
    .await
    .unwrap();
    let body = form("image", "b.png", &picture_bytes(2), &[]);
    let put = sending(&shop, Method::PUT, &path, body).as_(&staff);
    put.send().await.expect(500);
    let mut after = before.clone();
    event_store::testing::until("the row follows", async || {
        let shown = shop.get(&path).as_(&staff).send().await.expect(200);
        after = shown.body["file"].clone();
        after["url"] != before["url"]
    })
    .await;
    assert_eq!(after["name"], "b.png");
    fetched(&shop, after["url"].as_str().unwrap()).await;
    let past = shop.get(&format!("{path}/history")).as_(&staff).send();
    let past = past.await.expect(200).body["versions"].clone();
    assert_eq!(past.as_array().unwrap().len(), 1);
    assert_eq!(past[0]["url"], before["url"]);
}

#[tokio::test]
async fn whose_file_it_is_decides_who_replaces_it() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let (seller, rival) = (
        shop.company("seller12").await,
        shop.company("rival123").await,
    );
    let hong = shop.sign_up("hong1234").await;
    let sold = give(&shop, &seller, "image", "a.png", &picture_bytes(1)).await;
    let own = giving(&shop, "/api/v1/files", "file", "b.png", &picture_bytes(2)).as_(&hong);
    let said = giving(
        &shop,
        "/api/v1/shop/review-images",
        "image",
        "c.png",
        &picture_bytes(3),
    )
    .as_(&hong);
    let id = |reply: Reply| {
        reply.expect(201).body["file"]["_id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (sold, own, said) = (id(sold), id(own.send().await), id(said.send().await));
    let put = |who: &Account, id: &str| {
        let body = form("image", "z.png", &picture_bytes(9), &[]);
        let path = format!("/api/console/files/{id}");
        sending(&shop, Method::PUT, &path, body).as_(who).send()
    };
    put(&rival, &sold).await.expect(404);
    put(&hong, &sold).await.expect(403);
    for theirs in [&own, &said] {
        let refused = put(&staff, theirs).await.expect(403);
        assert_eq!(
            refused.code(),
            "access_denied",
            "members' words stay theirs"
        );
    }
    put(&staff, &sold).await.expect(200);
}

#[tokio::test]
async fn replacing_takes_room_and_naming_takes_none() {
    let shop = TestApp::with(&[("JANGBU_LIMITS_UPLOADED_BYTES", "40")]).await;
    let staff = shop.console().await;
    let pdf = |page: u8| format!("%PDF-1.4 {page} %%EOF\n").into_bytes();
    let given = give(&shop, &staff, "file", "a.pdf", &pdf(1))
        .await
        .expect(201);
    let path = format!(
        "/api/console/files/{}",
        given.body["file"]["_id"].as_str().unwrap()
    );
    let put = |body: Vec<u8>| sending(&shop, Method::PUT, &path, body).as_(&staff).send();
    for name in ["b.pdf", "c.pdf", "d.pdf"] {
        put(texts_only(&[("name", name)])).await.expect(200);
    }
    put(form("file", "e.pdf", &pdf(2), &[])).await.expect(200);
    let full = put(form("file", "f.pdf", &pdf(3), &[])).await.expect(400);
    assert_eq!(full.complaint(), ("file", "quota"));
    let back = put(form("file", "a.pdf", &pdf(1), &[])).await.expect(200);
    assert_eq!(back.body["file"]["url"], given.body["file"]["url"]);
}

/// Replacing holds a connection and uses others: together they never hold so many that none is left.
#[tokio::test]
async fn more_replace_a_file_at_once_than_there_are_connections() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let given = give(&shop, &staff, "image", "a.png", &picture_bytes(1)).await;
    let id = given.expect(201).body["file"]["_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/console/files/{id}");
    let replacing = (0..16).map(|n| {
        let body = texts_only(&[("name", &format!("{n}.png"))]);
        sending(&shop, Method::PUT, &path, body).as_(&staff).send()
    });
    let replaced = futures::future::join_all(replacing).await;
    let statuses: Vec<u16> = replaced.iter().map(|reply| reply.status).collect();
    assert!(statuses.contains(&200), "{statuses:?}");
    assert!(statuses.iter().all(|status| *status < 500), "{statuses:?}");
}
