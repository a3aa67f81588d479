//! Uploaded files.

use std::path::PathBuf;

use api::app::AppBuilder;
use api::router::router;
use image::{DynamicImage, ImageFormat};
use search_index::EmbeddedEngine;
use serde_json::{Value, json};

use crate::support::pictures::{BOUNDARY, fetched, form, give, giving, on_disk, picture, written};
use crate::support::{Reply, TestApp, served};

#[tokio::test]
async fn a_picture_is_kept_upright_in_several_widths_without_what_its_camera_wrote() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    // A rotated photo: its EXIF orientation says that its left side is up.
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
    // And vice versa: a picture is detected under any name.
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
    // 49 million pixels of one colour in a few kilobytes.
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
        .search(std::sync::Arc::new(EmbeddedEngine::in_memory().unwrap()))
        .connections(4)
        .build()
        .await
        .unwrap();
    // The rate limit needs the client address, so only requests that are not counted are sent here.
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
