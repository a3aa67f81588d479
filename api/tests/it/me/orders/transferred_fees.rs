//! Fees of exchanges that were paid by bank transfer and go back by one.

use serde_json::{Value, json};

use super::fees::{Due, FEE};
use crate::support::Account;
use crate::support::payments::events;

/// No payment took a transferred fee, so staff send it to the account the buyer names, once.
#[tokio::test]
async fn a_transferred_fee_of_a_rejected_exchange_goes_to_the_buyers_account() {
    let due = Due::start().await;
    let (shop, here) = (due.shop(), &due.here);
    let staff = shop.console().await;
    let paid = json!({ "amount": FEE, "reference": "IN-1" });
    let path = format!(
        "/api/console/shop/orders/{}/claims/{}/fee",
        here.order, due.claim
    );
    let paid = shop.post(&path, &paid).as_(&staff).send().await;
    paid.expect(200);
    let mine = format!("/api/v1/me/orders/{}/refundAccount", here.order);
    let account = json!({
        "account": { "code": "004", "accountNumber": "12345678", "accountHolder": "홍길동" },
        "currentPassword": here.hong.password,
    });
    let early = shop.put(&mine, &account).as_(&here.hong).send().await;
    assert_eq!(early.expect(409).code(), "not_allowed_now");
    let reject = json!({
        "claimStatus": "EXCHANGE_REJECTED", "reason": "품절되었습니다", "courier": "kr.epost", "invoiceNo": "999988887777",
    });
    here.work(2, reject).await.expect(200);
    let transfer_of = |order: Value| order["claims"][0]["exchange"]["feeTransfer"].clone();
    let owed = transfer_of(here.order().await);
    assert_eq!(
        (&owed["amount"], &owed["sent"], &owed["needsAccount"]),
        (&json!(FEE), &json!(false), &json!(true))
    );
    let refund = owed["_refund"].as_str().unwrap();
    let listed = async |state: &str| -> Value {
        shop.settled().await;
        let path = format!("/api/console/shop/refunds?state={state}");
        let list = shop.get(&path).as_(&staff).send().await.expect(200).body;
        list["refunds"].clone()
    };
    let due_now = listed("due").await;
    let row = &due_now[0];
    assert_eq!(
        (
            &row["_refund"],
            &row["amount"],
            &row["kind"],
            &row["approved"]
        ),
        (
            &json!(refund),
            &json!(FEE),
            &json!("EXCHANGE"),
            &json!(true)
        )
    );
    assert!(row["due"].is_string() && row["_payment"].is_null(), "{row}");
    let kim = shop.sign_up("kim12345").await;
    let foreign = shop.put(&mine, &account).as_(&kim).send().await;
    assert_eq!(foreign.status, 404);
    let given = shop.put(&mine, &account).as_(&here.hong).send().await;
    let given = transfer_of(given.expect(200).body["order"].take());
    assert_eq!(
        (&given["needsAccount"], &given["account"]),
        (&json!(false), &Value::Null),
        "the account is for staff alone"
    );
    let path = format!("/api/console/shop/orders/{}", here.order);
    let shown = async |who: &Account| -> Value {
        let shown = shop.get(&path).as_(who).send().await.expect(200);
        transfer_of(shown.body["order"].clone())
    };
    assert_eq!(shown(&staff).await["account"]["accountNumber"], "12345678");
    assert_eq!(shown(&here.seller).await["account"], Value::Null);
    let send = format!("{path}/refunds/{refund}/transfer");
    let reference = json!({ "reference": "OUT-1" });
    let refused = shop.post(&send, &reference).as_(&here.seller).send().await;
    assert_eq!(refused.status, 403);
    // Two at once, and once more: one transfer.
    let (first, second) = tokio::join!(
        shop.post(&send, &reference).as_(&staff).send(),
        shop.post(&send, &reference).as_(&staff).send()
    );
    let third = shop.post(&send, &json!({ "reference": "OUT-2" }));
    for done in [first, second, third.as_(&staff).send().await] {
        let done = transfer_of(done.expect(200).body["order"].take());
        assert_eq!(done["sent"], true);
    }
    assert_eq!(events(shop, "FeeRefundTransferred").await, 1);
    assert_eq!(listed("due").await, json!([]));
    let sent = listed("redirected").await;
    assert_eq!(
        (&sent[0]["reference"], &sent[0]["amount"]),
        (&json!("OUT-1"), &json!(FEE))
    );
    assert!(sent[0]["settledAt"].is_string());
    let late = shop.put(&mine, &account).as_(&here.hong).send().await;
    assert_eq!(late.expect(409).code(), "not_allowed_now");
    let texts = here.order().await["timeline"].to_string();
    assert!(
        texts.contains("교환 배송비를 계좌로 환불했습니다"),
        "{texts}"
    );
    assert_eq!(due.pay().await["status"], "PAY_CANCELED");
    due.no_difference().await;
}
