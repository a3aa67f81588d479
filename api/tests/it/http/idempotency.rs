//! A command with a key is executed once.

use std::time::Duration;

use api::http::{AppError, Code};
use application::executor::RequestOrigin;
use application::executor::{AppendBatch, CommandContext};
use domain::event::Decider;
use domain::ids::MemberId;
use domain::member::{Member, MemberCommand};
use domain::{Actor, Context};
use event_store::{Expected, StreamAppend};
use serde_json::json;
use uuid::Uuid;

use crate::support::{TestApp, sign_up_form};

const KEY: &str = "0191f2d0-7c6e-7aaa-8b1e-1234567890ab";

#[tokio::test]
async fn eight_parallel_requests_with_one_key_get_one_answer() {
    let shop = TestApp::start().await;
    let form = sign_up_form("hong1234");
    let asked = (0..8).map(|_| shop.post("/api/v1/users", &form).key(KEY).send());
    let replies = futures::future::join_all(asked).await;
    for reply in &replies {
        assert_eq!(reply.status, 201, "{}", reply.text);
        assert_eq!(reply.body, replies[0].body);
        assert_eq!(reply.position(), replies[0].position());
    }
    assert_eq!(
        replies
            .iter()
            .filter(|reply| reply.header("idempotent-replay").is_none())
            .count(),
        1
    );
    let joined: i64 =
        sqlx::query_scalar("SELECT count(*) FROM events WHERE event_type = 'MemberJoined'")
            .fetch_one(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(joined, 1);
}

#[tokio::test]
async fn a_key_with_another_body_is_refused_and_changes_nothing() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let revise = |nickname: &str| {
        shop.put("/api/v1/me/info", &json!({ "nickname": nickname }))
            .as_(&hong)
            .key(KEY)
            .send()
    };
    revise("첫이름").await.expect(200);
    assert_eq!(
        revise("둘째이름").await.expect(422).code(),
        "idempotency_key_reused"
    );
    let again = revise("첫이름").await.expect(200);
    assert_eq!(again.header("idempotent-replay"), Some("1"));
    assert_eq!(again.body["user"]["nickname"], "첫이름");
}

#[tokio::test]
async fn a_key_is_its_actor_s_and_its_route_s() {
    let shop = TestApp::start().await;
    let (hong, kim) = (
        shop.sign_up("hong1234").await,
        shop.sign_up("kim12345").await,
    );
    for (account, nickname) in [(&hong, "홍"), (&kim, "김")] {
        let body = json!({ "nickname": format!("{nickname}길동") });
        let reply = shop
            .put("/api/v1/me/info", &body)
            .as_(account)
            .key(KEY)
            .send()
            .await
            .expect(200);
        assert_eq!(reply.header("idempotent-replay"), None);
    }
}

#[tokio::test]
async fn a_command_that_changes_nothing_is_remembered_too() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let same = || {
        shop.put("/api/v1/me/info", &json!({ "nickname": "hong1234" }))
            .as_(&hong)
            .key(KEY)
            .send()
    };
    assert_eq!(same().await.expect(200).header("x-position"), None);
    assert_eq!(
        same().await.expect(200).header("idempotent-replay"),
        Some("1")
    );
}

#[tokio::test]
async fn a_guest_s_key_has_to_be_long() {
    let shop = TestApp::start().await;
    let refused = shop
        .post("/api/v1/users", &sign_up_form("hong1234"))
        .key("1")
        .send()
        .await
        .expect(400);
    assert_eq!(
        refused.body["error"]["fields"][0]["field"],
        "Idempotency-Key"
    );
}

#[tokio::test]
async fn a_repeat_that_meets_its_own_effect_is_not_refused_by_it() {
    let shop = TestApp::start().await;
    let hong = shop.sign_up("hong1234").await;
    let member: MemberId = hong.id.parse().unwrap();
    let origin = |number: u8| RequestOrigin {
        request: Uuid::now_v7(),
        trace: None,
        route: format!("POST /api/once/{}", number / 8).into(),
        key: Some(KEY.to_owned()),
        body_hash: [0; 32],
    };
    let once = async |number: u8| {
        let command = CommandContext::new("once", Actor::Member { id: member }, &origin(number));
        let decide = |context: Context| {
            let store = shop.app.store.clone();
            async move {
                // All have checked whether it was executed before; then they load one after another.
                tokio::time::sleep(Duration::from_millis(40 * u64::from(number))).await;
                let loaded = store.load::<Member>(&member.to_string()).await?;
                if loaded.state.membership_level.is_some() {
                    return Err(AppError::new(Code::NotAllowedNow));
                }
                let act = MemberCommand::AssignLevel {
                    code: "gold".to_owned(),
                };
                let events = loaded.state.decide(act, &context)?;
                let stream =
                    StreamAppend::new::<Member>(member, Expected::Exact(loaded.version), &events)?;
                AppendBatch::of([stream]).with_result("gold")
            }
        };
        shop.app.executor.transact(&command, decide).await
    };
    let all = futures::future::join_all((0..8).map(once)).await;
    let results: Vec<String> = all
        .into_iter()
        .map(|done| done.unwrap().result().unwrap())
        .collect();
    assert_eq!(results, ["gold"; 8]);
    let other_key = once(8).await.unwrap_err();
    assert_eq!(other_key.code(), Code::NotAllowedNow);
}
