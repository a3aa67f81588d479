//! The members of the demonstration: staff, sellers, shoppers. None of them is a real person.

mod generated;

use std::collections::BTreeMap;

use application::App;
use application::access::Session;
use application::members::names::username_hash;
use application::members::register::{NewMember, register};
use application::reservations::USERNAME;
use domain::ids::MemberId;
use domain::member::{AccessLevel, Member, MemberCommand, MemberType, Profile, Scope};
use serde::Serialize;
use serde_json::json;
use time::{Duration, OffsetDateTime};
use utoipa::ToSchema;

use crate::catalogue;
use crate::client::{ApiClient, at};
use crate::{JOINING, Size};

/// The password of every account.
pub const PASSWORD: &str = "jangbu!23";
const OPERATOR: &str = "operator";
/// The level of new members.
const WELCOME: &str = "welcome";
/// Generated shoppers of the large demonstration: with [`SHOPPERS`], twelve sellers and staff there are two hundred members.
const GENERATED: usize = 174;
/// The shoppers of the large demonstration who joined long before its end.
const EARLY_SHOPPERS: usize = 120;

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

/// An account of the demonstration.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct DemoAccount {
    /// Sign-in name.
    pub username: &'static str,
    /// Password.
    pub password: &'static str,
    /// Its role.
    pub role: &'static str,
}

/// The accounts a demonstration shows on its sign-in page.
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

/// The members with their sessions.
pub(crate) struct People {
    /// Staff.
    pub operator: Session,
    /// Sellers by their key in the catalogue.
    pub sellers: BTreeMap<String, Session>,
    /// Shoppers, in the order they joined.
    pub shoppers: Vec<Shopper>,
}

/// A shopper.
pub(crate) struct Shopper {
    /// Their session.
    pub session: Session,
    /// Personal data.
    pub person: Person,
    /// Time of joining.
    pub joined: OffsetDateTime,
}

/// The data of a shopper.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    /// Sign-in name.
    pub username: String,
    /// Name.
    pub name: String,
    /// Nickname.
    pub nickname: String,
    /// Phone, digits.
    pub phone: String,
    /// Postcode of the address.
    pub postcode: String,
    /// Road address.
    pub address1: String,
    /// The rest of the address.
    pub address2: String,
    /// Code of their membership level.
    pub level: &'static str,
}

impl Person {
    fn of((username, name, nickname, phone, postcode, address1, address2, level): Row) -> Self {
        Self {
            username: username.to_owned(),
            name: name.to_owned(),
            nickname: nickname.to_owned(),
            phone: phone.to_owned(),
            postcode: postcode.to_owned(),
            address1: address1.to_owned(),
            address2: address2.to_owned(),
            level,
        }
    }

    /// Their e-mail address.
    pub fn email(&self) -> String {
        format!("{}@example.com", self.username)
    }
}

/// The shoppers of a demonstration of this size.
fn persons(size: Size) -> Vec<Person> {
    let named = SHOPPERS.into_iter().map(Person::of);
    match size {
        Size::Small => named.collect(),
        Size::Large => named
            .chain(generated::generated_shoppers(SHOPPERS.len(), GENERATED))
            .collect(),
    }
}

/// A business registration certificate as a PDF of one page, which says that it belongs to a demonstration.
fn certificate(registration: &str) -> String {
    let words = format!(
        "BT /F1 14 Tf 32 96 Td (Business registration {registration}, demonstration) Tj ET"
    );
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 480 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>".to_owned(),
        format!("<</Length {}>>stream\n{words}\nendstream", words.len()),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let mut pdf = "%PDF-1.7\n".to_owned();
    let mut offsets = String::new();
    for (number, object) in (1..).zip(&objects) {
        offsets += &format!("{:010} 00000 n \n", pdf.len());
        pdf += &format!("{number} 0 obj{object}endobj\n");
    }
    let (table, entries) = (pdf.len(), objects.len() + 1);
    pdf += &format!("xref\n0 {entries}\n0000000000 65535 f \n{offsets}");
    pdf + &format!("trailer<</Size {entries}/Root 1 0 R>>\nstartxref\n{table}\n%%EOF\n")
}

/// The sellers join.
pub(crate) async fn sellers_join(
    client: &mut ApiClient,
    size: Size,
) -> anyhow::Result<BTreeMap<String, Session>> {
    let mut sellers = BTreeMap::new();
    for (place, seller) in (1_i64..).zip(catalogue::sellers(size)?) {
        let registration = format!("201-{:02}-{:05}", 80 + place, 40_210 + place);
        let token = client
            .upload_certificate(&certificate(&registration))
            .await?;
        let form = json!({
            "username": seller.username, "password": PASSWORD, "name": seller.ceo_name, "nickname": seller.nickname,
            "email": format!("{}@example.com", seller.username), "phone": format!("0250{place:02}8000"), "type": "COMPANY",
            "companyName": seller.company_name, "ceoName": seller.ceo_name,
            "businessRegistration": registration,
            "licenseCode": format!("2024-서울중구-{:04}", 100 + place), "_terms": ["age", "service", "privacy"],
            "registrationToken": token,
        });
        let id = at(
            &client.post(None, "/api/v1/users", &form).await?,
            "user/_id",
        )?
        .parse()?;
        sellers.insert(seller.key, seller_session(id));
    }
    Ok(sellers)
}

/// The shoppers join, one after another, and save their addresses.
pub(crate) async fn shoppers_join(
    client: &mut ApiClient,
    size: Size,
) -> anyhow::Result<Vec<Shopper>> {
    let mut shoppers = Vec::new();
    let apart = match size {
        Size::Small => Duration::hours(8),
        Size::Large => Duration::minutes(11 * 60 + 30),
    };
    for (place, person) in (0_i32..).zip(persons(size)) {
        let joined = client.now - JOINING + apart * place;
        client.go_to(joined);
        let form = json!({
            "username": person.username, "password": PASSWORD, "name": person.name, "nickname": person.nickname,
            "phone": person.phone, "email": person.email(), "_terms": ["age", "service", "privacy"],
        });
        let id: MemberId = at(
            &client.post(None, "/api/v1/users", &form).await?,
            "user/_id",
        )?
        .parse()?;
        let session = shopper_session(id);
        let home = json!({
            "title": "집", "name": person.name, "phone": person.phone, "postcode": person.postcode,
            "address1": person.address1, "address2": person.address2, "isDefault": true,
        });
        client
            .post(Some(&session), "/api/v1/me/destinations", &home)
            .await?;
        if person.level != WELCOME {
            assign_level(client, id, person.level).await?;
        }
        shoppers.push(Shopper {
            session,
            person,
            joined,
        });
    }
    Ok(shoppers)
}

/// The members of a demonstration who exist in this shop, found by their sign-in names; none without staff or shoppers.
pub(crate) async fn find_existing(app: &App) -> anyhow::Result<Option<People>> {
    let Some(operator) = find_member(app, OPERATOR).await? else {
        return Ok(None);
    };
    let mut sellers = BTreeMap::new();
    for seller in catalogue::sellers(Size::Large)? {
        if let Some(id) = find_member(app, &seller.username).await? {
            sellers.insert(seller.key, seller_session(id));
        }
    }
    let mut shoppers = Vec::new();
    for person in persons(Size::Large).into_iter().take(EARLY_SHOPPERS) {
        if let Some(id) = find_member(app, &person.username).await? {
            shoppers.push(Shopper {
                session: shopper_session(id),
                person,
                joined: OffsetDateTime::UNIX_EPOCH,
            });
        }
    }
    Ok((!shoppers.is_empty()).then(|| People {
        operator: staff_session(operator),
        sellers,
        shoppers,
    }))
}

async fn find_member(app: &App, username: &str) -> anyhow::Result<Option<MemberId>> {
    let hash = username_hash(&app.keys, username);
    let owner = app.store.reserved_by(USERNAME, &hash).await?;
    Ok(owner.map(|id| id.parse()).transpose()?)
}

fn staff_session(user: MemberId) -> Session {
    Session {
        user,
        user_type: MemberType::Operator,
        scope: vec![Scope::Console],
        level: AccessLevel::Root,
    }
}

fn seller_session(user: MemberId) -> Session {
    Session {
        user,
        user_type: MemberType::Company,
        scope: vec![Scope::Company],
        level: AccessLevel::Company,
    }
}

fn shopper_session(user: MemberId) -> Session {
    Session {
        user,
        user_type: MemberType::Person,
        scope: Vec::new(),
        level: AccessLevel::Person,
    }
}

/// The first operator joins by a command of the system: staff cannot join through the form.
pub(crate) async fn operator_joins(client: &ApiClient) -> anyhow::Result<Session> {
    let member = NewMember {
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
        document: None,
    };
    let (id, _) = register(&client.app, &client.system_command("join"), member).await?;
    Ok(staff_session(id))
}

async fn assign_level(client: &ApiClient, id: MemberId, code: &str) -> anyhow::Result<()> {
    let app = &client.app;
    let joined = client.joining_of(id).await?;
    let command = client
        .system_command("assign-level")
        .caused_by(&joined)
        .with_reason("이전 구매 실적");
    let assign = MemberCommand::AssignLevel {
        code: code.to_owned(),
    };
    app.executor.execute::<Member>(&command, id, assign).await?;
    Ok(())
}
