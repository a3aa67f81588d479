//! The site setting, membership levels, islands and shipping groups, which exist before the first product.

use std::collections::BTreeMap;

use application::access::Session;
use serde_json::{Value, json};

use crate::client::ApiClient;

/// Islands by postcode (domain facts 6.2), and their areas.
const ISLANDS: [(&str, &str, &str, &str); 34] = [
    ("제주", "63000", "63644", "jeju"),
    ("인천 중구", "22386", "22388", "island"),
    ("인천 강화", "23004", "23010", "island"),
    ("인천 옹진 북부", "23100", "23116", "island"),
    ("인천 옹진 남부", "23124", "23136", "island"),
    ("당진", "31708", "31708", "island"),
    ("태안", "32133", "32133", "island"),
    ("보령", "33411", "33411", "island"),
    ("울릉", "40200", "40240", "island"),
    ("부산 강서", "46768", "46771", "island"),
    ("사천", "52570", "52571", "island"),
    ("통영 사량", "53031", "53033", "island"),
    ("통영 한산·욕지", "53089", "53104", "island"),
    ("군산", "54000", "54000", "island"),
    ("부안", "56347", "56349", "island"),
    ("영광", "57068", "57069", "island"),
    ("목포", "58760", "58762", "island"),
    ("신안 1", "58800", "58810", "island"),
    ("신안 2", "58816", "58818", "island"),
    ("신안 3", "58826", "58826", "island"),
    ("신안 4", "58828", "58866", "island"),
    ("진도", "58953", "58958", "island"),
    ("완도 1", "59102", "59103", "island"),
    ("완도 2", "59106", "59106", "island"),
    ("완도 3", "59127", "59127", "island"),
    ("완도 4", "59129", "59129", "island"),
    ("완도 5", "59137", "59166", "island"),
    ("여수 1", "59650", "59650", "island"),
    ("여수 2", "59766", "59766", "island"),
    ("여수 3", "59781", "59790", "island"),
    ("여수 4", "59421", "59421", "island"),
    ("여수 5", "59531", "59531", "island"),
    ("여수 6", "59558", "59558", "island"),
    ("여수 7", "59563", "59563", "island"),
];

/// Creates the site setting, levels and islands: before any member joins, so that members start in the welcome level.
pub(crate) async fn set_up(client: &mut ApiClient, operator: &Session) -> anyhow::Result<()> {
    let operator = Some(operator);
    let setting = json!({
        "name": "장부상회", "currency": { "code": "USD", "exponent": 2, "step": 1 },
        "unpaidDeadlineMinutes": 1_440, "autoConfirmDays": 7,
        "reviewPoints": { "text": 50, "photo": 100 },
        "company": {
            "name": "주식회사 장부상회", "ceoName": "문장부", "registration": "201-81-00001",
            "licenseCode": "2024-서울중구-0001", "address": "서울특별시 중구 장부길 1", "tel": "02-2001-0000",
            "email": "help@example.com", "bankAccount": "국민은행 000000-00-000000 주식회사 장부상회",
        },
    });
    client
        .post(operator, "/api/console/setting", &setting)
        .await?;
    let levels = [
        ("welcome", "웰컴", Value::Null, 1),
        ("silver", "실버", percent(1, 2_000), 2),
        ("gold", "골드", percent(3, 5_000), 3),
    ];
    for (index, (code, name, discount, points)) in levels.into_iter().enumerate() {
        let level = json!({
            "code": code, "name": name, "index": index, "isActive": true, "isWelcome": index == 0, "discount": discount,
            "pointsPercent": points,
        });
        client.post(operator, "/api/console/levels", &level).await?;
    }
    for (name, starts, ends, area) in ISLANDS {
        let island = json!({ "name": name, "starts": starts, "ends": ends, "area": area });
        client
            .post(operator, "/api/console/shop/islands", &island)
            .await?;
    }
    Ok(())
}

/// Creates the shipping group of each seller.
pub(crate) async fn create_shippings(
    client: &mut ApiClient,
    sellers: &BTreeMap<String, Session>,
) -> anyhow::Result<()> {
    for (key, options) in shippings() {
        let Some(seller) = sellers.get(key) else {
            continue;
        };
        let group = json!({ "name": "기본 배송", "isDefault": true, "isActive": true, "options": [options] });
        client
            .post(Some(seller), "/api/console/shop/shippings", &group)
            .await?;
    }
    Ok(())
}

fn percent(value: u8, limit: i64) -> Value {
    json!({ "unit": "PERCENT", "value": value, "limit": limit })
}

/// The shipping of each seller: fees by price, by piece, fixed or paid on delivery. The dispatch time is only part of its name.
fn shippings() -> [(&'static str, Value); 12] {
    let islands = |base: i64, jeju: i64| json!({ "isActive": true, "amount__base": base, "amount__jeju": jeju });
    [
        (
            "hangang",
            json!({
                "name": "영업일 2일 안에 출발", "bundleType": "bundle", "chargeType": "price-range",
                "pricesRange": [{ "price": 0, "amount": 3_000 }, { "price": 100_000, "amount": 0 }], "island": islands(5_000, 4_000),
            }),
        ),
        (
            "namsan",
            json!({
                "name": "화물, 영업일 3일 안에 출발", "bundleType": "piece", "chargeType": "fixed", "fixedAmount": 1_500, "island": islands(6_000, 4_500),
                "service": { "isActive": true, "amount": 500 },
            }),
        ),
        (
            "jejuride",
            json!({
                "name": "제주 직송, 영업일 4일 안에 출발", "bundleType": "bundle", "chargeType": "fixed", "fixedAmount": 2_000, "island": islands(5_000, 0),
            }),
        ),
        (
            "kickcity",
            json!({
                "name": "영업일 1일 안에 출발", "bundleType": "bundle", "chargeType": "price-range",
                "pricesRange": [{ "price": 0, "amount": 500 }, { "price": 20_000, "amount": 0 }], "island": islands(800, 500),
            }),
        ),
        (
            "vespaworks",
            json!({
                "name": "탁송 (착불), 영업일 5일 안에 출발", "method": "COMPANY", "bundleType": "piece", "chargeType": "pay-on-delivery", "island": islands(9_000, 7_000),
            }),
        ),
        (
            "freshpress",
            json!({
                "name": "새벽 배송, 밤 9시 전 주문은 다음 날 아침 7시 전 도착", "bundleType": "bundle", "chargeType": "price-range",
                "pricesRange": [{ "price": 0, "amount": 300 }, { "price": 3_000, "amount": 0 }], "island": islands(500, 300),
            }),
        ),
        (
            "bukakbike",
            json!({ "name": "매장에서 조립, 영업일 4일 안에 출발", "bundleType": "piece", "chargeType": "fixed", "fixedAmount": 2_500, "island": islands(5_500, 4_000) }),
        ),
        (
            "gangbyeon",
            json!({
                "name": "영업일 2일 안에 출발", "bundleType": "bundle", "chargeType": "price-range",
                "pricesRange": [{ "price": 0, "amount": 2_800 }, { "price": 80_000, "amount": 0 }], "island": islands(5_000, 4_000),
            }),
        ),
        (
            "wheelmate",
            json!({ "name": "무료, 영업일 2일 안에 출발", "bundleType": "bundle", "chargeType": "fixed", "fixedAmount": 0, "island": islands(700, 500) }),
        ),
        (
            "busanmoto",
            json!({ "name": "탁송 (착불), 영업일 5일 안에 출발", "method": "COMPANY", "bundleType": "piece", "chargeType": "pay-on-delivery", "island": islands(9_500, 7_500) }),
        ),
        (
            "kidsgo",
            json!({
                "name": "영업일 2일 안에 출발", "bundleType": "bundle", "chargeType": "price-range",
                "pricesRange": [{ "price": 0, "amount": 350 }, { "price": 10_000, "amount": 0 }], "island": islands(600, 400),
            }),
        ),
        (
            "gamgyul",
            json!({
                "name": "산지 직송, 영업일 2일 안에 출발", "bundleType": "bundle", "chargeType": "price-range",
                "pricesRange": [{ "price": 0, "amount": 400 }, { "price": 5_000, "amount": 0 }], "island": islands(400, 0),
            }),
        ),
    ]
}
