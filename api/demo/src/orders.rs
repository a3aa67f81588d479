//! Creates the planned orders: every step of every order as a request of the user who takes it, in chronological order.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Context;
use application::App;
use application::access::Session;
use application::orders::find::id_of;
use axum::http::Method;
use domain::order::{Order, OrderEvent};
use domain::payment::{Payment, PaymentEvent};
use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

mod steps;

use steps::{Step, steps};

use crate::Progress;
use crate::claims;
use crate::client::{ApiClient, at};
use crate::corrections;
use crate::coupons::MemberCoupons;
use crate::feedback;
use crate::goods::{Good, Goods};
use crate::order_plans::{Benefit, OrderPlan, OrderScenario};
use crate::people::{People, SHOPPERS, Shopper};

/// Maximum number of polls for refunds, fifty milliseconds apart.
const MAX_POLLS: u32 = 400;
/// Stock after a restock, in pieces.
const RESTOCKED: u32 = 200;
/// A placed order.
struct PlacedOrder {
    id: String,
    order_no: String,
    lines: usize,
    /// The reviews of its purchases.
    reviews: Vec<String>,
}

/// Whether others change orders at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ShopActivity {
    /// No other changes.
    Closed,
    /// The shop may be in use, and its deadlines may end an order before its plan does.
    Open,
}

/// Performs the steps of all plans up to the present.
pub(crate) async fn perform_all(
    client: &mut ApiClient,
    people: &People,
    goods: &mut Goods,
    coupons: &MemberCoupons,
    plans: &[OrderPlan],
    activity: ShopActivity,
    report: &impl Fn(Progress<'_>),
) -> anyhow::Result<()> {
    let mut schedule: Vec<(OffsetDateTime, usize, Step)> = Vec::new();
    for (number, plan) in plans.iter().enumerate() {
        if has_inquiry(number, plan) {
            for (before, step) in [(26, Step::Inquire), (19, Step::ReplyToInquiry)] {
                schedule.push((plan.placed - Duration::hours(before), number, step));
            }
        }
        for (place, (after, step)) in (0_i64..).zip(steps(plan.scenario)) {
            let at = plan.placed + Duration::hours(*after) + Duration::minutes(place);
            if at <= client.now {
                schedule.push((at, number, *step));
            }
        }
    }
    schedule.sort_unstable();
    let mut orders: BTreeMap<usize, PlacedOrder> = BTreeMap::new();
    let mut asked: BTreeMap<usize, (String, String)> = BTreeMap::new();
    let mut placed_so_far = 0;
    for (at, number, step) in schedule {
        client.go_to(at);
        let Some(plan) = plans.get(number) else {
            continue;
        };
        let shopper = people
            .shoppers
            .get(plan.shopper)
            .context("the shopper of the plan")?;
        let result = match (step, orders.get_mut(&number)) {
            (Step::Inquire, _) => {
                let product = first_product(plan, goods)?;
                let about = (product.0.as_str(), product.1.as_str());
                let inquire = feedback::inquire(client, &shopper.session, about, number).await;
                inquire.map(|id| drop(asked.insert(number, (id, product.1))))
            }
            (Step::ReplyToInquiry, _) => match asked.get(&number) {
                // Some inquiries stay unanswered.
                Some((id, code)) if number % 5 != 3 => {
                    feedback::reply_to_inquiry(client, &people.operator, (id, code), number).await
                }
                _ => Ok(()),
            },
            (Step::Review, Some(order)) => review(client, shopper, plan, order, number).await,
            (Step::ReplyToReview, Some(order)) => {
                reply_to_reviews(client, people, order, number).await
            }
            (Step::Place, _) => {
                placed_so_far += 1;
                report(Progress::Order {
                    number: placed_so_far,
                    total: plans.len(),
                });
                let own = coupons.get(plan.shopper);
                let placed = place(client, people, shopper, plan, goods, own).await;
                placed.map(|placed| drop(orders.insert(number, placed)))
            }
            (_, None) => continue,
            (Step::RequestExchange, Some(order)) => {
                claims::request_exchange(client, shopper, &order.order_no).await
            }
            (Step::RequestReturn, Some(order)) => {
                claims::request_return(client, shopper, &order.order_no, number).await
            }
            (_, Some(order)) => perform(client, people, shopper, order, step).await,
        };
        match result.with_context(|| format!("order {number} of the plans, {step:?}")) {
            Ok(()) => {}
            Err(error) if activity == ShopActivity::Open && step != Step::Place => {
                tracing::debug!(
                    error = format!("{error:#}"),
                    "the order was changed by others"
                );
                orders.remove(&number);
                continue;
            }
            Err(error) => return Err(error),
        }
        if matches!(
            step,
            Step::CancelWhole | Step::CancelFirstLine | Step::CancelPiece | Step::ApproveReturn
        ) {
            wait_for_refunds(&client.app).await?;
        }
    }
    Ok(())
}

/// Whether the buyer sends an inquiry about the product before ordering it: sometimes, if they are one of [`SHOPPERS`].
fn has_inquiry(number: usize, plan: &OrderPlan) -> bool {
    number.is_multiple_of(3) && plan.shopper < SHOPPERS.len()
}

/// Id and code of the product in the first line.
fn first_product(plan: &OrderPlan, goods: &Goods) -> anyhow::Result<(String, String)> {
    let (code, _) = plan.lines.first().context("a line of the plan")?;
    let good = goods
        .get(code)
        .with_context(|| format!("no product {code}"))?;
    Ok((good.id.clone(), code.clone()))
}

/// The buyer reviews every purchase, except in one order of six.
async fn review(
    client: &mut ApiClient,
    shopper: &Shopper,
    plan: &OrderPlan,
    order: &mut PlacedOrder,
    number: usize,
) -> anyhow::Result<()> {
    if number % 6 == 5 {
        return Ok(());
    }
    for (line, (code, _)) in (1_usize..).zip(&plan.lines) {
        let purchase_no = format!("{}-{line}", order.order_no);
        let picture = format!("/pictures/{}.webp", pictured_product(code));
        let about = (purchase_no.as_str(), code.as_str(), picture.as_str());
        let review = feedback::review(client, &shopper.session, about, number + 7 * line).await?;
        order.reviews.push(review);
    }
    Ok(())
}

/// The code of the product whose picture a variant shows: `BK-ROAD-01` of `BK-ROAD-01-RE`.
fn pictured_product(code: &str) -> String {
    let parts: Vec<&str> = code.split('-').collect();
    let number = parts
        .iter()
        .position(|part| part.bytes().all(|one| one.is_ascii_digit()));
    let own = number.map_or(parts.len(), |place| place + 1);
    parts.into_iter().take(own).collect::<Vec<_>>().join("-")
}

/// Sellers reply to half of the reviews; staff marks one in seven as one of the best.
async fn reply_to_reviews(
    client: &mut ApiClient,
    people: &People,
    order: &PlacedOrder,
    number: usize,
) -> anyhow::Result<()> {
    for (line, review) in (1_usize..).zip(&order.reviews) {
        if (number + line).is_multiple_of(2) {
            let seller = seller_of(client, people, &format!("{}-{line}", order.order_no)).await?;
            feedback::reply_to_review(client, &seller, review, number).await?;
        }
        if (number + line).is_multiple_of(7) {
            feedback::mark_best(client, &people.operator, review).await?;
        }
    }
    Ok(())
}

async fn place(
    client: &mut ApiClient,
    people: &People,
    shopper: &Shopper,
    plan: &OrderPlan,
    goods: &mut Goods,
    own: Option<&Vec<(&'static str, String)>>,
) -> anyhow::Result<PlacedOrder> {
    let person = &shopper.person;
    let mut carts = Vec::new();
    for (code, quantity) in &plan.lines {
        let good = goods
            .get_mut(code)
            .with_context(|| format!("no product {code}"))?;
        let option = take_stock(client, people, good, *quantity).await?;
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
    if matches!(
        plan.scenario,
        OrderScenario::AwaitingDeposit | OrderScenario::PaidByDeposit
    ) {
        insert(&mut form, "paymentMethod", json!("vbank"));
        let account =
            json!({ "code": "088", "accountNumber": "110123456789", "accountHolder": person.name });
        insert(&mut form, "account", account);
    }
    let issued = |stage: &str| {
        own.and_then(|own| own.iter().find(|(its, _)| *its == stage))
            .map(|(_, issued)| issued)
    };
    match plan.benefit {
        Benefit::None => {}
        Benefit::Points(points) => insert(&mut form, "point", json!(points)),
        Benefit::Coupon(stage) => {
            let coupons: Vec<Value> = issued(stage)
                .map(|issued| json!({ "_issued": issued }))
                .into_iter()
                .collect();
            insert(&mut form, "coupons", Value::Array(coupons));
        }
    }
    let who = Some(&shopper.session);
    let answer = match client.post(who, "/api/v1/shop/orders", &form).await {
        // The coupon may require a higher price or be used, or the points be spent; then the order is placed without the benefit.
        Err(_) if plan.benefit != Benefit::None => {
            insert(&mut form, "coupons", json!([]));
            insert(&mut form, "point", json!(0));
            client.post(who, "/api/v1/shop/orders", &form).await?
        }
        answer => answer?,
    };
    Ok(PlacedOrder {
        id: at(&answer, "order/_id")?,
        order_no: at(&answer, "order/orderNo")?,
        lines: plan.lines.len(),
        reviews: Vec::new(),
    })
}

/// Takes pieces from the known stock of a product, of its first option that has enough; restocks it first if none has. Returns the
/// option.
async fn take_stock(
    client: &mut ApiClient,
    people: &People,
    good: &mut Good,
    quantity: u32,
) -> anyhow::Result<Option<String>> {
    let enough = |left: u32| left >= quantity;
    if good.options.is_empty() {
        if !enough(good.left) {
            restock(client, people, good).await?;
        }
        good.left = good.left.saturating_sub(quantity);
        return Ok(None);
    }
    if !good.options.iter().any(|(_, left)| enough(*left)) {
        restock(client, people, good).await?;
    }
    let option = good.options.iter_mut().find(|(_, left)| enough(*left));
    let (id, left) = option.context("an option that is left")?;
    *left = left.saturating_sub(quantity);
    Ok(Some(id.clone()))
}

/// Staff records new stock of a product and its options.
async fn restock(client: &mut ApiClient, people: &People, good: &mut Good) -> anyhow::Result<()> {
    let path = format!("/api/console/shop/products/{}", good.id);
    let shown = client
        .request(Some(&people.operator), Method::GET, &path, &Value::Null)
        .await?;
    let version = shown
        .pointer("/product/version")
        .context("a version")?
        .clone();
    let stocks: Vec<&String> = match good.options.is_empty() {
        true => vec![&good.id],
        false => good.options.iter().map(|(id, _)| id).collect(),
    };
    let counts: Vec<Value> = stocks
        .into_iter()
        .map(|stock| json!({ "_stock": stock, "quantity": RESTOCKED }))
        .collect();
    client
        .put(
            &people.operator,
            &path,
            &json!({ "version": version, "stock": counts }),
        )
        .await?;
    good.left = RESTOCKED;
    good.options
        .iter_mut()
        .for_each(|(_, left)| *left = RESTOCKED);
    Ok(())
}

fn insert(form: &mut Value, field: &str, value: Value) {
    if let Some(fields) = form.as_object_mut() {
        fields.insert(field.to_owned(), value);
    }
}

async fn perform(
    client: &mut ApiClient,
    people: &People,
    shopper: &Shopper,
    order: &PlacedOrder,
    step: Step,
) -> anyhow::Result<()> {
    let buyer = Some(&shopper.session);
    let numbers: Vec<String> = (1..=order.lines)
        .map(|line| format!("{}-{line}", order.order_no))
        .collect();
    match step {
        Step::Place
        | Step::Inquire
        | Step::ReplyToInquiry
        | Step::Review
        | Step::ReplyToReview
        | Step::RequestExchange
        | Step::RequestReturn => Ok(()),
        Step::CancelPiece => claims::cancel_piece(client, shopper, &order.order_no).await,
        Step::PickUpGoods => {
            let parcel = json!({
                "collectionStatus": "COLLECTION_PROGRESS", "courier": "kr.cjlogistics", "invoiceNo": "640012345678",
            });
            claims::answer_return(client, people, &order.id, &parcel).await
        }
        Step::InspectGoods => {
            let found = json!({
                "collectionStatus": "COLLECTION_COMPLETE",
                "inspection": { "arrived": 1, "resellable": 1, "fault": "BUYER" },
            });
            claims::answer_return(client, people, &order.id, &found).await
        }
        Step::ApproveReturn => {
            let approved = json!({ "claimStatus": "RETURN_COMPLETED" });
            claims::answer_return(client, people, &order.id, &approved).await
        }
        Step::RejectReturn => {
            let rejected = json!({
                "claimStatus": "RETURN_REJECTED", "reason": "사용한 흔적이 있어 다시 판매할 수 없습니다.",
                "courier": "kr.cjlogistics", "invoiceNo": "640087654321",
            });
            claims::answer_return(client, people, &order.id, &rejected).await
        }
        Step::AcceptExchange => {
            let accepted = json!({ "claimStatus": "EXCHANGE_PENDING" });
            claims::answer_return(client, people, &order.id, &accepted).await
        }
        Step::ReceiveFee => claims::receive_fee(client, people, &order.id).await,
        Step::PayFee => claims::pay_fee(client, people, (buyer, &order.id)).await,
        Step::RejectExchange => {
            let rejected = json!({
                "claimStatus": "EXCHANGE_REJECTED", "reason": "사용한 흔적이 있어 교환해 드릴 수 없습니다.",
                "courier": "kr.cjlogistics", "invoiceNo": "640087654322",
            });
            claims::answer_return(client, people, &order.id, &rejected).await
        }
        Step::RejectSoldOut => {
            let rejected = json!({
                "claimStatus": "EXCHANGE_REJECTED", "reason": "교환해 드릴 상품이 품절되었습니다.",
                "courier": "kr.cjlogistics", "invoiceNo": "640087654323",
            });
            claims::answer_return(client, people, &order.id, &rejected).await
        }
        Step::DelayReplacement => {
            let late = json!({ "claimStatus": "EXCHANGE_DELAYED", "reason": "교환 상품의 입고가 늦어지고 있습니다." });
            claims::answer_return(client, people, &order.id, &late).await
        }
        Step::ShipReplacement => {
            let parcel = json!({
                "claimStatus": "EXCHANGE_SHIPPING", "courier": "kr.cjlogistics", "invoiceNo": "640055556666",
            });
            claims::answer_return(client, people, &order.id, &parcel).await
        }
        Step::CompleteExchange => {
            let arrived = json!({ "claimStatus": "EXCHANGE_COMPLETED" });
            claims::answer_return(client, people, &order.id, &arrived).await
        }
        Step::CorrectReceiver => corrections::correct_receiver(client, people, &order.id).await,
        Step::WriteNote => corrections::write_note(client, people, &order.id).await,
        Step::Pay => client.pay(buyer, &order.id).await,
        Step::Deposit => client.deposit(buyer, &order.id).await,
        Step::Confirm => discard(
            client
                .post(
                    buyer,
                    &format!("/api/v1/me/orders/{}/confirm", order.id),
                    &json!({}),
                )
                .await,
        ),
        Step::CancelWhole => {
            let why = json!({ "reason": "다른 상품을 사기로 했어요." });
            discard(
                client
                    .post(
                        buyer,
                        &format!("/api/v1/me/orders/{}/cancel", order.id),
                        &why,
                    )
                    .await,
            )
        }
        Step::RequestCancel => {
            let why = json!({ "_purchases": numbers, "reason": "색상을 잘못 골랐어요." });
            discard(
                client
                    .post(buyer, "/api/v1/me/purchases/cancel", &why)
                    .await,
            )
        }
        Step::CancelFirstLine => {
            let first: Vec<&String> = numbers.iter().take(1).collect();
            let why = json!({ "purchaseNos": first, "reason": "포장 중 파손을 발견했습니다." });
            discard(
                client
                    .post(
                        Some(&people.operator),
                        &format!("/api/console/shop/orders/{}/cancel", order.id),
                        &why,
                    )
                    .await,
            )
        }
        // A request over several sellers is a claim for each of them; each is answered once.
        Step::RejectCancel => {
            for number in &numbers {
                if is_claimed(client, number).await? {
                    let who = seller_of(client, people, number).await?;
                    perform_for_purchase(client, &who, number, step).await?;
                }
            }
            Ok(())
        }
        Step::Prepare | Step::Ship | Step::Delay | Step::Deliver => {
            for number in &numbers {
                let who = seller_of(client, people, number).await?;
                perform_for_purchase(client, &who, number, step).await?;
            }
            Ok(())
        }
    }
}

fn discard(answer: anyhow::Result<Value>) -> anyhow::Result<()> {
    answer.map(drop)
}

/// The session of the seller of a purchase; the operator's if the seller is not part of the demonstration.
async fn seller_of(
    client: &ApiClient,
    people: &People,
    purchase_no: &str,
) -> anyhow::Result<Session> {
    let order = order_of(client, purchase_no).await?;
    let seller = order.purchase(purchase_no).context("the purchase")?.seller;
    let own = people
        .sellers
        .values()
        .find(|session| session.user == seller);
    Ok(own.unwrap_or(&people.operator).clone())
}

/// Whether a claim on a purchase waits for an answer.
async fn is_claimed(client: &ApiClient, purchase_no: &str) -> anyhow::Result<bool> {
    let order = order_of(client, purchase_no).await?;
    Ok(order.open_claim(purchase_no).is_some())
}

async fn order_of(client: &ApiClient, purchase_no: &str) -> anyhow::Result<Order> {
    let (order_no, _) = purchase_no.rsplit_once('-').context("a purchase number")?;
    let id = id_of(&client.app, order_no).await?;
    let order = client.app.store.load::<Order>(&id.to_string()).await?;
    Ok(order.state)
}

/// A step that the seller takes for one purchase.
async fn perform_for_purchase(
    client: &mut ApiClient,
    who: &Session,
    purchase_no: &str,
    step: Step,
) -> anyhow::Result<()> {
    let purchase = format!("/api/console/shop/purchases/{purchase_no}");
    match step {
        Step::Ship => {
            let digits: String = purchase_no
                .bytes()
                .map(|byte| char::from(b'0' + byte % 10))
                .take(12)
                .collect();
            let parcel = json!({ "courier": "kr.cjlogistics", "invoiceNo": digits });
            discard(
                client
                    .put(
                        who,
                        &format!("/api/console/shop/invoices/{purchase_no}"),
                        &parcel,
                    )
                    .await,
            )
        }
        Step::Delay => {
            let late = json!({ "orderStatus": "SHIPPING_DELAYED", "reason": "부품 입고가 늦어지고 있습니다." });
            discard(client.put(who, &purchase, &late).await)
        }
        Step::Deliver => discard(
            client
                .put(
                    who,
                    &purchase,
                    &json!({ "orderStatus": "DELIVERY_COMPLETE" }),
                )
                .await,
        ),
        Step::RejectCancel => {
            let no = json!({ "claimStatus": "CANCEL_REJECTED", "reason": "이미 포장이 끝나 발송을 앞두고 있습니다." });
            discard(client.put(who, &purchase, &no).await)
        }
        _ => discard(
            client
                .put(who, &purchase, &json!({ "orderStatus": "ORDER_CONFIRM" }))
                .await,
        ),
    }
}

/// Waits until all refunds are completed, so that they are completed at that time of the plan.
async fn wait_for_refunds(app: &App) -> anyhow::Result<()> {
    for _ in 0..MAX_POLLS {
        if outstanding_refunds(app).await? == 0 {
            return Ok(());
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    anyhow::bail!("a refund is not done")
}

/// The number of refunds of approved claims that are not completed.
pub(crate) async fn outstanding_refunds(app: &App) -> anyhow::Result<usize> {
    let mut waiting = BTreeSet::new();
    let approvals = ["CancelApproved", "ReturnApproved"];
    for event in app.store.read_types(&approvals).await? {
        if let OrderEvent::CancelApproved { refund, .. }
        | OrderEvent::ReturnApproved { refund, .. } = event.event::<Order>()?
        {
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
