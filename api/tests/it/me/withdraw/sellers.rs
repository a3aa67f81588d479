//! Closing a seller's account: their products and their public content.

use std::io;
use std::path::PathBuf;

use api::audit::forget;
use api::audit::verify::report_text;
use projections::state::search_rebuilds;
use projections::verify::verify;
use search_index::Query;
use serde_json::json;
use uuid::Uuid;

use crate::me::withdraw::{rows_left, unnoticed, withdraw};
use crate::support::pictures::{giving, on_disk, picture_bytes};
use crate::support::reviews::read;
use crate::support::{TestApp, files_in, until};

/// The files that may contain `word`: for an embedded index, whose words are packed, all non-empty files; for a search server, whose folder
/// is in `MEILISEARCH_DB_PATH` if it is on this machine, the files with the word. An error if an index vanishes meanwhile.
fn telling_of(shop: &TestApp, word: &str) -> io::Result<Vec<PathBuf>> {
    let server = shop.app.settings.search.meilisearch_url.is_some();
    let folder = match std::env::var("MEILISEARCH_DB_PATH") {
        Ok(folder) if server => PathBuf::from(folder),
        Err(_) if server => return Ok(Vec::new()),
        _ => shop.app.settings.search_folder(),
    };
    let word = word.as_bytes();
    let tells = |bytes: &[u8]| match server {
        true => bytes.windows(word.len()).any(|part| part == word),
        false => !bytes.is_empty(),
    };
    let files = files_in(&folder)?.into_iter();
    let telling = files.filter(|(_, bytes)| tells(bytes));
    Ok(telling.map(|(name, _)| name).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seller_who_left_is_no_longer_in_the_search_engine() {
    let shop = TestApp::searched().await;
    // A server keeps data of earlier runs of this test.
    let name = format!("pom{:08x}", Uuid::new_v4().as_fields().0);
    let seller = shop.company(&name).await;
    let product = shop.product(seller.id.parse().unwrap(), 10_000, 10).await;
    // Products are found by their seller's name.
    let found = async |wanted: bool| -> Option<()> {
        let query = Query {
            text: Some(name.clone()),
            limit: 10,
            ..Query::default()
        };
        // A server's index can be queried once it is set up.
        let found = shop.app.search.search(query).await.ok()?;
        (found.ids.contains(&product.0) == wanted).then_some(())
    };
    until("found by who sells it", async || found(true).await).await;
    let telling = telling_of(&shop, &name).unwrap();
    let unseen = shop.app.search.is_shared() && std::env::var("MEILISEARCH_DB_PATH").is_err();
    assert_eq!(telling.is_empty(), unseen);
    let documents = async || -> i64 {
        let left = rows_left(&shop, &seller.id).await;
        let found = left.iter().find(|(table, _)| *table == "documents");
        found.unwrap().1
    };
    assert_eq!(documents().await, 1, "their registration copy");
    forget::run(&shop.app, &seller.id).await.unwrap();
    until("found no more", async || found(false).await).await;
    // Words of a closed account are removed from disk, because the index is rebuilt.
    let rebuilt = seller.id.parse().unwrap();
    let index = until("the index is built anew", async || {
        let asked = search_rebuilds::find(shop.app.pool(), rebuilt).await;
        asked.unwrap().filter(|index| index.ended_at.is_some())
    })
    .await;
    assert_eq!(index.error, None);
    until("found no more", async || found(false).await).await;
    until("no file of then is left", async || {
        let mut still = telling_of(&shop, &name).ok()?.into_iter();
        (!still.any(|file| telling.contains(&file))).then_some(())
    })
    .await;
    assert_eq!(documents().await, 0);
    let reserved: Vec<String> =
        sqlx::query_scalar("SELECT scope FROM reservations WHERE owner = $1")
            .bind(&seller.id)
            .fetch_all(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(reserved, Vec::<String>::new());
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    assert!(report.is_clean(), "{}", report_text(&report));
    let page = format!("/api/v1/shop/products/{product}");
    read(&shop, &page, None).await.expect(404);
    shop.ended().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_somebody_sold_who_left_is_on_no_shelf_and_comes_back_under_another_seller() {
    let shop = TestApp::start().await;
    let staff = shop.console().await;
    let buyer = shop.sign_up("patient1").await;
    let seller = shop.company("goingco9").await;
    let heir = shop.company("comingco").await;
    shop.console_product(&heir, "P-HEIR").await;
    let product = shop.console_product(&seller, "P-GONE").await;
    let id = product["_id"].as_str().unwrap();
    let page = format!("/api/v1/shop/products/{id}");
    read(&shop, &page, None).await.expect(200);
    withdraw(&shop, &seller, &seller.password).await.expect(200);
    read(&shop, &page, None).await.expect(404);
    let listed = read(&shop, "/api/v1/shop/products?code=P-GONE", None).await;
    assert_eq!(listed.expect(200).body["summary"]["totalCount"], 0);
    let refused = shop.order(&buyer, id.parse().unwrap(), 1).await.expect(409);
    assert_eq!(refused.code(), "not_on_sale");
    // The history of the record shows this, with the reason.
    let told = format!("/api/console/history/record/{id}");
    let told = read(&shop, &told, Some(&staff)).await;
    assert!(told.text.contains("판매자 탈퇴"), "{}", told.text);

    // Neither their remaining token nor staff can make it theirs again.
    let kept = format!("/api/console/shop/products/{id}");
    let shown = json!({ "version": 2, "shows": true });
    let refused = shop.put(&kept, &shown).as_(&seller).send().await;
    assert_eq!(refused.expect(401).code(), "token_invalid");
    let seller = unnoticed(&shop, seller);
    let refused = shop.put(&kept, &shown).as_(&seller).send().await;
    assert_eq!(refused.expect(401).code(), "login_required");
    let refused = shop.put(&kept, &shown).as_(&staff).send().await;
    assert_eq!(refused.expect(400).complaint().1, "left");
    let given = json!({ "version": 2, "shows": true, "_seller": heir.id });
    let given = shop.put(&kept, &given).as_(&staff).send().await;
    given.expect(200);
    read(&shop, &page, None).await.expect(200);
    shop.order(&buyer, id.parse().unwrap(), 1).await.expect(201);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_company_takes_its_review_pictures_along_and_leaves_what_it_showed() {
    let shop = TestApp::start().await;
    let company = shop.company("goingco1").await;
    let give = async |path: &str, part: &str, shade: u8| {
        let given = giving(&shop, path, part, "사진.png", &picture_bytes(shade));
        given.as_(&company).send().await.expect(201);
    };
    give("/api/console/files", "image", 21).await;
    let shown = on_disk(&shop);
    assert!(!shown.is_empty());
    give("/api/v1/shop/review-images", "image", 22).await;
    assert!(on_disk(&shop).len() > shown.len());
    forget::run(&shop.app, &company.id).await.unwrap();
    assert_eq!(on_disk(&shop), shown);
}
