//! Thirty orders of the last weeks, each with a fate of its own, told in the order things happened.

use std::collections::BTreeMap;

use anyhow::Context;
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::catalogue::Good;
use super::coupons::Boxes;
use super::desk::{Desk, at};
use super::people::{People, Shopper};
use crate::app::AppState;
use crate::http::tokens::Session;
use crate::shop::orders::detail::id_of;

/// Looks after a refund, fifty milliseconds apart.
const PATIENCE: u32 = 400;

/// What becomes of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Unpaid,
    CanceledUnpaid,
    Forgotten,
    Paid,
    Preparing,
    Shipped,
    Delayed,
    Delivered,
    Completed,
    CancelRequested,
    CanceledByBuyer,
    CanceledBySeller,
    CancelRejected,
}

/// Hours before now it was placed, who, what (code and pieces), with which help, and its fate.
type Story = (i64, usize, &'static [(&'static str, u32)], Help, Fate);

/// What takes something off the price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Help {
    None,
    Coupon(&'static str),
    Points(i64),
}

const STORIES: [Story; 30] = [
    (
        33 * 24,
        0,
        &[("BK-ROAD-01", 1)],
        Help::Coupon("total"),
        Fate::Completed,
    ),
    (
        30 * 24,
        1,
        &[("JU-01", 4), ("JU-05", 2)],
        Help::None,
        Fate::Completed,
    ),
    (
        28 * 24,
        2,
        &[("KB-04", 1)],
        Help::Points(500),
        Fate::Completed,
    ),
    (
        25 * 24,
        9,
        &[("BK-CITY-01", 1), ("KB-05", 1)],
        Help::Coupon("total"),
        Fate::Completed,
    ),
    (
        22 * 24,
        7,
        &[("BK-MINI-04", 2)],
        Help::None,
        Fate::Completed,
    ),
    (
        20 * 24,
        12,
        &[("JU-12", 6)],
        Help::Points(200),
        Fate::Completed,
    ),
    (
        18 * 24,
        4,
        &[("KB-01", 1)],
        Help::None,
        Fate::CanceledByBuyer,
    ),
    (16 * 24, 5, &[("BK-MTB-06", 1)], Help::None, Fate::Forgotten),
    (
        14 * 24,
        8,
        &[("BK-CITY-03", 1), ("JU-02", 3)],
        Help::None,
        Fate::CanceledBySeller,
    ),
    (
        9 * 24,
        10,
        &[("JU-08", 5), ("JU-03", 5)],
        Help::None,
        Fate::Delivered,
    ),
    (8 * 24, 3, &[("BK-MINI-05", 1)], Help::None, Fate::Delivered),
    (
        7 * 24,
        0,
        &[("JU-16", 8)],
        Help::Coupon("total"),
        Fate::Delivered,
    ),
    (
        7 * 24 - 5,
        6,
        &[("BK-MTB-03", 1)],
        Help::None,
        Fate::Delivered,
    ),
    (
        6 * 24,
        11,
        &[("KB-09", 1)],
        Help::None,
        Fate::CancelRejected,
    ),
    (
        5 * 24,
        1,
        &[("BK-CITY-04", 1)],
        Help::Coupon("fare"),
        Fate::Shipped,
    ),
    (5 * 24 - 7, 2, &[("SC-08", 1)], Help::None, Fate::Shipped),
    (
        4 * 24,
        12,
        &[("BK-ROAD-08", 1), ("BK-CITY-05", 1)],
        Help::None,
        Fate::Shipped,
    ),
    (
        4 * 24 - 3,
        9,
        &[("JU-10", 4)],
        Help::Points(300),
        Fate::Shipped,
    ),
    (
        4 * 24 - 9,
        7,
        &[("BK-MTB-01", 1)],
        Help::None,
        Fate::Delayed,
    ),
    (
        3 * 24,
        3,
        &[("KB-02", 1), ("JU-06", 2)],
        Help::None,
        Fate::Delayed,
    ),
    (
        3 * 24 - 6,
        4,
        &[("BK-MINI-03", 1)],
        Help::None,
        Fate::Preparing,
    ),
    (2 * 24 + 8, 5, &[("JU-14", 10)], Help::None, Fate::Preparing),
    (
        2 * 24,
        8,
        &[("BK-CITY-06", 1)],
        Help::Coupon("total"),
        Fate::Preparing,
    ),
    (40, 10, &[("KB-06", 1)], Help::None, Fate::CancelRequested),
    (30, 6, &[("JU-17", 3)], Help::None, Fate::CanceledUnpaid),
    (26, 11, &[("BK-MINI-02", 1)], Help::None, Fate::Paid),
    (
        20,
        0,
        &[("SC-06", 1), ("KB-05", 2)],
        Help::Points(1_000),
        Fate::Paid,
    ),
    (12, 2, &[("JU-04", 6)], Help::None, Fate::Paid),
    (7, 12, &[("BK-ROAD-06", 1)], Help::None, Fate::Unpaid),
    (4, 1, &[("KB-08", 1)], Help::None, Fate::Unpaid),
];

/// Something that happens to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Place,
    Pay,
    Prepare,
    Ship,
    Delay,
    Deliver,
    Confirm,
    CancelWhole,
    AskToCancel,
    RefuseCancel,
    CancelFirst,
}

/// Its steps, in hours after it was placed.
fn steps(fate: Fate) -> &'static [(i64, Step)] {
    use Step::{
        AskToCancel, CancelFirst, CancelWhole, Confirm, Delay, Deliver, Pay, Place, Prepare,
        RefuseCancel, Ship,
    };
    match fate {
        Fate::Unpaid | Fate::Forgotten => &[(0, Place)],
        Fate::CanceledUnpaid => &[(0, Place), (2, CancelWhole)],
        Fate::Paid => &[(0, Place), (0, Pay)],
        Fate::Preparing => &[(0, Place), (0, Pay), (9, Prepare)],
        Fate::Shipped => &[(0, Place), (0, Pay), (8, Prepare), (30, Ship)],
        Fate::Delayed => &[(0, Place), (0, Pay), (10, Prepare), (40, Delay)],
        Fate::Delivered => &[
            (0, Place),
            (0, Pay),
            (7, Prepare),
            (26, Ship),
            (80, Deliver),
        ],
        Fate::Completed => &[
            (0, Place),
            (0, Pay),
            (6, Prepare),
            (28, Ship),
            (75, Deliver),
            (120, Confirm),
        ],
        Fate::CancelRequested => &[(0, Place), (0, Pay), (5, Prepare), (20, AskToCancel)],
        Fate::CanceledByBuyer => &[(0, Place), (0, Pay), (3, CancelWhole)],
        Fate::CanceledBySeller => &[(0, Place), (0, Pay), (6, Prepare), (15, CancelFirst)],
        Fate::CancelRejected => &[
            (0, Place),
            (0, Pay),
            (6, Prepare),
            (12, AskToCancel),
            (14, RefuseCancel),
            (25, Ship),
        ],
    }
}

/// An order in the making.
struct Made {
    id: String,
    order_no: String,
    lines: usize,
}

/// Tells them all.
pub(super) async fn tell(
    desk: &mut Desk,
    people: &People,
    goods: &BTreeMap<String, Good>,
    boxes: &Boxes,
    say: &impl Fn(&str),
) -> anyhow::Result<()> {
    let mut happenings: Vec<(OffsetDateTime, usize, Step)> = Vec::new();
    for (number, (hours_ago, _, _, _, fate)) in STORIES.iter().enumerate() {
        let placed =
            desk.now - Duration::hours(*hours_ago) + Duration::minutes(i64::try_from(number)? * 3);
        for (place, (after, step)) in (0_i64..).zip(steps(*fate)) {
            happenings.push((
                placed + Duration::hours(*after) + Duration::minutes(place),
                number,
                *step,
            ));
        }
    }
    happenings.sort_unstable();
    let mut made: BTreeMap<usize, Made> = BTreeMap::new();
    for (at, number, step) in happenings {
        desk.go_to(at);
        let Some(story) = STORIES.get(number) else {
            continue;
        };
        let shopper = people
            .shoppers
            .get(story.1)
            .context("a shopper of the table")?;
        let happened = match (step, made.get(&number)) {
            (Step::Place, _) => {
                say(&format!("주문 {}/{}", made.len() + 1, STORIES.len()));
                let placed = place(desk, shopper, story, goods, boxes.get(story.1)).await;
                placed.map(|placed| drop(made.insert(number, placed)))
            }
            (_, None) => continue,
            (_, Some(order)) => happen(desk, people, shopper, order, step).await,
        };
        happened.with_context(|| format!("order {number} of the story, {step:?}"))?;
        if matches!(step, Step::CancelWhole | Step::CancelFirst) {
            refunded(&desk.app).await?;
        }
    }
    Ok(())
}

async fn place(
    desk: &mut Desk,
    shopper: &Shopper,
    (_, _, lines, help, _): &Story,
    goods: &BTreeMap<String, Good>,
    own: Option<&Vec<(&'static str, String)>>,
) -> anyhow::Result<Made> {
    let (username, name, _, phone, postcode, address1, address2, _) = shopper.row;
    let mut carts = Vec::new();
    for (code, quantity) in *lines {
        let good = goods
            .get(*code)
            .with_context(|| format!("no product {code}"))?;
        carts.push(
            json!({ "_product": good.id, "_option": good.options.first(), "quantity": quantity }),
        );
    }
    let mut form = json!({
        "carts": carts,
        "sender": { "name": name, "phone": phone, "email": format!("{username}@example.com") },
        "receiver": {
            "title": "집", "name": name, "phone": phone, "postcode": postcode, "address1": address1, "address2": address2,
        },
        "paymentMethod": "card", "requestMessage": "문 앞에 놓아 주세요.", "_terms": ["order", "privacy"],
    });
    let issued = |stage: &str| {
        own.and_then(|own| own.iter().find(|(its, _)| *its == stage))
            .map(|(_, issued)| issued)
    };
    match *help {
        Help::None => {}
        Help::Points(points) => insert(&mut form, "point", json!(points)),
        Help::Coupon(stage) => {
            let coupons: Vec<Value> = issued(stage)
                .map(|issued| json!({ "_issued": issued }))
                .into_iter()
                .collect();
            insert(&mut form, "coupons", Value::Array(coupons));
        }
    }
    let who = Some(&shopper.session);
    let answer = match desk.post(who, "/api/v1/shop/orders", &form).await {
        // The coupon may ask for more than this order costs; then it is bought without.
        Err(_) if matches!(help, Help::Coupon(_)) => {
            insert(&mut form, "coupons", json!([]));
            desk.post(who, "/api/v1/shop/orders", &form).await?
        }
        answer => answer?,
    };
    Ok(Made {
        id: at(&answer, "order/_id")?,
        order_no: at(&answer, "order/orderNo")?,
        lines: lines.len(),
    })
}

fn insert(form: &mut Value, field: &str, value: Value) {
    if let Some(fields) = form.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
}

async fn happen(
    desk: &mut Desk,
    people: &People,
    shopper: &Shopper,
    order: &Made,
    step: Step,
) -> anyhow::Result<()> {
    let buyer = Some(&shopper.session);
    let numbers: Vec<String> = (1..=order.lines)
        .map(|line| format!("{}-{line}", order.order_no))
        .collect();
    match step {
        Step::Place => Ok(()),
        Step::Pay => desk.pay(buyer, &order.id).await,
        Step::Confirm => done(
            desk.post(
                buyer,
                &format!("/api/v1/me/orders/{}/confirm", order.id),
                &json!({}),
            )
            .await,
        ),
        Step::CancelWhole => {
            let why = json!({ "reason": "다른 상품을 사기로 했어요." });
            done(
                desk.post(
                    buyer,
                    &format!("/api/v1/me/orders/{}/cancel", order.id),
                    &why,
                )
                .await,
            )
        }
        Step::AskToCancel => {
            let why = json!({ "_purchases": numbers, "reason": "색상을 잘못 골랐어요." });
            done(desk.post(buyer, "/api/v1/me/purchases/cancel", &why).await)
        }
        Step::CancelFirst => {
            let first: Vec<&String> = numbers.iter().take(1).collect();
            let why = json!({ "purchaseNos": first, "reason": "포장 중 파손을 발견했습니다." });
            done(
                desk.post(
                    Some(&people.operator),
                    &format!("/api/console/shop/orders/{}/cancel", order.id),
                    &why,
                )
                .await,
            )
        }
        Step::Prepare | Step::Ship | Step::Delay | Step::Deliver | Step::RefuseCancel => {
            for number in &numbers {
                let who = worker(desk, people, number).await?;
                work(desk, &who, number, step).await?;
            }
            Ok(())
        }
    }
}

fn done(answer: anyhow::Result<Value>) -> anyhow::Result<()> {
    answer.map(drop)
}

/// Who works on a purchase: its seller.
async fn worker(desk: &Desk, people: &People, purchase_no: &str) -> anyhow::Result<Session> {
    let (order_no, _) = purchase_no.rsplit_once('-').context("a purchase number")?;
    let id = id_of(&desk.app, order_no).await?;
    let order = desk
        .app
        .store
        .load::<domain::order::Order>(&id.to_string())
        .await?
        .state;
    let seller = order.purchase(purchase_no).context("the purchase")?.seller;
    let own = people
        .sellers
        .values()
        .find(|session| session.user == seller);
    Ok(own.unwrap_or(&people.operator).clone())
}

async fn work(desk: &mut Desk, who: &Session, purchase_no: &str, step: Step) -> anyhow::Result<()> {
    let purchase = format!("/api/console/shop/purchases/{purchase_no}");
    match step {
        Step::Ship => {
            let digits: String = purchase_no
                .bytes()
                .map(|byte| char::from(b'0' + byte % 10))
                .take(12)
                .collect();
            let parcel = json!({ "courier": "kr.cjlogistics", "invoiceNo": digits });
            done(
                desk.put(
                    who,
                    &format!("/api/console/shop/invoices/{purchase_no}"),
                    &parcel,
                )
                .await,
            )
        }
        Step::Delay => {
            let late = json!({ "orderStatus": "SHIPPING_DELAYED", "reason": "부품 입고가 늦어지고 있습니다." });
            done(desk.put(who, &purchase, &late).await)
        }
        Step::Deliver => done(
            desk.put(
                who,
                &purchase,
                &json!({ "orderStatus": "DELIVERY_COMPLETE" }),
            )
            .await,
        ),
        Step::RefuseCancel => {
            let no = json!({ "claimStatus": "CANCEL_REJECTED", "reason": "이미 포장이 끝나 발송을 앞두고 있습니다." });
            done(desk.put(who, &purchase, &no).await)
        }
        _ => done(
            desk.put(who, &purchase, &json!({ "orderStatus": "ORDER_CONFIRM" }))
                .await,
        ),
    }
}

/// Waits until the money of what was canceled is back, so that it comes back on that day of the story.
async fn refunded(app: &AppState) -> anyhow::Result<()> {
    for _ in 0..PATIENCE {
        if refunds_on_their_way(app).await? == 0 {
            return Ok(());
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    anyhow::bail!("a refund does not come back")
}

/// How many granted cancellations wait for their money.
pub(super) async fn refunds_on_their_way(app: &AppState) -> anyhow::Result<i64> {
    let waiting = sqlx::query_scalar(
        "SELECT count(*) FROM (SELECT payload FROM events WHERE event_type IN ('CancelApproved')) granted \
         WHERE granted.payload::jsonb #>> '{CancelApproved,refund}' IS NOT NULL \
           AND NOT EXISTS (SELECT FROM events WHERE event_type = 'RefundCompleted' \
             AND payload::jsonb #>> '{RefundCompleted,refund}' = granted.payload::jsonb #>> '{CancelApproved,refund}')",
    );
    Ok(waiting.fetch_one(app.pool()).await?)
}
