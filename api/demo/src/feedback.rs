//! Reviews of purchases and inquiries about products, with their replies.

use anyhow::Context;
use application::access::Session;
use axum::http::Method;
use serde_json::{Value, json};

use crate::client::{ApiClient, at};
use crate::people::People;
use crate::rng::SeededRng;

/// Stars, subject, content.
type Review = (u8, &'static str, &'static str);
/// Subject, content, reply.
type Inquiry = (&'static str, &'static str, &'static str);

const BICYCLES: [Review; 14] = [
    (
        5,
        "가볍고 잘 나갑니다",
        "한강까지 왕복했는데 허리가 편합니다. 변속도 부드럽고 브레이크도 확실하게 잡혀요.",
    ),
    (
        5,
        "출퇴근이 즐거워졌어요",
        "왕복 18km를 매일 타는데 이제 버스를 못 타겠어요. 조립도 거의 다 되어 와서 10분이면 끝났습니다.",
    ),
    (
        5,
        "색이 화면보다 예쁩니다",
        "햇빛 아래에서 보면 은은하게 반짝입니다. 타고 나가면 어디 제품이냐고 꼭 물어봐요.",
    ),
    (
        4,
        "만족하지만 안장은 바꿨어요",
        "주행감은 훌륭합니다. 다만 안장이 조금 딱딱해서 두 시간 넘게 타면 아파요. 안장만 바꾸니 완벽합니다.",
    ),
    (
        5,
        "175cm M 사이즈 딱 맞아요",
        "사이즈 때문에 고민했는데 표대로 고르니 딱 맞습니다. 무릎 각도가 편해요.",
    ),
    (
        4,
        "포장이 꼼꼼했습니다",
        "흠집 하나 없이 왔습니다. 설명서 글씨가 작아서 별 하나 뺐어요.",
    ),
    (
        5,
        "언덕에서 차이가 납니다",
        "남산을 올라 보니 예전 자전거와 비교가 안 됩니다. 기어비가 넉넉해서 초보도 올라갈 수 있어요.",
    ),
    (
        3,
        "무난합니다",
        "성능은 가격만큼 합니다. 포장 상자가 조금 찌그러져 온 점이 아쉬웠어요.",
    ),
    (
        5,
        "아이가 너무 좋아해요",
        "생일 선물로 샀는데 매일 타러 나가자고 합니다. 보조 손잡이가 있어 안심이에요.",
    ),
    (
        4,
        "접었을 때 생각보다 작아요",
        "트렁크에 두 대가 들어갑니다. 접는 데 익숙해지려면 몇 번 연습이 필요해요.",
    ),
    (
        5,
        "두 번째 구매입니다",
        "작년에 사서 아내가 뺏어 갔습니다. 그래서 하나 더 샀어요. 마감이 더 좋아졌네요.",
    ),
    (
        2,
        "페달에서 소리가 납니다",
        "일주일 타니 딸깍거리는 소리가 나기 시작했습니다. 문의하니 바로 새 페달을 보내 주셨지만 처음부터 괜찮았으면 좋았을 것 같아요.",
    ),
    (
        5,
        "가격 대비 최고예요",
        "비슷한 사양을 여러 곳에서 비교했는데 여기가 제일 좋았습니다. 기본 라이트까지 들어 있어요.",
    ),
    (
        4,
        "승차감이 부드러워요",
        "자갈길에서도 손목이 덜 울립니다. 타이어 공기압은 받자마자 확인하세요.",
    ),
];

const BOARDS: [Review; 10] = [
    (
        5,
        "바퀴가 조용해요",
        "밤에 타도 눈치가 안 보입니다. 아스팔트에서 미끄러지듯 나가요.",
    ),
    (
        5,
        "초보도 금방 탑니다",
        "처음인데 이틀 만에 방향 전환까지 했어요. 판이 넓어서 안정감이 있습니다.",
    ),
    (
        4,
        "튼튼합니다",
        "80kg인데 휘청임이 없어요. 다만 들고 다니기에는 조금 무겁습니다.",
    ),
    (
        5,
        "등굣길이 짧아졌어요",
        "아이 학교까지 15분 걸리던 길이 6분이 되었습니다. 접어서 교실에 두기도 좋대요.",
    ),
    (
        3,
        "손잡이가 조금 낮아요",
        "키가 178인데 최대로 올려도 낮은 느낌입니다. 그것 말고는 좋아요.",
    ),
    (
        5,
        "그래픽이 정말 멋져요",
        "실물이 훨씬 낫습니다. 벽에 걸어 두고 싶을 정도예요.",
    ),
    (
        4,
        "브레이크가 잘 들어요",
        "내리막에서도 믿음이 갑니다. 처음에는 조금 뻑뻑하니 길들이세요.",
    ),
    (
        5,
        "선물했더니 반응이 최고",
        "조카가 하루 종일 내려올 생각을 안 하네요. 안전모도 같이 사 주세요.",
    ),
    (
        2,
        "한쪽 바퀴가 뻑뻑했어요",
        "베어링 불량이었는데 교환은 빨랐습니다. 교환 받은 뒤로는 잘 굴러가요.",
    ),
    (
        5,
        "접이가 편합니다",
        "한 손으로 접혀서 지하철에서 편해요. 무게도 적당합니다.",
    ),
];

const JUICES: [Review; 14] = [
    (
        5,
        "갈아 마신 것보다 진해요",
        "물 탄 맛이 전혀 없습니다. 아침마다 한 병씩 마시는데 하루가 달라요.",
    ),
    (
        5,
        "아이가 먼저 찾아요",
        "야채라면 질색하던 아이가 이건 잘 마십니다. 단맛이 자연스러워요.",
    ),
    (
        4,
        "신선합니다",
        "밤에 짠 걸 다음 날 아침에 받았습니다. 병이 조금만 더 컸으면 좋겠어요.",
    ),
    (
        5,
        "벌써 네 번째 주문",
        "회사 동료들과 같이 시켜 먹고 있어요. 얼음팩이 넉넉해서 여름에도 안심됩니다.",
    ),
    (
        5,
        "선물용으로 좋아요",
        "부모님께 보내 드렸더니 상자부터 고급스럽다고 좋아하셨어요.",
    ),
    (
        3,
        "제 입에는 조금 셔요",
        "신맛을 좋아하시면 잘 맞을 것 같습니다. 저는 꿀을 조금 넣어 마셨어요.",
    ),
    (
        5,
        "첨가물이 없어 믿음이 가요",
        "성분표에 과일 이름만 적혀 있습니다. 가라앉는 게 정상이니 흔들어 드세요.",
    ),
    (
        4,
        "배송 상태가 좋았어요",
        "완충재가 종이라 버리기도 편했습니다. 유통기한이 짧으니 나눠 주문하는 게 좋아요.",
    ),
    (
        5,
        "해장에 최고",
        "어제 과음했는데 한 병 마시고 살아났습니다. 농담이 아니에요.",
    ),
    (
        5,
        "색도 맛도 그대로",
        "사진과 똑같습니다. 유리병이라 다 마시고 꽃병으로 쓰고 있어요.",
    ),
    (
        4,
        "달지 않아 좋아요",
        "시판 주스에 익숙하면 심심할 수 있지만 저는 이 담백함이 좋습니다.",
    ),
    (
        1,
        "한 병이 깨져서 왔어요",
        "여섯 병 중 하나가 깨져 있었습니다. 사진을 보내니 바로 한 병을 다시 보내 주셨어요.",
    ),
    (
        5,
        "운동하고 마시면 꿀맛",
        "라이딩 끝나고 얼음 넣어 마시면 세상 행복합니다.",
    ),
    (
        4,
        "양이 딱 좋아요",
        "한 번에 마시기 좋은 크기예요. 묶음 할인이 더 있으면 좋겠습니다.",
    ),
];

const THANKS: [&str; 5] = [
    "소중한 후기 감사합니다. 오래 즐겁게 쓰시도록 저희도 계속 돌보겠습니다.",
    "사진까지 남겨 주셔서 고맙습니다! 다음에도 좋은 상품으로 보답하겠습니다.",
    "불편을 드려 죄송합니다. 말씀해 주신 점은 바로 확인해서 고치겠습니다.",
    "자세한 사용기 덕분에 다른 분들께 큰 도움이 될 것 같습니다. 감사합니다.",
    "아껴 주셔서 감사합니다. 궁금한 점이 있으면 언제든 문의해 주세요.",
];

const BICYCLE_QUERIES: [Inquiry; 6] = [
    (
        "키 168cm면 어떤 사이즈인가요?",
        "다리가 조금 짧은 편인데 S와 M 중에 고민입니다. 추천 부탁드려요.",
        "168cm이시면 S를 권합니다. 다리 안쪽 길이가 76cm 이상이면 M도 편하게 타실 수 있습니다.",
    ),
    (
        "조립해서 오나요?",
        "집에 공구가 하나도 없는데 혼자 조립할 수 있을까요?",
        "90% 조립해 보내 드립니다. 핸들과 페달만 끼우시면 되고 필요한 공구는 상자에 들어 있습니다.",
    ),
    (
        "짐받이를 달 수 있나요?",
        "출퇴근용으로 뒤에 가방을 달고 싶습니다. 나사 구멍이 있는지 궁금해요.",
        "네, 프레임에 짐받이용 구멍이 있습니다. 별매 짐받이를 함께 주문하시면 달아서 보내 드립니다.",
    ),
    (
        "재입고 일정이 궁금합니다",
        "파란색이 품절이던데 언제 다시 들어오나요?",
        "다음 주 목요일에 들어올 예정입니다. 찜해 두시면 알림을 보내 드립니다.",
    ),
    (
        "배송지를 바꿀 수 있을까요?",
        "주문하고 나서 이사를 하게 되었습니다. 새 주소로 받을 수 있는지 알려 주세요.",
        "아직 발송 전이라 변경해 드렸습니다. 새 주소로 내일 출발합니다.",
    ),
    (
        "보증 기간이 어떻게 되나요?",
        "프레임과 부품의 보증 기간이 각각 궁금합니다.",
        "프레임은 5년, 구동계 부품은 1년입니다. 소모품은 보증에서 빠집니다.",
    ),
];

const BOARD_QUERIES: [Inquiry; 4] = [
    (
        "몇 살부터 탈 수 있나요?",
        "일곱 살 조카에게 선물하려고 합니다.",
        "여섯 살부터 탈 수 있습니다. 보호대와 안전모를 꼭 함께 착용해 주세요.",
    ),
    (
        "최대 하중이 얼마인가요?",
        "성인 남성이 타도 괜찮은지 궁금합니다.",
        "100kg까지 탈 수 있도록 시험을 마쳤습니다.",
    ),
    (
        "바퀴만 따로 살 수 있나요?",
        "많이 타서 바퀴가 닳으면 교체하고 싶습니다.",
        "네, 고객센터로 주문번호를 알려 주시면 바퀴만 보내 드립니다.",
    ),
    (
        "선물 포장이 되나요?",
        "금요일까지 받을 수 있는지도 함께 알려 주세요.",
        "포장해 드립니다. 수요일 정오 전에 주문하시면 금요일에 받으실 수 있습니다.",
    ),
];

const JUICE_QUERIES: [Inquiry; 5] = [
    (
        "유통기한이 얼마나 되나요?",
        "한 번에 여러 병을 사도 될지 궁금합니다.",
        "냉장으로 10일입니다. 열지 않은 병은 냉동하면 한 달까지 괜찮습니다.",
    ),
    (
        "당 함량을 알 수 있을까요?",
        "당뇨가 있는 어머니가 드실 거라 여쭤봅니다.",
        "100ml에 8g이며 모두 과일에서 온 당입니다. 드시기 전에 담당 선생님과 상의해 보세요.",
    ),
    (
        "병 수거도 해 주시나요?",
        "유리병을 버리기가 아까워서요.",
        "다음 주문을 배송할 때 문 앞에 두시면 거두어 갑니다.",
    ),
    (
        "알레르기가 있는데 괜찮을까요?",
        "복숭아 알레르기가 있습니다. 같은 기계로 짜는지 궁금해요.",
        "같은 공장에서 복숭아를 다룹니다. 알레르기가 심하시면 피하시는 것이 좋습니다.",
    ),
    (
        "새벽 배송이 되나요?",
        "서울 중구입니다.",
        "네, 밤 9시 전에 주문하시면 다음 날 아침 7시 전에 도착합니다.",
    ),
];

/// Reviews of products like the one with this code.
fn reviews(code: &str) -> &'static [Review] {
    match code.split('-').next() {
        Some("BK") => &BICYCLES,
        Some("JU") => &JUICES,
        _ => &BOARDS,
    }
}

/// Inquiries about products like the one with this code.
fn inquiries(code: &str) -> &'static [Inquiry] {
    match code.split('-').next() {
        Some("BK") => &BICYCLE_QUERIES,
        Some("JU") => &JUICE_QUERIES,
        _ => &BOARD_QUERIES,
    }
}

/// A buyer reviews a purchase. A text is repeated only when all of its kind are used.
pub(crate) async fn review(
    client: &mut ApiClient,
    buyer: &Session,
    (purchase_no, code, picture): (&str, &str, &str),
    number: usize,
) -> anyhow::Result<String> {
    let all = reviews(code);
    let (star, subject, content) = all
        .get(number % all.len().max(1))
        .copied()
        .context("a review")?;
    let pictured = star >= 4 && number.is_multiple_of(3);
    let images = match pictured {
        true => json!([{ "url": picture, "alt": null }]),
        false => json!([]),
    };
    let form = json!({
        "_purchase": purchase_no, "star": star, "subject": subject, "content": content, "images": images,
    });
    let answer = client
        .post(Some(buyer), "/api/v1/me/reviews", &form)
        .await?;
    at(&answer, "review/_id")
}

/// The seller replies to a review.
pub(crate) async fn reply_to_review(
    client: &mut ApiClient,
    who: &Session,
    review: &str,
    number: usize,
) -> anyhow::Result<()> {
    let mut rng = SeededRng::new(u64::try_from(number).unwrap_or_default());
    let path = format!("/api/console/shop/reviews/{review}");
    let reply = json!({ "reply": rng.pick(&THANKS) });
    change(client, who, &path, "review", reply).await
}

/// Staff marks a review as one of the best.
pub(crate) async fn mark_best(
    client: &mut ApiClient,
    operator: &Session,
    review: &str,
) -> anyhow::Result<()> {
    let path = format!("/api/console/shop/reviews/{review}");
    change(client, operator, &path, "review", json!({ "isBest": true })).await
}

/// A shopper asks about a product; every fourth inquiry is secret.
pub(crate) async fn inquire(
    client: &mut ApiClient,
    shopper: &Session,
    (product, code): (&str, &str),
    number: usize,
) -> anyhow::Result<String> {
    let (subject, content, _) = inquiry(code, number)?;
    let form = json!({
        "_product": product, "subject": subject, "content": content, "secret": number.is_multiple_of(4),
    });
    let answer = client
        .post(Some(shopper), "/api/v1/shop/inquires", &form)
        .await?;
    at(&answer, "inquire/_id")
}

/// Staff replies to an inquiry.
pub(crate) async fn reply_to_inquiry(
    client: &mut ApiClient,
    who: &Session,
    (inquire, code): (&str, &str),
    number: usize,
) -> anyhow::Result<()> {
    let (_, _, reply) = inquiry(code, number)?;
    let path = format!("/api/console/shop/inquires/{inquire}");
    change(client, who, &path, "inquire", json!({ "reply": reply })).await
}

fn inquiry(code: &str, number: usize) -> anyhow::Result<Inquiry> {
    let all = inquiries(code);
    let found = all.get(number % all.len().max(1));
    found.copied().context("an inquiry")
}

/// Questions of the first shopper to the shop: category, subject, content, answer.
const QUESTIONS: [(&str, &str, &str, Option<&str>); 2] = [
    (
        "MEMBER",
        "이메일 주소를 바꾸고 싶습니다",
        "회사를 옮겨서 예전 메일을 볼 수 없습니다. 어디에서 바꾸나요?",
        Some(
            "안녕하세요. 마이페이지 > 내 정보에서 바로 바꾸실 수 있습니다. 바꾼 주소로 다음 안내부터 보내 드립니다.",
        ),
    ),
    (
        "ORDER",
        "세금계산서를 받을 수 있나요?",
        "사무실에서 쓸 자전거라 세금계산서가 필요합니다. 주문할 때 무엇을 적으면 될까요?",
        None,
    ),
];

/// The first shopper asks the shop; one question is answered, one waits.
pub(crate) async fn ask_the_shop(client: &mut ApiClient, people: &People) -> anyhow::Result<()> {
    let shopper = people.shoppers.first().context("a shopper")?;
    for (category, subject, content, reply) in QUESTIONS {
        let form = json!({ "category": category, "subject": subject, "content": content });
        let asked = client
            .post(Some(&shopper.session), "/api/v1/center/questions", &form)
            .await?;
        let Some(reply) = reply else {
            continue;
        };
        let id = at(&asked, "question/_id")?;
        let path = format!("/api/console/center/questions/{id}");
        let fields = json!({ "reply": reply });
        change(client, &people.operator, &path, "question", fields).await?;
    }
    let contact = json!({
        "category": "SELLING", "name": "정자전", "company": "두바퀴공방", "email": "two@wheels.example", "phone": "01077778888",
        "subject": "수제 자전거 입점을 문의합니다", "content": "손으로 만드는 자전거를 한 달에 열 대쯤 팔고 싶습니다. 입점 절차와 수수료를 알려 주세요.",
        "agreed": true,
    });
    client
        .post(None, "/api/v1/center/contacts", &contact)
        .await?;
    send_forms(client, people).await
}

/// A guest and the first shopper send forms; one is answered, one waits.
async fn send_forms(client: &mut ApiClient, people: &People) -> anyhow::Result<()> {
    let shopper = people.shoppers.first().context("a shopper")?;
    let partner = json!({
        "상호": "숲길상회", "문의 분야": "입점", "취급 상품": ["캠핑", "의류"], "월 예상 판매량": 120,
        "소개와 제안": "강원도에서 캠핑 의자를 만드는 작은 공방입니다. 봄 기획전에 함께하고 싶습니다.",
        "검토를 위한 내부 공유": true,
    });
    send_form(client, None, "inquiry-partner", &partner).await?;
    let ride = json!({ "희망일": "2027-04-17", "자전거": "전기 시티", "연락처": "010-2345-6789" });
    let sent = send_form(client, Some(&shopper.session), "test-ride", &ride).await?;
    let path = format!("/api/console/inquiries/{sent}");
    let reply = json!({ "reply": "신청하신 날 오전 11시에 한강 매장으로 와 주세요. 헬멧은 빌려 드립니다." });
    change(client, &people.operator, &path, "inquiry", reply).await
}

/// Sends a form with answers by the names of its fields; returns the inquiry's id.
async fn send_form(
    client: &mut ApiClient,
    who: Option<&Session>,
    code: &str,
    answers: &Value,
) -> anyhow::Result<String> {
    let path = format!("/api/v1/forms/{code}");
    let shown = client
        .request(who, Method::GET, &path, &Value::Null)
        .await?;
    let form = shown.get("form").context("a form")?;
    let fields = form.get("fields").and_then(Value::as_array);
    let by_id = fields.into_iter().flatten().filter_map(|field| {
        let name = field.get("name")?.as_str()?;
        let id = field.get("_id")?.as_str()?.to_owned();
        Some((id, answers.get(name)?.clone()))
    });
    let body = json!({
        "_form": form.get("_id"), "version": form.get("version"), "agreed": true,
        "name": "임하늘", "email": "sky@forest.example", "phone": "01033334444",
        "answers": by_id.collect::<serde_json::Map<String, Value>>(),
    });
    let sent = client.post(who, "/api/v1/forms", &body).await?;
    at(&sent, "_id")
}

/// Changes fields of the record at this address, in the version it has.
async fn change(
    client: &mut ApiClient,
    who: &Session,
    path: &str,
    one: &str,
    mut fields: Value,
) -> anyhow::Result<()> {
    let shown = client
        .request(Some(who), Method::GET, path, &Value::Null)
        .await?;
    let version = shown.pointer(&format!("/{one}/version"));
    let version = version.context("a version")?.clone();
    if let Some(fields) = fields.as_object_mut() {
        fields.insert("version".to_owned(), version);
    }
    client.put(who, path, &fields).await.map(drop)
}
