//! Orders, each with a fate of its own, told in the order things happened.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use axum::http::Method;
use domain::order::{Order, OrderEvent};
use domain::payment::{Payment, PaymentEvent};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::Told;
use super::catalogue::{Good, Goods};
use super::coupons::Boxes;
use super::desk::{Desk, at};
use super::people::{People, SHOPPERS, Shopper};
use super::stories::{Fate, Help, Story};
use super::voices;
use crate::app::AppState;
use crate::http::tokens::Session;
use application::orders::find::id_of;

/// Looks after a refund, fifty milliseconds apart.
const PATIENCE: u32 = 400;
/// Pieces of what is sold out that come in at once.
const DELIVERY: u32 = 200;

/// Something that happens to an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Step {
    Ask,
    Answer,
    Place,
    Pay,
    Deposit,
    Prepare,
    Ship,
    Delay,
    Deliver,
    Confirm,
    Review,
    Thank,
    CancelWhole,
    AskToCancel,
    RefuseCancel,
    CancelFirst,
}

/// Its steps, in hours after it was placed.
fn steps(fate: Fate) -> &'static [(i64, Step)] {
    use Step::{
        AskToCancel, CancelFirst, CancelWhole, Confirm, Delay, Deliver, Deposit, Pay, Place,
        Prepare, RefuseCancel, Review, Ship, Thank,
    };
    match fate {
        Fate::Unpaid | Fate::Forgotten => &[(0, Place)],
        Fate::CanceledUnpaid => &[(0, Place), (2, CancelWhole)],
        Fate::AwaitingDeposit => &[(0, Place), (0, Pay)],
        Fate::PaidByDeposit => &[(0, Place), (0, Pay), (3, Deposit)],
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
            (140, Review),
            (170, Thank),
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
    /// The reviews of its purchases.
    reviews: Vec<String>,
}

/// Whether the shop is anybody else's meanwhile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Others {
    /// Nobody but the story acts.
    None,
    /// The shop is open: its deadlines may end a story before the story does.
    AtWork,
}

/// Tells them all; what would happen after the desk's now does not happen yet.
pub(super) async fn tell(
    desk: &mut Desk,
    people: &People,
    goods: &mut Goods,
    boxes: &Boxes,
    stories: &[Story],
    others: Others,
    say: &impl Fn(Told<'_>),
) -> anyhow::Result<()> {
    let mut happenings: Vec<(OffsetDateTime, usize, Step)> = Vec::new();
    for (number, story) in stories.iter().enumerate() {
        if asks(number, story) {
            for (before, step) in [(26, Step::Ask), (19, Step::Answer)] {
                happenings.push((story.placed - Duration::hours(before), number, step));
            }
        }
        for (place, (after, step)) in (0_i64..).zip(steps(story.fate)) {
            let at = story.placed + Duration::hours(*after) + Duration::minutes(place);
            if at <= desk.now {
                happenings.push((at, number, *step));
            }
        }
    }
    happenings.sort_unstable();
    let mut made: BTreeMap<usize, Made> = BTreeMap::new();
    let mut asked: BTreeMap<usize, (String, String)> = BTreeMap::new();
    let mut placed_so_far = 0;
    for (at, number, step) in happenings {
        desk.go_to(at);
        let Some(story) = stories.get(number) else {
            continue;
        };
        let shopper = people
            .shoppers
            .get(story.shopper)
            .context("a shopper of the story")?;
        let happened = match (step, made.get_mut(&number)) {
            (Step::Ask, _) => {
                let said = first_of(story, goods)?;
                let about = (said.0.as_str(), said.1.as_str());
                let inquire = voices::ask(desk, &shopper.session, about, number).await;
                inquire.map(|id| drop(asked.insert(number, (id, said.1))))
            }
            (Step::Answer, _) => match asked.get(&number) {
                // some wait for their answer
                Some((id, code)) if number % 5 != 3 => {
                    voices::answer(desk, &people.operator, (id, code), number).await
                }
                _ => Ok(()),
            },
            (Step::Review, Some(order)) => review(desk, shopper, story, order, number).await,
            (Step::Thank, Some(order)) => thank(desk, people, order, number).await,
            (Step::Place, _) => {
                placed_so_far += 1;
                say(Told::Orders {
                    done: placed_so_far,
                    of: stories.len(),
                });
                let own = boxes.get(story.shopper);
                let placed = place(desk, people, shopper, story, goods, own).await;
                placed.map(|placed| drop(made.insert(number, placed)))
            }
            (_, None) => continue,
            (_, Some(order)) => happen(desk, people, shopper, order, step).await,
        };
        match happened.with_context(|| format!("order {number} of the story, {step:?}")) {
            Ok(()) => {}
            Err(error) if others == Others::AtWork && step != Step::Place => {
                tracing::debug!(error = format!("{error:#}"), "somebody was faster");
                made.remove(&number);
                continue;
            }
            Err(error) => return Err(error),
        }
        if matches!(step, Step::CancelWhole | Step::CancelFirst) {
            refunded(&desk.app).await?;
        }
    }
    Ok(())
}

/// Whether somebody asked about what they ordered before they did: regulars do, now and then.
fn asks(number: usize, story: &Story) -> bool {
    number.is_multiple_of(3) && story.shopper < SHOPPERS.len()
}

/// The product a story is about first: its id and code.
fn first_of(story: &Story, goods: &Goods) -> anyhow::Result<(String, String)> {
    let (code, _) = story.lines.first().context("a line of the story")?;
    let good = goods
        .get(code)
        .with_context(|| format!("no product {code}"))?;
    Ok((good.id.clone(), code.clone()))
}

/// The buyer says what they think of what they bought; one in six has better things to do.
async fn review(
    desk: &mut Desk,
    shopper: &Shopper,
    story: &Story,
    order: &mut Made,
    number: usize,
) -> anyhow::Result<()> {
    if number % 6 == 5 {
        return Ok(());
    }
    for (line, (code, _)) in (1_usize..).zip(&story.lines) {
        let purchase_no = format!("{}-{line}", order.order_no);
        let picture = format!("/pictures/{}.webp", pictured(code));
        let about = (purchase_no.as_str(), code.as_str(), picture.as_str());
        let written = voices::review(desk, &shopper.session, about, number + 7 * line).await?;
        order.reviews.push(written);
    }
    Ok(())
}

/// The code of the product whose picture a variant shows: `BK-ROAD-01` of `BK-ROAD-01-RE`.
fn pictured(code: &str) -> String {
    let parts: Vec<&str> = code.split('-').collect();
    let number = parts
        .iter()
        .position(|part| part.bytes().all(|one| one.is_ascii_digit()));
    let own = number.map_or(parts.len(), |place| place + 1);
    parts.into_iter().take(own).collect::<Vec<_>>().join("-")
}

/// Sellers answer half of what is said about their goods; now and then staff picks one.
async fn thank(
    desk: &mut Desk,
    people: &People,
    order: &Made,
    number: usize,
) -> anyhow::Result<()> {
    for (line, written) in (1_usize..).zip(&order.reviews) {
        if (number + line).is_multiple_of(2) {
            let seller = worker(desk, people, &format!("{}-{line}", order.order_no)).await?;
            voices::thank(desk, &seller, written, number).await?;
        }
        if (number + line).is_multiple_of(7) {
            voices::pick(desk, &people.operator, written).await?;
        }
    }
    Ok(())
}

async fn place(
    desk: &mut Desk,
    people: &People,
    shopper: &Shopper,
    story: &Story,
    goods: &mut Goods,
    own: Option<&Vec<(&'static str, String)>>,
) -> anyhow::Result<Made> {
    let person = &shopper.person;
    let mut carts = Vec::new();
    for (code, quantity) in &story.lines {
        let good = goods
            .get_mut(code)
            .with_context(|| format!("no product {code}"))?;
        let option = taken(desk, people, good, *quantity).await?;
        carts.push(json!({ "_product": good.id, "_option": option, "quantity": quantity }));
    }
    let mut form = json!({
        "carts": carts,
        "sender": { "name": person.name, "phone": person.phone, "email": person.email() },
        "receiver": {
            "title": "집", "name": person.name, "phone": person.phone, "postcode": person.postcode,
            "address1": person.address1, "address2": person.address2,
        },
        "paymentMethod": "card", "requestMessage": "문 앞에 놓아 주세요.", "_terms": ["purchase", "privacy", "privacy-third"],
    });
    if matches!(story.fate, Fate::AwaitingDeposit | Fate::PaidByDeposit) {
        insert(&mut form, "paymentMethod", json!("vbank"));
        let account =
            json!({ "code": "088", "accountNumber": "110123456789", "accountHolder": person.name });
        insert(&mut form, "account", account);
    }
    let issued = |stage: &str| {
        own.and_then(|own| own.iter().find(|(its, _)| *its == stage))
            .map(|(_, issued)| issued)
    };
    match story.help {
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
        // The coupon may ask for more than this order costs, or be used, or the points be spent; then it is bought without.
        Err(_) if story.help != Help::None => {
            insert(&mut form, "coupons", json!([]));
            insert(&mut form, "point", json!(0));
            desk.post(who, "/api/v1/shop/orders", &form).await?
        }
        answer => answer?,
    };
    Ok(Made {
        id: at(&answer, "order/_id")?,
        order_no: at(&answer, "order/orderNo")?,
        lines: story.lines.len(),
        reviews: Vec::new(),
    })
}

/// Takes pieces of a product off what is known to be left, of its first option that has them; what is sold out is delivered
/// again first. Answers the option.
async fn taken(
    desk: &mut Desk,
    people: &People,
    good: &mut Good,
    quantity: u32,
) -> anyhow::Result<Option<String>> {
    let enough = |left: u32| left >= quantity;
    if good.options.is_empty() {
        if !enough(good.left) {
            delivered(desk, people, good).await?;
        }
        good.left = good.left.saturating_sub(quantity);
        return Ok(None);
    }
    if !good.options.iter().any(|(_, left)| enough(*left)) {
        delivered(desk, people, good).await?;
    }
    let option = good.options.iter_mut().find(|(_, left)| enough(*left));
    let (id, left) = option.context("an option that is left")?;
    *left = left.saturating_sub(quantity);
    Ok(Some(id.clone()))
}

/// Staff counts what has come in.
async fn delivered(desk: &mut Desk, people: &People, good: &mut Good) -> anyhow::Result<()> {
    let path = format!("/api/console/shop/products/{}", good.id);
    let shown = desk
        .ask(Some(&people.operator), Method::GET, &path, &Value::Null)
        .await?;
    let version = shown
        .pointer("/product/version")
        .context("a version")?
        .clone();
    let piles: Vec<&String> = match good.options.is_empty() {
        true => vec![&good.id],
        false => good.options.iter().map(|(id, _)| id).collect(),
    };
    let counts: Vec<Value> = piles
        .into_iter()
        .map(|pile| json!({ "_stock": pile, "quantity": DELIVERY }))
        .collect();
    desk.put(
        &people.operator,
        &path,
        &json!({ "version": version, "stock": counts }),
    )
    .await?;
    good.left = DELIVERY;
    good.options
        .iter_mut()
        .for_each(|(_, left)| *left = DELIVERY);
    Ok(())
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
        Step::Place | Step::Ask | Step::Answer | Step::Review | Step::Thank => Ok(()),
        Step::Pay => desk.pay(buyer, &order.id).await,
        Step::Deposit => desk.deposit(buyer, &order.id).await,
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
pub(super) async fn refunds_on_their_way(app: &AppState) -> anyhow::Result<usize> {
    let mut waiting = BTreeSet::new();
    for event in app.store.read_types(&["CancelApproved"]).await? {
        if let OrderEvent::CancelApproved { refund, .. } = event.event::<Order>()? {
            waiting.extend(refund);
        }
    }
    for event in app.store.read_types(&["RefundCompleted"]).await? {
        if let PaymentEvent::RefundCompleted { refund, .. } = event.event::<Payment>()? {
            waiting.remove(&refund);
        }
    }
    Ok(waiting.len())
}
