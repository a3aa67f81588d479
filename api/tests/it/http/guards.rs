//! Access checks, tested over HTTP with endpoints that only return the caller.

use api::app::AppState;
use api::http::extractors::own_row;
use api::http::{
    ApiResult, CurrentMember, Json, OptionalMember, OrderViewer, Path, Staff, StaffOrSeller,
};
use axum::Router;
use axum::routing::get;
use domain::ids::{MemberId, OrderId};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Reply, TestApp};

async fn staff(who: Staff) -> Json<Value> {
    Json(json!(who.0.user))
}

/// A row of a seller.
async fn row(who: StaffOrSeller, Path(seller): Path<MemberId>) -> ApiResult<Json<Value>> {
    who.rows.reaches(seller)?;
    Ok(Json(json!(who.rows.seller())))
}

/// A member's own row.
async fn mine(who: CurrentMember, Path(owner): Path<MemberId>) -> ApiResult<Json<Value>> {
    own_row(&who, owner)?;
    Ok(Json(Value::Null))
}

/// An order and its buyer; `guest` for none.
async fn order(
    who: OrderViewer,
    Path((order, buyer)): Path<(OrderId, String)>,
) -> ApiResult<Json<Value>> {
    who.reaches(order, buyer.parse().ok())?;
    Ok(Json(Value::Null))
}

async fn anybody(who: OptionalMember) -> Json<Value> {
    Json(json!(who.member()))
}

fn calls() -> Router<AppState> {
    Router::new()
        .route("/api/staff", get(staff))
        .route("/api/rows/{seller}", get(row))
        .route("/api/mine/{owner}", get(mine))
        .route("/api/orders/{order}/{buyer}", get(order))
        .route("/api/anybody", get(anybody))
}

struct Doors {
    shop: TestApp,
    url: String,
}

impl Doors {
    async fn open() -> Self {
        let shop = TestApp::start().await;
        let url = shop.beside(calls()).await;
        Self { shop, url }
    }

    async fn knock(&self, path: &str, token: Option<&str>) -> Reply {
        let ask = self.shop.get(&format!("{}{path}", self.url));
        match token {
            Some(token) => ask.token(token).send().await,
            None => ask.send().await,
        }
    }
}

#[tokio::test]
async fn the_console_is_for_staff() {
    let doors = Doors::open().await;
    let (staff, seller) = (
        doors.shop.console().await,
        doors.shop.company("seller12").await,
    );
    let hong = doors.shop.sign_up("hong1234").await;
    doors
        .knock("/api/staff", Some(&staff.token))
        .await
        .expect(200);
    for nobody in [&seller, &hong] {
        let refused = doors
            .knock("/api/staff", Some(&nobody.token))
            .await
            .expect(403);
        assert_eq!(refused.code(), "access_denied");
        assert_eq!(refused.body["error"]["message"], "Access denied");
    }
    assert_eq!(
        doors.knock("/api/staff", None).await.expect(401).code(),
        "login_required"
    );
}

#[tokio::test]
async fn a_seller_reaches_their_own_rows_and_staff_all() {
    let doors = Doors::open().await;
    let staff = doors.shop.console().await;
    let (seller, rival) = (
        doors.shop.company("seller12").await,
        doors.shop.company("rival123").await,
    );
    let hong = doors.shop.sign_up("hong1234").await;
    let own = format!("/api/rows/{}", seller.id);
    assert_eq!(
        doors.knock(&own, Some(&staff.token)).await.expect(200).body,
        Value::Null
    );
    assert_eq!(
        doors
            .knock(&own, Some(&seller.token))
            .await
            .expect(200)
            .body,
        json!(seller.id)
    );
    assert_eq!(
        doors
            .knock(&own, Some(&rival.token))
            .await
            .expect(404)
            .code(),
        "not_found"
    );
    assert_eq!(
        doors
            .knock(&own, Some(&hong.token))
            .await
            .expect(403)
            .code(),
        "access_denied"
    );
    let malformed = doors
        .knock("/api/rows/not-an-id", Some(&staff.token))
        .await
        .expect(404);
    assert_eq!(malformed.code(), "not_found");
}

#[tokio::test]
async fn somebody_else_s_row_does_not_exist() {
    let doors = Doors::open().await;
    let (hong, kim) = (
        doors.shop.sign_up("hong1234").await,
        doors.shop.sign_up("kim12345").await,
    );
    let path = format!("/api/mine/{}", hong.id);
    doors.knock(&path, Some(&hong.token)).await.expect(200);
    assert_eq!(
        doors
            .knock(&path, Some(&kim.token))
            .await
            .expect(404)
            .code(),
        "not_found"
    );
}

#[tokio::test]
async fn a_guest_s_token_opens_one_order_and_nothing_else() {
    let doors = Doors::open().await;
    let (hong, kim) = (
        doors.shop.sign_up("hong1234").await,
        doors.shop.sign_up("kim12345").await,
    );
    let now = application::clock::Clock::now(doors.shop.clock.as_ref());
    let (own, other) = (OrderId(Uuid::now_v7()), OrderId(Uuid::now_v7()));
    let guest = doors.shop.app.tokens.guest(own, now).unwrap();
    doors
        .knock(&format!("/api/orders/{own}/guest"), Some(&guest))
        .await
        .expect(200);
    for closed in [
        format!("/api/orders/{other}/guest"),
        format!("/api/orders/{own}/{}", hong.id),
    ] {
        assert_eq!(
            doors.knock(&closed, Some(&guest)).await.expect(404).code(),
            "not_found",
            "{closed}"
        );
    }
    assert_eq!(
        doors
            .knock(&format!("/api/mine/{}", hong.id), Some(&guest))
            .await
            .expect(401)
            .code(),
        "login_required"
    );
    assert_eq!(
        doors
            .knock("/api/staff", Some(&guest))
            .await
            .expect(401)
            .code(),
        "login_required"
    );
    let members = format!("/api/orders/{own}/{}", hong.id);
    doors.knock(&members, Some(&hong.token)).await.expect(200);
    doors.knock(&members, Some(&kim.token)).await.expect(404);
    doors
        .knock(&format!("/api/orders/{own}/guest"), Some(&kim.token))
        .await
        .expect(404);
    doors.shop.advance(time::Duration::days(7));
    let late = doors
        .knock(&format!("/api/orders/{own}/guest"), Some(&guest))
        .await
        .expect(401);
    assert_eq!(late.code(), "token_expired");
}

#[tokio::test]
async fn anybody_may_ask_but_a_bad_token_is_not_nobody() {
    let doors = Doors::open().await;
    let hong = doors.shop.sign_up("hong1234").await;
    assert_eq!(
        doors.knock("/api/anybody", None).await.expect(200).body,
        Value::Null
    );
    assert_eq!(
        doors
            .knock("/api/anybody", Some(&hong.token))
            .await
            .expect(200)
            .body,
        json!(hong.id)
    );
    doors
        .knock("/api/anybody", Some("rubbish"))
        .await
        .expect(401);
    doors.shop.advance(time::Duration::minutes(15));
    assert_eq!(
        doors
            .knock("/api/anybody", Some(&hong.token))
            .await
            .expect(401)
            .code(),
        "token_expired"
    );
}
