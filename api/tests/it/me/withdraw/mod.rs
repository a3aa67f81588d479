//! Closing an account: no personal data is kept except statutory records, and those are erased at the end of their period.

mod members;
mod races;
mod sellers;

use api::tokens::Bearer;
use domain::ids::ProductId;
use projections::state::erasure::TABLES;
use serde_json::json;
use uuid::Uuid;

use crate::support::pictures::{giving, picture_bytes};
use crate::support::{Account, Reply, TestApp};

/// The personal data given to the shop.
pub const PERSONAL: [&str; 9] = [
    "홍길동",
    "김받음",
    "leaver01",
    "01012345678",
    "01087654321",
    "hong@example.com",
    "테헤란로",
    "비밀편지.png",
    WHY,
];

/// The reason for a cancellation, as free text.
pub const WHY: &str = "비밀사유";

pub async fn withdraw(shop: &TestApp, who: &Account, password: &str) -> Reply {
    let form = json!({ "password": password, "reason": "PRIVACY" });
    let reply = shop.post("/api/v1/me/withdraw", &form);
    reply.as_(who).send().await
}

/// With the token as accepted by a process that does not know yet that the sign-in has ended.
pub fn unnoticed(shop: &TestApp, who: Account) -> Account {
    let now = shop.app.clock.now();
    let Bearer::Member(session, _) = shop.app.tokens.read(&who.token, now).unwrap() else {
        unreachable!("a member's token")
    };
    let token = shop.app.tokens.access(&session, Uuid::now_v7(), now);
    Account {
        token: token.unwrap(),
        ..who
    }
}

/// Tables with a member column that closing an account does not clear.
pub async fn kept_tables(shop: &TestApp) -> Vec<String> {
    let columns: Vec<(String, String)> = sqlx::query_as(
        "SELECT c.table_name::text, c.column_name::text FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
         WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name NOT LIKE 'p\\_%'
           AND c.data_type = 'uuid' AND c.column_name IN ('member', 'owner', 'buyer', 'author', 'user', '_user') ORDER BY 1",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    columns
        .into_iter()
        .filter(|(table, column)| !TABLES.contains(&(table.as_str(), column.as_str())))
        .map(|(table, _)| table)
        .collect()
}

/// Number of rows of a member in the tables to be cleared.
pub async fn rows_left(shop: &TestApp, member: &str) -> Vec<(&'static str, i64)> {
    let member: Uuid = member.parse().unwrap();
    let mut left = Vec::new();
    for (table, column) in TABLES {
        let sql = format!("SELECT count(*) FROM {table} WHERE {column} = $1");
        let count = sqlx::query_scalar(&sql).bind(member);
        left.push((table, count.fetch_one(shop.app.pool()).await.unwrap()));
    }
    left
}

/// Purposes of the member's remaining keys.
pub async fn keys_left(shop: &TestApp, member: &str) -> Vec<String> {
    let sql = "SELECT purpose FROM keys.data_key WHERE subject = $1::uuid AND wrapped IS NOT NULL";
    let keys = sqlx::query_scalar(sql).bind(member);
    keys.fetch_all(shop.app.pool()).await.unwrap()
}

/// Creates data of the member in all tables.
pub async fn lives(shop: &TestApp, who: &Account, product: ProductId) {
    let body = json!({ "_product": product });
    for path in ["/api/v1/me/likes", "/api/v1/me/watches"] {
        let status = shop.post(path, &body).as_(who).send().await.status;
        assert!((200..300).contains(&status), "{path}: {status}");
    }
    let cart = json!({ "_product": product, "quantity": 1 });
    shop.post("/api/v1/me/carts", &cart)
        .as_(who)
        .send()
        .await
        .expect(200);
    let home = json!({ "name": "김받음", "phone": "010-8765-4321", "postcode": "06236", "address1": "서울시 강남구 테헤란로 1" });
    shop.post("/api/v1/me/destinations", &home)
        .as_(who)
        .send()
        .await
        .expect(201);
    let quiet = json!({ "isShow": true, "disabledCategories": [] });
    shop.put("/api/v1/me", &json!({ "noti": quiet }))
        .as_(who)
        .send()
        .await;
    giving(
        shop,
        "/api/v1/files",
        "image",
        "비밀편지.png",
        &picture_bytes(7),
    )
    .as_(who)
    .send()
    .await
    .expect(201);
}
