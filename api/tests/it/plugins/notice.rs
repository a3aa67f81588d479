//! Notices of the payment gateway.

use crate::support::futures_of;
use crate::support::payments::{charge_behind_our_back, events, notice, shop_with_order, tell};

#[tokio::test]
async fn a_notice_three_times_at_once_pays_once_and_before_the_browser_does() {
    let (shop, hong, order) = shop_with_order().await;
    let window = shop.window(&hong.token, &order).await;
    let form = shop.authenticate(&window).await;
    let tid = form["tid"].as_str().unwrap().to_owned();
    charge_behind_our_back(&shop, &window, &tid).await;
    let paid = notice(&shop, &tid).await;
    let replies = shop.undecided(futures_of(3, |_| tell(&shop, &paid))).await;
    for reply in replies {
        assert_eq!(
            (
                reply.status,
                reply.text.as_str(),
                reply.header("content-type")
            ),
            (200, "OK", Some("text/html"))
        );
    }
    assert_eq!(
        (
            events(&shop, "PaymentApproved").await,
            events(&shop, "OrderPaid").await
        ),
        (1, 1)
    );
    let back = shop.come_back(&form).await.expect(303);
    assert!(
        !back.header("location").unwrap().contains("error"),
        "{back:?}"
    );
    assert_eq!(tell(&shop, "{}").await.status, 403);
    let changed = paid.replace("1250", "1");
    assert_eq!(tell(&shop, &changed).await.status, 403);
}
