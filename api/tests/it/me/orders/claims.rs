//! Claims: who answers them, and their refunds.

use serde_json::{Value, json};

use super::parcel::{Parcel, sum, sums};
use crate::support::shop::{id_of, order_form};
use crate::support::{Account, Reply, TestApp, until};

/// A paid order with products of two sellers, whose buyer requests the cancellation while it is prepared.
struct MixedOrder {
    shop: TestApp,
    sellers: [Account; 2],
    staff: Account,
    hong: Account,
    order: String,
    number: String,
}

impl MixedOrder {
    async fn start() -> Self {
        let shop = TestApp::start().await;
        let sellers = [
            shop.company("seller01").await,
            shop.company("seller02").await,
        ];
        let (staff, hong) = (shop.console().await, shop.sign_up("hong1234").await);
        let mut carts = Vec::new();
        for (seller, code) in sellers.iter().zip(["A-1", "B-1"]) {
            let product = shop.console_product(seller, code).await;
            carts.push(json!({ "_product": product["_id"], "quantity": 1 }));
        }
        let first = carts[0]["_product"].as_str().unwrap().parse().unwrap();
        let mut form = order_form(first, 1);
        form["carts"] = json!(carts);
        let placed = shop.post("/api/v1/shop/orders", &form).as_(&hong);
        let placed = placed.send().await.expect(201);
        let order = id_of(&placed);
        shop.pay(&hong.token, &order).await.expect(303);
        let number = placed.body["order"]["orderNo"].as_str().unwrap().to_owned();
        let here = Self {
            shop,
            sellers,
            staff,
            hong,
            order,
            number,
        };
        for (line, seller) in here.sellers.iter().enumerate() {
            let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
            here.shop
                .work(seller, &here.line(line), prepare)
                .await
                .expect(200);
        }
        here
    }

    fn line(&self, line: usize) -> String {
        let mut numbers = [format!("{}-1", self.number), format!("{}-2", self.number)];
        numbers[line].split_off(0)
    }

    /// The buyer requests the cancellation of these lines.
    async fn ask(&self, lines: &[usize]) -> Reply {
        let nos: Vec<String> = lines.iter().map(|line| self.line(*line)).collect();
        let asked = json!({ "_purchases": nos, "reason": "배송이 늦어요" });
        let asked = self.shop.post("/api/v1/me/purchases/cancel", &asked);
        asked.as_(&self.hong).send().await
    }

    /// The line in the console's list.
    async fn seen(&self, who: &Account, line: usize) -> Value {
        let head = self.shop.app.store.head().await.unwrap().to_string();
        let path = format!(
            "/api/console/shop/purchases?searchValue={}",
            self.line(line)
        );
        let list = self.shop.get(&path).as_(who);
        let list = list
            .header("x-wait-position", &head)
            .send()
            .await
            .expect(200);
        list.body["purchases"][0].clone()
    }
}

const APPROVE: &str = "CANCEL_COMPLETED";
const REJECT: &str = "CANCEL_REJECTED";

fn answer(status: &str) -> Value {
    json!({ "claimStatus": status, "reason": "확인했습니다" })
}

fn offers(row: &Value) -> bool {
    let actions = row["nextActions"].as_array().unwrap();
    ["approveCancel", "rejectCancel"]
        .iter()
        .any(|action| actions.contains(&json!(action)))
}

#[tokio::test]
async fn a_request_over_several_sellers_is_a_claim_for_each() {
    let here = MixedOrder::start().await;
    here.ask(&[0, 1]).await.expect(200);
    let claims = async || {
        let order = here.shop.my_order(&here.hong.token, &here.order).await;
        let claims = order["claims"].as_array().unwrap().clone();
        let of_claim = |claim: &Value| claim["purchaseNos"].clone();
        claims.iter().map(of_claim).collect::<Vec<_>>()
    };
    let [first, second] = [json!([here.line(0)]), json!([here.line(1)])];
    assert_eq!(claims().await, [first, second]);
    for (line, seller) in here.sellers.iter().enumerate() {
        assert!(offers(&here.seen(seller, line).await), "{line}");
        // A seller cannot answer the claim on the other seller's line.
        let other = here.line(1 - line);
        let foreign = here.shop.work(seller, &other, answer(APPROVE)).await;
        assert_eq!(foreign.status, 404);
        let own = here.line(line);
        here.shop
            .work(seller, &own, answer(APPROVE))
            .await
            .expect(200);
    }
    let done = |order: &Value| {
        let mut lines = order["purchases"].as_array().unwrap().iter();
        lines.all(|line| line["claimStatus"] == "CANCEL_COMPLETED")
    };
    let (token, order) = (&here.hong.token, &here.order);
    here.shop.until(token, order, "not given back", done).await;
    assert_eq!(here.shop.charges().await["balance"], 0);
}

/// The buyer requests a cancellation, the seller approves it, staff cancel at once: as long as there is no tracking number.
#[tokio::test]
async fn what_is_delayed_before_it_was_sent_can_be_canceled() {
    let here = MixedOrder::start().await;
    let late = || json!({ "orderStatus": "SHIPPING_DELAYED", "reason": "입고 지연" });
    let [first, second] = &here.sellers;
    for (line, seller) in here.sellers.iter().enumerate() {
        let no = here.line(line);
        here.shop.work(seller, &no, late()).await.expect(200);
    }
    let arrived = json!({ "orderStatus": "DELIVERY_COMPLETE" });
    let early = here.shop.work(first, &here.line(0), arrived).await;
    assert_eq!(early.expect(409).code(), "not_allowed_now");
    let actions = |row: &Value| row["nextActions"].as_array().unwrap().clone();
    let order = here.shop.my_order(&here.hong.token, &here.order).await;
    assert_eq!(actions(&order["purchases"][0]), [json!("requestCancel")]);
    here.ask(&[0]).await.expect(200);
    assert!(offers(&here.seen(first, 0).await));
    let granted = here.shop.work(first, &here.line(0), answer(APPROVE)).await;
    granted.expect(200);

    assert!(actions(&here.seen(&here.staff, 1).await).contains(&json!("cancel")));
    here.shop
        .ship(second, &here.line(1), "123456789012")
        .await
        .expect(200);
    let sent = here.shop.work(second, &here.line(1), late()).await;
    sent.expect(200);
    let refused = here.ask(&[1]).await;
    assert_eq!(refused.expect(409).code(), "not_allowed_now");
    assert!(!actions(&here.seen(&here.staff, 1).await).contains(&json!("cancel")));
}

#[tokio::test]
async fn a_seller_answers_a_claim_that_is_wholly_theirs() {
    let here = MixedOrder::start().await;
    here.ask(&[0]).await.expect(200);
    here.ask(&[1]).await.expect(200);
    for (line, status) in [(0, APPROVE), (1, REJECT)] {
        let [own, other] = match line {
            0 => [&here.sellers[0], &here.sellers[1]],
            _ => [&here.sellers[1], &here.sellers[0]],
        };
        assert!(offers(&here.seen(own, line).await), "{line}");
        let line = here.line(line);
        let foreign = here.shop.work(other, &line, answer(status)).await;
        assert_eq!(foreign.status, 404);
        let answered = here.shop.work(own, &line, answer(status)).await;
        answered.expect(200);
    }
    // The buyer can read the reason, and is notified of both answers.
    let (token, order) = (&here.hong.token, &here.order);
    let done = |order: &Value| order["purchases"][0]["claimStatus"] == "CANCEL_COMPLETED";
    let order = here.shop.until(token, order, "not given back", done).await;
    assert_eq!(order["purchases"][0]["claim"]["rejection"], Value::Null);
    assert_eq!(order["purchases"][1]["claim"]["rejection"], "확인했습니다");
    for (kind, times) in [
        ("CANCEL_REQUESTED", 2),
        ("CANCEL_APPROVED", 1),
        ("CANCEL_REJECTED", 1),
        ("CANCEL_COMPLETED", 1),
    ] {
        until(kind, async || {
            let path = format!("/api/v1/me/alarms?type={kind}");
            let alarms = here
                .shop
                .get(&path)
                .as_(&here.hong)
                .send()
                .await
                .expect(200);
            (alarms.body["summary"]["totalCount"] == times).then_some(())
        })
        .await;
    }
}

#[tokio::test]
async fn the_money_goes_back_by_the_method_that_paid() {
    let shop = TestApp::start().await;
    let (seller, hong) = (
        shop.company("seller01").await,
        shop.sign_up("hong1234").await,
    );
    let product = shop.console_product(&seller, "A-1").await;
    let form = order_form(product["_id"].as_str().unwrap().parse().unwrap(), 1);
    let placed = shop.post("/api/v1/shop/orders", &form).as_(&hong);
    let order = id_of(&placed.send().await.expect(201));
    // Ordered with a card, paid by bank transfer.
    let window = shop.window_of(&hong.token, &order, "bank").await;
    let form = shop.authenticate(&window).await;
    shop.come_back(&form).await.expect(303);
    let path = format!("/api/v1/me/orders/{order}/cancel/preview");
    let asked = shop.post(&path, &json!({})).as_(&hong).send().await;
    assert_eq!(
        asked.expect(200).body["preview"]["refund"]["method"],
        "bank"
    );
}

#[tokio::test]
async fn what_a_buyer_is_shown_is_what_comes_back() {
    let here = Parcel::start().await;
    let before = here.purse().await;
    let whole = here.preview(json!({})).await;
    assert_eq!(sums(&whole)["refund"], before.0);
    assert_eq!(sums(&whole)["points"], 301);
    // One of two: its shipping fee and the coupon stay, with the reasons.
    let first = here.preview(json!({ "_purchases": [here.line(1)] })).await;
    assert_eq!(first["lines"][0]["purchaseNo"], here.line(1).as_str());
    assert_eq!(first["refund"]["amount"], first["lines"][0]["money"]);
    assert_eq!(first["atOnce"], true);
    for (what, reason) in [
        (
            &first["fares"][0],
            "함께 배송하는 다른 상품이 남아 있습니다.",
        ),
        (
            &first["coupons"][0],
            "쿠폰을 적용한 다른 상품이 남아 있습니다.",
        ),
    ] {
        assert_eq!(what["reason"], reason);
    }
    assert_eq!(sum(&first["fares"], "money"), 0);
    let last = here.preview(json!({ "_purchases": [here.line(2)] })).await;
    here.cancel(1, &sums(&first)).await.expect(200);
    here.came_back(before, &first).await;
    // Meanwhile the other one is the last of its parcel: the refund shown for it is outdated.
    let (purse, head) = (
        here.purse().await,
        here.shop.app.store.head().await.unwrap(),
    );
    let stale = here.cancel(2, &sums(&last)).await;
    assert_eq!((stale.status, stale.code()), (409, "refund_changed"));
    assert_eq!(stale.body["error"]["details"]["shown"], sums(&last));
    assert_eq!(here.purse().await, purse);
    assert_eq!(here.shop.app.store.head().await.unwrap(), head);
    let rest = here.preview(json!({})).await;
    assert_eq!(stale.body["error"]["details"]["now"], sums(&rest));
    assert!(sum(&rest["fares"], "money") > 0, "{rest}");
    assert_eq!(rest["coupons"][0]["returns"], true);
    let parts = sum(&rest["lines"], "money") + sum(&rest["fares"], "money");
    assert_eq!(rest["refund"]["amount"], parts);
    let path = format!("/api/v1/me/orders/{}/cancel", here.order);
    let body = json!({ "reason": "배송이 늦어요", "shown": sums(&rest) });
    let canceled = here.shop.post(&path, &body).as_(&here.hong).send().await;
    canceled.expect(200);
    here.came_back(purse, &rest).await;
    assert_eq!(here.purse().await, (0, 500, true));
    // There is nothing left to refund.
    let path = format!("{path}/preview");
    let gone = here.shop.post(&path, &json!({})).as_(&here.hong);
    assert_eq!(gone.send().await.code(), "not_allowed_now");
}

/// One of two pieces, then the other and all the rest: the refunds add up exactly to the amount paid.
#[tokio::test]
async fn pieces_come_back_one_after_the_other_and_add_up() {
    let here = Parcel::start().await;
    let start = here.purse().await;
    let wish = json!({ "_purchases": [here.line(2)], "quantities": [1] });
    let one = here.preview(wish).await;
    assert_eq!(one["lines"][0]["quantity"], 1);
    assert_eq!(one["lines"][0]["splitFrom"], here.line(2).as_str());
    assert_eq!(sum(&one["fares"], "money"), 0, "the parcel goes on");
    let canceled = here.cancel_pieces(2, 1, &sums(&one)).await.expect(200);
    let lines = canceled.body["order"]["purchases"].as_array().unwrap();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[1]["quantity"], 1);
    assert_eq!(lines[1]["claimStatus"], "NONE");
    assert_eq!(lines[2]["purchaseNo"], here.line(3).as_str());
    assert_eq!(lines[2]["splitFrom"], here.line(2).as_str());
    here.came_back(start, &one).await;
    let (purse, head) = (
        here.purse().await,
        here.shop.app.store.head().await.unwrap(),
    );
    for (pieces, field) in [(0, "quantities"), (2, "quantity"), (u32::MAX, "quantity")] {
        let refused = here.cancel_pieces(2, pieces, &Value::Null).await;
        assert_eq!((refused.status, refused.complaint().0), (400, field));
    }
    assert_eq!(here.shop.app.store.head().await.unwrap(), head);
    let rest = here.preview(json!({})).await;
    let path = format!("/api/v1/me/orders/{}/cancel", here.order);
    let body = json!({ "reason": "배송이 늦어요", "shown": sums(&rest) });
    let canceled = here.shop.post(&path, &body).as_(&here.hong).send().await;
    canceled.expect(200);
    here.came_back(purse, &rest).await;
    assert_eq!(here.purse().await, (0, 500, true));
}

const REFUNDS: &str = "/api/console/shop/purchases/cancel/preview";

#[tokio::test]
async fn what_is_granted_is_what_was_shown_and_all_rows_at_once() {
    let here = Parcel::start().await;
    let staff = here.shop.console().await;
    for line in [1, 2] {
        let prepare = json!({ "orderStatus": "ORDER_CONFIRM" });
        let no = here.line(line);
        here.shop.work(&here.seller, &no, prepare).await.expect(200);
        let asked = here.cancel(line, &Value::Null).await.expect(200);
        assert_eq!(
            asked.body["order"]["purchases"][line - 1]["claimStatus"],
            "CANCEL_REQUESTED"
        );
    }
    let before = here.purse().await;
    let wish = json!({ "action": "approveCancel", "purchaseNos": [here.line(1), here.line(2)] });
    let shown = async |who: &Account| {
        let asked = here.shop.post(REFUNDS, &wish).as_(who);
        asked.send().await.expect(200).body
    };
    let all = shown(&staff).await;
    let refunds = all["refunds"].as_array().unwrap();
    assert_eq!(refunds.len(), 2, "a claim each");
    // Computed one after another: the parcel's shipping fee is refunded with the second one.
    assert_eq!(all["sums"], json!({ "refund": before.0, "points": 301 }));
    assert_eq!(sum(&refunds[0]["preview"]["fares"], "money"), 0);
    assert!(sum(&refunds[1]["preview"]["fares"], "money") > 0);
    // The seller gets the same sums, without the shop's coupon.
    let theirs = shown(&here.seller).await;
    assert_eq!(theirs["sums"], all["sums"]);
    assert_eq!(theirs["refunds"][1]["preview"]["coupons"], json!([]));
    assert_eq!(coupons_in(&all), 2);
    let approve = async |line: usize, shown: Value| {
        let granted = json!({ "claimStatus": APPROVE, "shown": shown });
        here.shop
            .work(&here.seller, &here.line(line), granted)
            .await
    };
    let head = here.shop.app.store.head().await.unwrap();
    let wrong = approve(1, json!({ "refund": 1, "points": 0 })).await;
    assert_eq!((wrong.status, wrong.code()), (409, "refund_changed"));
    assert_eq!(here.shop.app.store.head().await.unwrap(), head);
    for (line, refund) in [(1, &refunds[0]), (2, &refunds[1])] {
        let before = here.purse().await;
        let granted = approve(line, sums(&refund["preview"])).await;
        granted.expect(200);
        here.came_back(before, &refund["preview"]).await;
    }
    assert_eq!(here.purse().await, (0, 500, true));
    // Answered: there is nothing to preview.
    let again = shown(&staff).await;
    assert_eq!(again["refunds"], json!([]));
    assert_eq!(again["failed"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn staff_who_cancel_give_back_what_they_were_shown() {
    let here = Parcel::start().await;
    let staff = here.shop.console().await;
    let before = here.purse().await;
    let wish = json!({ "action": "cancel", "purchaseNos": [here.line(1)] });
    let shown = here.shop.post(REFUNDS, &wish).as_(&staff).send().await;
    let preview = shown.expect(200).body["refunds"][0]["preview"].take();
    let path = format!("/api/console/shop/orders/{}/cancel", here.order);
    let cancel = async |shown: Value| {
        let body =
            json!({ "reason": "품절되었어요", "purchaseNos": [here.line(1)], "shown": shown });
        here.shop.post(&path, &body).as_(&staff).send().await
    };
    let head = here.shop.app.store.head().await.unwrap();
    let wrong = cancel(json!({ "refund": 1, "points": 0 })).await;
    assert_eq!((wrong.status, wrong.code()), (409, "refund_changed"));
    assert_eq!(here.shop.app.store.head().await.unwrap(), head);
    cancel(sums(&preview)).await.expect(200);
    here.came_back(before, &preview).await;
}

fn coupons_in(answer: &Value) -> usize {
    let refunds = answer["refunds"].as_array().unwrap().iter();
    refunds
        .map(|one| one["preview"]["coupons"].as_array().unwrap().len())
        .sum()
}

#[tokio::test]
async fn what_would_come_back_is_shown_to_nobody_else() {
    let here = Parcel::start().await;
    let kim = here.shop.sign_up("kim12345").await;
    let other = here.shop.company("seller02").await;
    let path = format!("/api/v1/me/orders/{}/cancel/preview", here.order);
    let foreign = here.shop.post(&path, &json!({})).as_(&kim).send().await;
    assert_eq!(foreign.status, 404);
    let nobody = here.shop.post(&path, &json!({})).send().await;
    assert_eq!(nobody.status, 401);
    let wish =
        json!({ "action": "cancel", "purchaseNos": [here.line(1), "20260101-ABCDEFGH-1", "?"] });
    let answer = here.shop.post(REFUNDS, &wish).as_(&other).send().await;
    let answer = answer.expect(200).body;
    assert_eq!(answer["refunds"], json!([]));
    let failed = answer["failed"].as_array().unwrap();
    assert!(
        failed.iter().all(|one| one["code"] == "not_found"),
        "{failed:?}"
    );
    assert_eq!(failed.len(), 3);
    let buyer = here.shop.post(REFUNDS, &wish).as_(&here.hong).send().await;
    assert_eq!(buyer.status, 403);
    for (field, purchases) in [("_purchases", json!([])), ("-", json!(["x"]))] {
        let asked = here.shop.post(&path, &json!({ "_purchases": purchases }));
        let refused = asked.as_(&here.hong).send().await;
        assert_eq!(refused.complaint().0, field, "{refused:?}");
        assert!(matches!(refused.status, 400 | 404));
    }
}

/// Each seller gets the refund of their own claim, and staff both.
#[tokio::test]
async fn claims_of_several_sellers_are_shown_to_each() {
    let here = MixedOrder::start().await;
    here.ask(&[0, 1]).await.expect(200);
    let wish = json!({ "action": "approveCancel", "purchaseNos": [here.line(0), here.line(1)] });
    let shown = async |who: &Account| {
        let asked = here.shop.post(REFUNDS, &wish).as_(who);
        asked.send().await.expect(200).body
    };
    let theirs = shown(&here.sellers[0]).await;
    let numbers = |answer: &Value| answer["refunds"][0]["purchaseNos"].clone();
    assert_eq!(numbers(&theirs), json!([here.line(0)]));
    assert_eq!(theirs["failed"][0]["code"], "not_found");
    let all = shown(&here.staff).await;
    assert_eq!(all["refunds"].as_array().unwrap().len(), 2, "a claim each");
    assert_eq!(all["sums"]["refund"], here.shop.charges().await["balance"]);
}

/// An unpaid order that is canceled gives back stock, points and coupons, and no money; a guest sees it with their token.
#[tokio::test]
async fn an_unpaid_order_of_a_guest_gives_no_money_back() {
    let shop = TestApp::start().await;
    let apples = shop.product(shop.seller().await, 1_000, 10).await;
    let placed = shop.post("/api/v1/shop/orders", &order_form(apples, 1));
    let placed = placed.send().await.expect(201);
    let (order, token) = (id_of(&placed), placed.body["guestToken"].as_str().unwrap());
    let path = format!("/api/v1/me/orders/{order}/cancel");
    let preview = shop
        .post(&format!("{path}/preview"), &json!({}))
        .token(token);
    let preview = preview.send().await.expect(200).body["preview"].take();
    let refund = &preview["refund"];
    assert_eq!(
        (&refund["amount"], &refund["reason"]),
        (&json!(0), &json!("결제한 금액이 없습니다."))
    );
    let body = json!({ "reason": "배송이 늦어요", "shown": sums(&preview) });
    // Paid in between: now there is money to refund.
    shop.pay(token, &order).await.expect(303);
    let stale = shop.post(&path, &body).token(token).send().await;
    assert_eq!((stale.status, stale.code()), (409, "refund_changed"));
    assert_eq!(
        shop.my_order(token, &order).await["status"],
        "ORDER_PAYMENT"
    );
}

/// A refund that the gateway refuses permanently is sent to the buyer's account by staff, once.
#[tokio::test]
async fn a_refund_refused_for_good_is_sent_by_transfer() {
    let here = Parcel::start().await;
    let staff = here.shop.console().await;
    let balance = here.purse().await.0;
    here.shop
        .fault(json!({ "call": "cancel", "fault": "refuse", "code": "2003" }))
        .await;
    here.cancel(1, &Value::Null).await.expect(200);
    let refused = |order: &Value| order["payments"][0]["needsRefundAccount"] == true;
    let (token, id) = (&here.hong.token, &here.order);
    let order = here.shop.until(token, id, "was not refused", refused).await;
    let refund = &order["payments"][0]["refusedRefunds"][0];
    assert_eq!(refund["amount"], order["claims"][0]["refund"]["money"]);
    let mut account = json!({ "account": { "code": "004", "accountNumber": "12345678", "accountHolder": "홍길동" } });
    let path = format!("/api/v1/me/orders/{id}/refundAccount");
    // A browser that is signed in is no proof of the member.
    let without = here.shop.put(&path, &account).as_(&here.hong).send().await;
    let complaint = ("currentPassword", "required");
    assert_eq!(without.expect(400).complaint(), complaint);
    account["currentPassword"] = json!("wrong12!");
    let wrong = here.shop.put(&path, &account).as_(&here.hong).send().await;
    let complaint = ("currentPassword", "current_password");
    assert_eq!(wrong.expect(400).complaint(), complaint);
    account["currentPassword"] = json!(here.hong.password);
    let given = here.shop.put(&path, &account).as_(&here.hong).send().await;
    let given = given.expect(200).body["order"]["payments"][0].take();
    assert_eq!(given["needsRefundAccount"], false);
    assert_eq!(given["refundAccount"], Value::Null, "for staff alone");
    let shown = here.shop.get(&format!("/api/console/shop/orders/{id}"));
    let shown = shown.as_(&staff).send().await.expect(200).body;
    let seen = &shown["order"]["payments"][0]["refundAccount"]["accountNumber"];
    assert_eq!(seen, "12345678");

    let refund = refund["_id"].as_str().unwrap();
    let transfer = async |who: &Account, order: &str, reference: &str| {
        let path = format!("/api/console/shop/orders/{order}/refunds/{refund}/transfer");
        let body = json!({ "reference": reference });
        here.shop.post(&path, &body).as_(who).send().await
    };
    assert_eq!(transfer(&here.seller, id, "20261125-1").await.status, 403);
    assert_eq!(transfer(&staff, id, " ").await.complaint().0, "reference");
    let other = here.order_again().await;
    assert_eq!(transfer(&staff, &other, "20261125-1").await.status, 404);
    transfer(&staff, id, "20261125-1").await.expect(200);
    let head = here.shop.app.store.head().await.unwrap();
    transfer(&staff, id, "20261125-1").await.expect(200);
    assert_eq!(here.shop.app.store.head().await.unwrap(), head, "once");
    let order = here.shop.my_order(token, id).await;
    assert_eq!(order["purchases"][0]["claimStatus"], "CANCEL_COMPLETED");
    assert_eq!(
        order["payments"][0]["refunded"],
        order["claims"][0]["refund"]["money"]
    );
    // The gateway refunded nothing.
    assert!(here.shop.charges().await["balance"].as_i64().unwrap() >= balance);
}

/// A phone bill can only be refunded as a whole; a partial refund is refused permanently by the gateway, and waits for the buyer's account.
#[tokio::test]
async fn a_part_of_a_phone_bill_waits_for_an_account() {
    let shop = TestApp::start().await;
    let apples = shop.product(shop.seller().await, 1_000, 10).await;
    let hong = shop.sign_up("hong1234").await;
    let mut orders = Vec::new();
    for _ in 0..2 {
        let order = id_of(&shop.order(&hong, apples, 2).await.expect(201));
        let window = shop.window_of(&hong.token, &order, "cellphone").await;
        let form = shop.authenticate(&window).await;
        shop.come_back(&form).await.expect(303);
        orders.push(order);
    }
    let [whole, part] = [&orders[0], &orders[1]];
    let path = format!("/api/v1/me/orders/{whole}/cancel");
    let why = json!({ "reason": "배송이 늦어요" });
    let canceled = shop.post(&path, &why).as_(&hong).send().await;
    canceled.expect(200);
    let back = |order: &Value| order["payments"][0]["refunded"] == order["payments"][0]["amount"];
    shop.until(&hong.token, whole, "not given back", back).await;

    let no = shop.my_order(&hong.token, part).await["purchases"][0]["purchaseNo"].clone();
    let one = json!({ "_purchases": [no], "quantities": [1], "reason": "배송이 늦어요" });
    let canceled = shop.post("/api/v1/me/purchases/cancel", &one).as_(&hong);
    canceled.send().await.expect(200);
    let refused = |order: &Value| order["payments"][0]["needsRefundAccount"] == true;
    let order = shop.until(&hong.token, part, "was not refused", refused);
    let order = order.await;
    let refund = &order["payments"][0]["refusedRefunds"][0];
    assert_eq!(refund["amount"], order["claims"][0]["refund"]["money"]);
    assert_eq!(
        shop.charges().await["balance"],
        order["payments"][0]["amount"]
    );
}
