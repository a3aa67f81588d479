//! Many birthdays on one day: every member gets the coupon, and each once, while people order and two workers are killed in turn.
//!
//! 200 members; 10,000 with `JANGBU_PROOFS=full`, or as many as `JANGBU_BIRTHDAYS` says. Those have to be done within a minute.

use application::clock::Clock;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use application::executor::CommandContext;
use application::members::profiles::PROFILE;
use domain::Actor;
use domain::business_day;
use domain::coupon::Coupon;
use domain::ids::MemberId;
use domain::member::{AccessLevel, Member, MemberCommand, MemberType, Profile};
use domain::unit_of_work::UnitOfWork;
use projections::verify::verify;
use serde_json::json;
use uuid::Uuid;

use crate::support::TestApp;

/// Members who join in one append.
const AT_ONCE: usize = 50;

fn asked() -> usize {
    let number = std::env::var("JANGBU_BIRTHDAYS").ok();
    let full = std::env::var("JANGBU_PROOFS").is_ok_and(|proofs| proofs == "full");
    let usual = if full { 10_000 } else { 200 };
    number
        .and_then(|number| number.parse().ok())
        .unwrap_or(usual)
}

async fn join(shop: &TestApp, members: usize) {
    let today = business_day::day(shop.clock.now()).to_string();
    let birthday = Some(today.split_once('-').unwrap().1.to_owned());
    for part in 0..members.div_ceil(AT_ONCE) {
        let mut joining = Vec::new();
        for number in (part * AT_ONCE..members).take(AT_ONCE) {
            let id = MemberId(Uuid::now_v7());
            let profile = Profile {
                username: format!("member{number}"),
                nickname: format!("회원{number}"),
                birthday: birthday.clone(),
                ..Profile::default()
            };
            let profile = shop.app.keys.seal(id.0, PROFILE, &profile).await.unwrap();
            let join = MemberCommand::Join {
                member_type: MemberType::Person,
                level: AccessLevel::Person,
                scopes: vec![],
                profile,
                terms: vec![],
            };
            joining.push((id, join));
        }
        let command = CommandContext::for_actor("join", Actor::System);
        let join = |work: &mut UnitOfWork| {
            for (id, join) in &joining {
                work.decide::<Member>(id, join.clone())?;
            }
            Ok(())
        };
        shop.app.executor.commit(&command, join).await.unwrap();
    }
}

/// `jangbu worker` on the shop's database.
fn worker(shop: &TestApp, folder: &PathBuf) -> Child {
    Command::new(env!("CARGO_BIN_EXE_jangbu"))
        .arg("worker")
        .current_dir(folder)
        .env("JANGBU_DATA_FOLDER", folder)
        .env("JANGBU_SERVER_METRICS_ADDRESS", "")
        .env("DATABASE_URL", &shop.database)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

async fn count(shop: &TestApp, sql: &str) -> i64 {
    let counted = sqlx::query_scalar(sql).fetch_one(shop.app.pool()).await;
    counted.unwrap()
}

const ISSUED: &str = "SELECT count(*) FROM events WHERE event_type = 'CouponIssued'";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_of_many_birthdays_brings_one_coupon_while_workers_die() {
    let shop = TestApp::start().await;
    let members = asked();
    let apples = shop.product(shop.seller().await, 1_000, 100_000).await;
    let buyer = shop.sign_up("buyer123").await;
    join(&shop, members).await;
    let head = shop.app.store.head().await.unwrap();
    let patience = Duration::from_secs(600);
    let known = shop
        .app
        .store
        .wait_for(&["policy_member_days"], head, patience);
    known.await.unwrap();
    let folder = shop.app.settings.data_folder.clone();
    let (took, kills, orders) = shop
        .held_back(async {
            let coupon = json!({
                "name": "생일", "unit": "AMOUNT", "value": 500,
                "issue": {
                    "type": "instant", "isActive": true, "round": { "type": "infinite" },
                    "event": { "type": "SPECIAL_DATE", "code": "BIRTHDAY" },
                },
                "usage": { "type": "total", "isActive": true },
            });
            let id = Uuid::now_v7().to_string();
            shop.record::<Coupon>(&id, coupon).await;
            let begun = Instant::now();
            let mut workers = [worker(&shop, &folder), worker(&shop, &folder)];
            let (mut kills, mut orders) = (0_usize, 0);
            let mut since = Instant::now();
            while count(&shop, ISSUED).await < i64::try_from(members).unwrap() {
                assert!(
                    begun.elapsed() < Duration::from_secs(600),
                    "it takes too long"
                );
                shop.order(&buyer, apples, 1).await.expect(201);
                orders += 1;
                // each lives long enough to begin, and one of them always goes on
                if since.elapsed() > Duration::from_millis(2_500) {
                    let place = kills % 2;
                    workers[place].kill().unwrap();
                    workers[place].wait().unwrap();
                    workers[place] = worker(&shop, &folder);
                    kills += 1;
                    since = Instant::now();
                }
            }
            let took = begun.elapsed();
            // a later run finds nothing to do
            tokio::time::sleep(Duration::from_secs(2)).await;
            for worker in &mut workers {
                worker.kill().unwrap();
                worker.wait().unwrap();
            }
            (took, kills, orders)
        })
        .await;
    println!("{members} birthdays in {took:?} beside {orders} orders, {kills} workers killed");
    application::policies::coupon_days::round(&shop.app.application())
        .await
        .unwrap();
    let all = i64::try_from(members).unwrap();
    assert_eq!(count(&shop, ISSUED).await, all);
    let each = "SELECT count(DISTINCT payload #>> '{CouponIssued,member}') FROM events WHERE event_type = 'CouponIssued'";
    assert_eq!(count(&shop, each).await, all);
    assert!(took <= Duration::from_secs(60), "{took:?}");
    let report = verify(&shop.app.store, |_| {}).await.unwrap();
    let books = report
        .differences
        .iter()
        .filter(|one| one.model != "reservations");
    assert_eq!(books.count(), 0, "{:?}", report.differences.first());
}
