//! Who is in the shop: staff, six sellers, thirteen shoppers. None of them exists.

use std::collections::BTreeMap;

use domain::event::Ledger;
use domain::ids::MemberId;
use domain::member::{AccessLevel, Member, MemberAct, MemberType, Profile, Scope};
use event_store::{Expected, StreamAppend};
use serde::Serialize;
use serde_json::json;
use time::Duration;
use utoipa::ToSchema;

use super::catalogue::sellers;
use super::desk::{Desk, at};
use crate::commands::Change;
use crate::http::tokens::Session;
use crate::users::enrol::{Newcomer, enrol};

/// Everybody's password.
pub const PASSWORD: &str = "jangbu!23";
const OPERATOR: &str = "operator";

/// Sign-in name, name, nickname, phone, postcode, address, its rest, membership level.
pub type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

/// The shoppers.
pub const SHOPPERS: [Row; 13] = [
    (
        "shopper01",
        "김서준",
        "새벽라이더",
        "01020010001",
        "04524",
        "서울특별시 중구 세종대로 110",
        "5층",
        "gold",
    ),
    (
        "shopper02",
        "이하윤",
        "한강산책",
        "01020010002",
        "06236",
        "서울특별시 강남구 테헤란로 152",
        "1203호",
        "silver",
    ),
    (
        "shopper03",
        "박도윤",
        "두바퀴",
        "01020010003",
        "48058",
        "부산광역시 해운대구 센텀중앙로 79",
        "302호",
        "silver",
    ),
    (
        "shopper04",
        "최지우",
        "오렌지향",
        "01020010004",
        "63122",
        "제주특별자치도 제주시 문연로 6",
        "별관",
        "welcome",
    ),
    (
        "shopper05",
        "정예준",
        "출퇴근왕",
        "01020010005",
        "35242",
        "대전광역시 서구 둔산로 100",
        "11동 904호",
        "welcome",
    ),
    (
        "shopper06",
        "강수아",
        "햇살가득",
        "01020010006",
        "61945",
        "광주광역시 서구 내방로 111",
        "7층",
        "welcome",
    ),
    (
        "shopper07",
        "조시우",
        "산길따라",
        "01020010007",
        "40205",
        "경상북도 울릉군 울릉읍 도동2길 1",
        "2층",
        "welcome",
    ),
    (
        "shopper08",
        "윤지호",
        "초록자전거",
        "01020010008",
        "16488",
        "경기도 수원시 팔달구 효원로 1",
        "405호",
        "silver",
    ),
    (
        "shopper09",
        "장하은",
        "주말나들이",
        "01020010009",
        "21554",
        "인천광역시 남동구 정각로 29",
        "1동 101호",
        "welcome",
    ),
    (
        "shopper10",
        "임주원",
        "바람개비",
        "01020010010",
        "44675",
        "울산광역시 남구 중앙로 201",
        "1501호",
        "gold",
    ),
    (
        "shopper11",
        "한지안",
        "토마토한잔",
        "01020010011",
        "28515",
        "충청북도 청주시 상당구 상당로 82",
        "3층",
        "welcome",
    ),
    (
        "shopper12",
        "오은우",
        "씽씽이",
        "01020010012",
        "24266",
        "강원특별자치도 춘천시 중앙로 1",
        "나동 12호",
        "welcome",
    ),
    (
        "shopper13",
        "신유나",
        "파란스쿠터",
        "01020010013",
        "58560",
        "전라남도 무안군 삼향읍 오룡길 1",
        "본관 2층",
        "silver",
    ),
];

/// An account to try the demonstration with.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DemoAccount {
    /// Sign-in name.
    pub username: &'static str,
    /// Password.
    pub password: &'static str,
    /// What it may do.
    pub role: &'static str,
}

/// The accounts a demonstration shows at its door.
pub const ACCOUNTS: [DemoAccount; 4] = [
    DemoAccount {
        username: OPERATOR,
        password: PASSWORD,
        role: "운영자",
    },
    DemoAccount {
        username: "hangang",
        password: PASSWORD,
        role: "판매자",
    },
    DemoAccount {
        username: "shopper01",
        password: PASSWORD,
        role: "회원 (골드)",
    },
    DemoAccount {
        username: "shopper04",
        password: PASSWORD,
        role: "회원 (제주)",
    },
];

/// Everybody, ready to ask.
pub struct People {
    /// Staff.
    pub operator: Session,
    /// Sellers by their key in the catalogue.
    pub sellers: BTreeMap<String, Session>,
    /// Shoppers, in the order of the table.
    pub shoppers: Vec<Shopper>,
}

/// A shopper.
pub struct Shopper {
    /// Their session.
    pub session: Session,
    /// Who they are.
    pub row: Row,
}

/// Everybody joins.
pub async fn join(desk: &mut Desk) -> anyhow::Result<People> {
    let operator = operator(desk).await?;
    let mut selling = BTreeMap::new();
    for (place, seller) in (1_i64..).zip(sellers()?) {
        let form = json!({
            "username": seller.username, "password": PASSWORD, "name": seller.ceo_name, "nickname": seller.nickname,
            "email": format!("{}@example.com", seller.username), "phone": format!("0250{place:02}8000"), "type": "COMPANY",
            "companyName": seller.company_name, "ceoName": seller.ceo_name,
            "businessRegistration": format!("201-8{place}-4021{place}"), "licenseCode": format!("2024-서울중구-010{place}"),
            "_terms": ["service", "privacy"],
        });
        let id = at(&desk.post(None, "/api/v1/users", &form).await?, "user/_id")?.parse()?;
        let session = session(
            id,
            MemberType::Company,
            AccessLevel::Company,
            vec![Scope::Company],
        );
        selling.insert(seller.key, session);
    }
    let mut shoppers = Vec::new();
    for (place, row) in (0_i32..).zip(SHOPPERS) {
        desk.go(Duration::days(50) - Duration::hours(20) * place);
        let (username, name, nickname, phone, .., level) = row;
        let form = json!({
            "username": username, "password": PASSWORD, "name": name, "nickname": nickname, "phone": phone,
            "email": format!("{username}@example.com"), "_terms": ["service", "privacy"],
        });
        let id: MemberId =
            at(&desk.post(None, "/api/v1/users", &form).await?, "user/_id")?.parse()?;
        assign_level(desk, id, level).await?;
        let session = session(id, MemberType::Person, AccessLevel::Person, Vec::new());
        shoppers.push(Shopper { session, row });
    }
    Ok(People {
        operator,
        sellers: selling,
        shoppers,
    })
}

fn session(
    user: MemberId,
    user_type: MemberType,
    level: AccessLevel,
    scope: Vec<Scope>,
) -> Session {
    Session {
        user,
        user_type,
        scope,
        level,
    }
}

/// Staff cannot join by a form: the program itself lets the first one in.
async fn operator(desk: &mut Desk) -> anyhow::Result<Session> {
    let newcomer = Newcomer {
        profile: Profile {
            username: OPERATOR.to_owned(),
            name: "나운영".to_owned(),
            nickname: "운영팀".to_owned(),
            email: "operator@example.com".to_owned(),
            phone: "0220010000".to_owned(),
            ..Profile::default()
        },
        password: PASSWORD.to_owned(),
        member_type: MemberType::Operator,
        level: AccessLevel::Root,
        scopes: vec![Scope::Console],
        terms: Vec::new(),
    };
    let (id, _) = enrol(&desk.app, &desk.own("join"), newcomer).await?;
    Ok(session(
        id,
        MemberType::Operator,
        AccessLevel::Root,
        vec![Scope::Console],
    ))
}

async fn assign_level(desk: &Desk, id: MemberId, code: &str) -> anyhow::Result<()> {
    let app = &desk.app;
    let command = desk.own("assign-level").because("데모 데이터");
    app.commander
        .run(&command, |context| async move {
            let loaded = app.store.load::<Member>(&id.to_string()).await?;
            let events = loaded.state.decide(
                MemberAct::AssignLevel {
                    code: code.to_owned(),
                },
                &context,
            )?;
            Ok(Change::of([StreamAppend::new::<Member>(
                id,
                Expected::Exact(loaded.version),
                &events,
            )?]))
        })
        .await?;
    Ok(())
}
