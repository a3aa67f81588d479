//! Replacing and renaming files.

use reqwest::Method;
use serde_json::json;

use crate::support::pictures::{
    fetched, form, give, giving, on_disk, picture_bytes, sending, texts_only,
};
use crate::support::{Account, Reply, TestApp};

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

    // Pages with the old version still show it, and its history has the times of replacement and the member who replaced it.
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
    // The event is in the log, without the name of the file.
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
    // Unchanged values cause no event.
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

/// The program may stop between the event and the update of the row.
#[tokio::test]
async fn a_file_whose_replacing_was_cut_off_becomes_what_the_log_says() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let given = give(&shop, &staff, "image", "a.png", &picture_bytes(1)).await;
    let before = given.expect(201).body["file"].clone();
    let path = format!("/api/console/files/{}", before["_id"].as_str().unwrap());
    // The second replacement updates the row.
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

/// Replacing a file holds a connection and uses others: concurrent replacements never use up the pool.
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
