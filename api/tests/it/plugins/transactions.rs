//! A transaction of the gateway pays one order, regardless of who submits it.

use std::io;
use std::sync::Mutex;

use crate::support::payments::{events, shop_with_order};
use crate::support::shop::id_of;

#[tokio::test]
async fn one_transaction_never_pays_two_orders() {
    let (shop, hong, first) = shop_with_order().await;
    let seller = shop.seller().await;
    let pears = shop.product(seller, 1_000, 10).await;
    let kim = shop.sign_up("kim12345").await;
    let second = id_of(&shop.order(&kim, pears, 1).await.expect(201));
    let paid = shop
        .authenticate(&shop.window(&hong.token, &first).await)
        .await;
    shop.come_back(&paid).await.expect(303);
    // The signature covers only token and amount, so a buyer may put another order's transaction into their own form.
    let mut swapped = shop
        .authenticate(&shop.window(&kim.token, &second).await)
        .await;
    swapped["tid"] = paid["tid"].clone();
    let back = shop.come_back(&swapped).await.expect(303);
    assert!(
        back.header("location")
            .unwrap()
            .contains("error=payment_refused"),
        "{back:?}"
    );
    assert_eq!(
        shop.my_order(&kim.token, &second).await["status"],
        "ORDER_NONPAYMENT"
    );
    assert_eq!(
        (
            events(&shop, "PaymentApproved").await,
            events(&shop, "OrderPaid").await
        ),
        (1, 1)
    );
    assert_eq!(shop.charges().await["balance"], 1_250);
}

#[tokio::test]
async fn a_charge_made_for_another_order_pays_that_one() {
    let (shop, hong, first) = shop_with_order().await;
    let seller = shop.seller().await;
    let pears = shop.product(seller, 1_000, 10).await;
    let kim = shop.sign_up("kim12345").await;
    let second = id_of(&shop.order(&kim, pears, 1).await.expect(201));
    let theirs = shop
        .authenticate(&shop.window(&hong.token, &first).await)
        .await;
    let mut swapped = shop
        .authenticate(&shop.window(&kim.token, &second).await)
        .await;
    swapped["tid"] = theirs["tid"].clone();
    shop.come_back(&swapped).await.expect(303);
    assert_eq!(
        shop.my_order(&kim.token, &second).await["status"],
        "ORDER_NONPAYMENT"
    );
    assert_eq!(
        shop.my_order(&hong.token, &first).await["status"],
        "ORDER_PAYMENT"
    );
    assert_eq!(shop.charges().await["balance"], 1_250);
}

/// Errors that this process has logged.
static ERRORS: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Errors;

impl io::Write for Errors {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        ERRORS.lock().unwrap().write(line)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn to_swap_the_transactions_of_ones_own_orders_is_no_error_of_the_shop() {
    let (shop, hong, first) = shop_with_order().await;
    let pears = shop.product(shop.seller().await, 1_000, 10).await;
    let second = id_of(&shop.order(&hong, pears, 1).await.expect(201));
    let log = tracing_subscriber::fmt().with_writer(|| Errors);
    log.with_max_level(tracing::Level::ERROR).init();
    let mut forms = Vec::new();
    for order in [&first, &second] {
        forms.push(
            shop.authenticate(&shop.window(&hong.token, order).await)
                .await,
        );
    }
    let tids = [forms[1]["tid"].clone(), forms[0]["tid"].clone()];
    for (form, tid) in forms.iter_mut().zip(tids) {
        form["tid"] = tid;
    }
    // The charge belongs to the second order, regardless of who submits its form.
    let back = shop.come_back(&forms[0]).await.expect(303);
    let back = back.header("location").unwrap();
    assert!(back.contains("error=payment_refused"), "{back}");
    let approval = "/api/plugins/pay/approval";
    for (form, status) in [(&forms[0], 409), (&forms[1], 200)] {
        let answer = shop.post(approval, form).as_(&hong).send().await;
        answer.expect(status);
    }
    for (order, status) in [(&first, "ORDER_NONPAYMENT"), (&second, "ORDER_PAYMENT")] {
        assert_eq!(shop.my_order(&hong.token, order).await["status"], status);
    }
    assert_eq!(shop.charges().await["balance"], 1_250);
    let said = String::from_utf8(ERRORS.lock().unwrap().clone()).unwrap();
    for form in &forms {
        let number = form["orderId"].as_str().unwrap();
        assert!(!said.contains(number), "{said}");
    }
}
