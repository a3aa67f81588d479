//! Stored strings, and strings that clients depend on, as literals: a rename in the code must not change them.
//!
//! A name that is not in `fixtures/stored_names.json` is new and is added there. One that is there and not written any more is still in old
//! data: it stays readable, or its removal is decided in docs/decisions.

use std::collections::BTreeSet;

use api::command_titles::command_title;
use api::http::{Code, Outcome, status_of};
use domain::Purpose;
use domain::ids::derived_id;
use event_store::testing::Database;
use event_store::{KeyRing, MasterKey};
use serde_json::Value;

use crate::support::TestApp;

const FIXTURE: &str = include_str!("fixtures/stored_names.json");

/// Names written by the demonstration, which uses every command of members, sellers and staff.
const ASKED: &[(&str, &str)] = &[
    (
        "commands",
        "SELECT DISTINCT metadata ->> 'command' FROM events WHERE metadata ->> 'command' IS NOT NULL",
    ),
    (
        "actors",
        "SELECT DISTINCT concat_ws(' ', actor ->> 'kind', actor ->> 'name')
         FROM (SELECT (metadata ->> 'actor')::json AS actor FROM events) actors",
    ),
    ("idempotency", "SELECT DISTINCT scope FROM command_dedup"),
    ("reservations", "SELECT DISTINCT scope FROM reservations"),
    ("purposes", "SELECT DISTINCT purpose FROM keys.data_key"),
    (
        "followers",
        "SELECT DISTINCT name || ' ' || version FROM projection_checkpoint",
    ),
    (
        "tables",
        "SELECT table_schema || '.' || table_name FROM information_schema.tables
         WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
           AND table_name NOT LIKE 'test%'",
    ),
];

/// Replaces ids by `*`.
fn without_ids(text: &str) -> String {
    let words = text.split(' ').map(|word| {
        if uuid::Uuid::parse_str(word).is_ok() {
            "*"
        } else {
            word
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn names_in_the_database_stay() {
    let shop = TestApp::seeded().await;
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    let mut written = serde_json::Map::new();
    for (what, sql) in ASKED {
        let names: Vec<String> = sqlx::query_scalar(sql)
            .fetch_all(shop.app.pool())
            .await
            .unwrap();
        let names: BTreeSet<String> = names.iter().map(|name| without_ids(name)).collect();
        written.insert(
            (*what).to_owned(),
            names.into_iter().collect::<Vec<_>>().into(),
        );
    }
    if std::env::var_os("SHOW_STORED_NAMES").is_some() {
        println!("{}", serde_json::to_string_pretty(&written).unwrap());
    }
    for (what, names) in &written {
        assert_eq!(names, &fixture[what], "{what}");
    }
}

/// The secret that signs the chain of blocks, derived from the master key 01 02 .. 20.
const CHAIN_SECRET: &str = "61a56c6f68ea2d97559e5f87646497a3a5df574f4d5d9596de543dc36857c132";
/// The lookup hash of `a value` in each scope, computed outside this program: HMAC-SHA256 over length-prefixed parts.
const HASHES: &[(&str, &str)] = &[
    (
        "username",
        "c538b13e1b44b3e6b893ee70541ff237ac8ef7206797b124bcc9079014c79323",
    ),
    (
        "nickname",
        "914a9203fe9aaab860351b8cff628a9cace463bd64e3ee6d2d3ce8aacce53b04",
    ),
    (
        "document",
        "31b0c62ec290628da5090776eb6d3489e822a359ef39fe161a20f1ef073178ab",
    ),
    (
        "command-body",
        "590d7f8e1b9e2623ecb8ca1533a29b77623634f1e9796fa505adb23d067bfb69",
    ),
    (
        "order-no",
        "8435376dc9c6317bf3c82820361d9b742d2c15c9745b8f5f9bdbc2b9ca6ef481",
    ),
    (
        "order-phone",
        "73aba6e4c463a51c727b078438ab64df509c140eef0e77ddae5b73ce2534d011",
    ),
    (
        "order-name",
        "ccb2b762011145ff59f538958933b99756133863a1730a91079fa59d51463206",
    ),
    (
        "unpaid-guest",
        "39f228faf816630744ebead89780ecee66fd8923626c39ca27c3d5f8290b963c",
    ),
    (
        "member-day",
        "09767c98811136410ac06a8b054cebaf9cfcdfa057a7a86098d40b72b5931909",
    ),
    (
        "payment-tid",
        "6fa6742a59ec415f080930f9aafefb7c382cc883a163e83410223df5959b7ddf",
    ),
    (
        "payment-way-back",
        "007cdedca26554c5f5b7281e1c00457448f1a906f422ce3f8d594ebdb83297b3",
    ),
    (
        "password-tries:name",
        "e318a90f6e0c82cf4547c15018fa05a4787a95030fd4559adc38323458d747e3",
    ),
    (
        "password-tries:device",
        "5f2206c0ced1e6193edae9c57d8619c6ee4d7178f90ec8ea30b65936ccd9ef7a",
    ),
    (
        "password-tries:confirm",
        "5963dcc4dfb1d7abbcf495c81c78634e5668d95e758a12a973b8bda7db633237",
    ),
    (
        "coupon-code",
        "6d9757d97618eadda03a8f83b689a5e218c1b92c04e7a7f85d58b981b1063923",
    ),
    (
        "coupon-code:member",
        "1f43a4f27b44cd7be53b4db3b5a6f38294c69d4a11ced0b251589e75b40012ff",
    ),
    (
        "coupon-code:address",
        "cacfdefd998c6b0102a861cfd20a3255be170325054ef565a034f87246169e58",
    ),
    (
        "raffle-entry",
        "112f6e77e6ca149d7c2813b5f923fe3a291925906c70172034f97303af97788d",
    ),
];
/// Every error code: status, and whether a retry can help.
const CODES: &[&str] = &[
    "malformed_json 400 refused",
    "invalid_body 400 refused",
    "invalid_query 400 refused",
    "invalid 400 refused",
    "unknown_members 400 refused",
    "login_required 401 refused",
    "token_expired 401 refused",
    "token_invalid 401 refused",
    "token_reused 401 refused",
    "bad_credentials 401 refused",
    "link_invalid 409 refused",
    "link_used 409 refused",
    "link_expired 409 refused",
    "access_denied 403 refused",
    "not_found 404 refused",
    "method_not_allowed 405 refused",
    "ledger_immutable 405 refused",
    "version_conflict 409 later",
    "not_allowed_now 409 refused",
    "claim_of_several_sellers 409 refused",
    "refund_changed 409 refused",
    "in_use 409 refused",
    "review_written 409 refused",
    "purchase_not_confirmed 409 refused",
    "username_taken 409 refused",
    "nickname_taken 409 refused",
    "email_taken 409 refused",
    "code_taken 409 refused",
    "date_taken 409 refused",
    "sold_out 409 refused",
    "not_on_sale 409 refused",
    "coupon_used_up 409 refused",
    "coupon_used 409 refused",
    "coupon_expired 409 refused",
    "coupon_not_applicable 409 refused",
    "coupon_drawn 409 refused",
    "coupon_taken 409 refused",
    "points_short 409 refused",
    "points_expired 409 refused",
    "nothing_left 409 refused",
    "price_changed 409 refused",
    "cart_ordered 409 refused",
    "cart_changed 409 refused",
    "unpaid_limit 409 refused",
    "payment_refused 409 refused",
    "too_large 413 refused",
    "unsupported_media_type 415 refused",
    "idempotency_key_reused 422 refused",
    "too_many_requests 429 later",
    "internal 500 fault",
    "unavailable 503 later",
    "search_unavailable 503 later",
    "outdated 503 later",
    "read_only 503 later",
    "timed_out 504 fault",
];

#[tokio::test]
async fn keyed_hashes_stay() {
    let master = MasterKey::from_base64("AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=").unwrap();
    assert_eq!(hex::encode(master.chain_secret()), CHAIN_SECRET);
    let ring = KeyRing::new(
        Database::create().await.store().await.pool().clone(),
        master,
    );
    for (scope, hash) in HASHES {
        let written = hex::encode(ring.lookup_hash(scope, "a value"));
        assert_eq!(written, *hash, "{scope}");
    }
}

#[test]
fn derived_ids_stay() {
    let (one, other) = (
        "018f0000-0000-7000-8000-000000000001",
        "018f0000-0000-7000-8000-000000000002",
    );
    for (key, id) in [
        (
            format!("alarm {one}"),
            "8a9ec567-aae5-89aa-8e49-a63d3cfa3d98",
        ),
        (
            "purchase A-1".to_owned(),
            "9fac4bfd-1ffc-8c92-a5eb-b7211646be37",
        ),
        (
            "review of A-1".to_owned(),
            "72bbfb80-080b-8fa2-9b70-ecdfbb8383ba",
        ),
        (
            format!("coupon {one} of {other}, 3"),
            "858d639e-961d-8280-aa11-f45f382b0ab1",
        ),
        (format!("{one} 2"), "9b2a7774-9529-8c7f-9679-6c2667d414a1"),
        (
            format!("exchange-fee {one}"),
            "95a4abbf-ba86-8697-a784-e57fc8e3a41d",
        ),
        (
            format!("alarm sending {one} {other}"),
            "9e3da223-b6e2-8e19-a4b5-f7896e1119e6",
        ),
        (
            format!("message sending {one} {other}"),
            "f7b3506d-16e0-8cfc-8bc6-bd47fe74abae",
        ),
        (
            format!("bulk-grant {one} {other}"),
            "415eac98-4407-83a5-94ea-3c8c321e2714",
        ),
        (
            "coupon codes K7QF".to_owned(),
            "3bec6892-99ce-893f-8660-0172d9d3988b",
        ),
        (
            format!("raffle {one} of {other}"),
            "eeb40cc8-1238-8b7e-9f8c-14824243bcf0",
        ),
    ] {
        assert_eq!(derived_id(&key).to_string(), id, "{key}");
    }
}

#[test]
fn commands_keep_their_names_and_titles() {
    let fixture: Value = serde_json::from_str(FIXTURE).unwrap();
    for name in fixture["titled"].as_array().unwrap() {
        let name = name.as_str().unwrap();
        assert_ne!(command_title(name), name);
    }
}

#[test]
fn purposes_stay() {
    assert_eq!(Purpose::Profile.as_str(), "profile");
    assert_eq!(Purpose::Statutory.as_str(), "statutory");
}

/// Policies continue, retry or stop depending on the outcome: a changed one can grant points twice, or never.
#[test]
fn error_codes_keep_status_and_outcome() {
    let written: Vec<String> = Code::ALL
        .iter()
        .map(|code| {
            let outcome = match code.outcome() {
                Outcome::Refused => "refused",
                Outcome::Later => "later",
                Outcome::Fault => "fault",
            };
            format!("{} {} {outcome}", code.as_str(), status_of(*code).as_u16())
        })
        .collect();
    assert_eq!(written, CODES);
}
