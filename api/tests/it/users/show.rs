//! The public data of a member: nothing personal, and nothing of staff and closed accounts.

use serde_json::json;
use uuid::Uuid;

use crate::support::TestApp;

#[tokio::test]
async fn anyone_sees_what_is_public_of_a_member_and_nothing_else() {
    let shop = TestApp::start().await;
    let seller = shop.company("seller01").await;
    let hong = shop.sign_up("hong1234").await;
    let staff = shop.console().await;
    shop.settled().await;
    let show = async |id: &str| shop.get(&format!("/api/v1/users/{id}")).send().await;
    assert_eq!(
        show(&seller.id.to_string()).await.expect(200).body["user"],
        json!({ "_id": seller.id, "nickname": "seller01", "type": "COMPANY", "sells": true })
    );
    assert_eq!(
        show(&hong.id.to_string()).await.expect(200).body["user"],
        json!({ "_id": hong.id, "nickname": "hong1234", "type": "PERSON", "sells": false })
    );
    let leaving = json!({ "password": hong.password });
    let left = shop.post("/api/v1/me/withdraw", &leaving).as_(&hong);
    left.send().await.expect(200);
    shop.settled().await;
    for id in [
        hong.id.to_string(),
        staff.id.to_string(),
        Uuid::nil().to_string(),
    ] {
        assert_eq!(show(&id).await.expect(404).code(), "not_found");
    }
}
