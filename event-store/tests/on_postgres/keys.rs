//! Personal data.

use std::time::Duration;

use domain::{Purpose, SealLabel, Sealed};
use event_store::Expected;
use event_store::testing::Database;
use event_store::{KeyError, KeyRing, MasterKey, NewEvent, SealContent, StreamAppend, StreamId};
use futures::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use crate::support::of;

const NAME: &str = "홍길동";

/// Any value that may be sealed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Number(i32);

impl SealLabel for Number {
    const LABEL: &'static str = "number";
}

async fn ring() -> (event_store::Store, KeyRing) {
    let store = Database::create().await.store().await;
    let ring = KeyRing::new(store.pool().clone(), MasterKey::generate());
    (store, ring)
}

#[tokio::test]
async fn what_is_sealed_is_nowhere_in_the_log_and_opens_again() {
    let (store, ring) = ring().await;
    let member = Uuid::now_v7();
    let sealed = ring
        .seal(member, Purpose::Profile, &NAME.to_owned())
        .await
        .unwrap();
    let event = NewEvent {
        event_type: "MemberJoined".to_owned(),
        event_version: "1.0".to_owned(),
        payload: json!({"MemberJoined": {"name": sealed}}),
        event_id: Uuid::now_v7(),
    };
    let append = of(vec![StreamAppend {
        stream: StreamId::new("member", member),
        expected: Expected::NoStream,
        events: vec![event],
    }]);
    store.append(append).await.unwrap();
    let dump: Vec<String> =
        sqlx::query_scalar("SELECT payload::text || metadata::text FROM events")
            .fetch_all(store.pool())
            .await
            .unwrap();
    assert!(!dump.concat().contains(NAME));
    let events = store
        .read_stream(&StreamId::new("member", member))
        .await
        .unwrap();
    let payload = events.first().unwrap().value().unwrap();
    let stored = payload.pointer("/MemberJoined/name").unwrap();
    let stored: Sealed<String> = serde_json::from_value(stored.clone()).unwrap();
    assert_eq!(
        ring.open(&stored).await.unwrap(),
        SealContent::Value(NAME.to_owned())
    );
}

#[tokio::test]
async fn a_destroyed_key_erases_everywhere_and_is_never_made_again() {
    let (store, ring) = ring().await;
    let member = Uuid::now_v7();
    let profile = ring
        .seal(member, Purpose::Profile, &Number(1))
        .await
        .unwrap();
    let statutory = ring
        .seal(member, Purpose::Statutory, &Number(2))
        .await
        .unwrap();
    ring.destroy(member, Purpose::Profile).await.unwrap();
    ring.destroy(member, Purpose::Profile).await.unwrap();
    assert_eq!(ring.open(&profile).await.unwrap(), SealContent::Erased);
    assert_eq!(
        ring.open(&statutory).await.unwrap(),
        SealContent::Value(Number(2))
    );
    ring.forget_cached();
    assert_eq!(ring.open(&profile).await.unwrap(), SealContent::Erased);
    let again = ring.seal(member, Purpose::Profile, &Number(3)).await;
    assert!(matches!(again, Err(KeyError::Destroyed { .. })));
    let bytes: Option<Vec<u8>> = sqlx::query_scalar(
        "SELECT wrapped FROM keys.data_key WHERE subject = $1 AND purpose = 'profile'",
    )
    .bind(member)
    .fetch_one(store.pool())
    .await
    .unwrap();
    assert_eq!(bytes, None);
    // a subject that never had a key can be erased too
    let stranger = Uuid::now_v7();
    ring.destroy(stranger, Purpose::Profile).await.unwrap();
    assert!(
        ring.seal(stranger, Purpose::Profile, &Number(1))
            .await
            .is_err()
    );
}

#[tokio::test]
async fn a_seal_of_somebody_or_something_else_does_not_open() {
    let (_store, ring) = ring().await;
    let (kim, lee) = (Uuid::now_v7(), Uuid::now_v7());
    let sealed = ring
        .seal_as("phone", kim, Purpose::Profile, &"01012345678")
        .await
        .unwrap();
    for subject in [kim, lee] {
        ring.seal(subject, Purpose::Profile, &Number(0))
            .await
            .unwrap();
        ring.seal(subject, Purpose::Statutory, &Number(0))
            .await
            .unwrap();
    }
    let forged = |subject, purpose, text: &str| {
        Sealed::<String>::from_parts(subject, purpose, text.to_owned())
    };
    let text = sealed.sealed.as_str();
    for (label, seal) in [
        ("phone", forged(lee, Purpose::Profile, text)),
        ("phone", forged(kim, Purpose::Statutory, text)),
        ("name", forged(kim, Purpose::Profile, text)),
        ("String", forged(kim, Purpose::Profile, text)),
        ("phone", forged(kim, Purpose::Profile, "short")),
        (
            "phone",
            forged(
                kim,
                Purpose::Profile,
                &text.replacen(text.get(20..21).unwrap(), "_", 1),
            ),
        ),
    ] {
        let answer = ring.open_as(label, &seal).await;
        assert!(matches!(answer, Err(KeyError::Forged)), "{answer:?}");
    }
    let good = forged(kim, Purpose::Profile, text);
    assert_eq!(
        ring.open_as("phone", &good).await.unwrap(),
        SealContent::Value("01012345678".to_owned())
    );
}

#[tokio::test]
async fn a_seal_does_not_open_as_another_kind_of_value() {
    let (_store, ring) = ring().await;
    let member = Uuid::now_v7();
    let name = ring
        .seal(member, Purpose::Profile, &NAME.to_owned())
        .await
        .unwrap();
    let number = Sealed::<Number>::from_parts(member, Purpose::Profile, name.sealed.clone());
    assert!(matches!(ring.open(&number).await, Err(KeyError::Forged)));
    assert_eq!(
        ring.open(&name).await.unwrap(),
        SealContent::Value(NAME.to_owned())
    );
}

#[tokio::test]
async fn a_wrapped_key_moved_to_somebody_else_or_under_another_master_does_not_open() {
    let (store, ring) = ring().await;
    let (kim, lee) = (Uuid::now_v7(), Uuid::now_v7());
    let sealed = ring.seal(kim, Purpose::Profile, &Number(1)).await.unwrap();
    let other = KeyRing::new(store.pool().clone(), MasterKey::generate());
    assert!(matches!(other.open(&sealed).await, Err(KeyError::Forged)));
    ring.seal(lee, Purpose::Profile, &Number(1)).await.unwrap();
    sqlx::query(
        "UPDATE keys.data_key SET wrapped = (SELECT wrapped FROM keys.data_key WHERE subject = $1) WHERE subject = $2",
    )
    .bind(kim)
    .bind(lee)
    .execute(store.pool())
    .await
    .unwrap();
    ring.forget_cached();
    assert!(matches!(
        ring.seal(lee, Purpose::Profile, &Number(1)).await,
        Err(KeyError::Forged)
    ));
}

#[tokio::test]
async fn twenty_first_seals_at_once_use_one_key() {
    let (_store, ring) = ring().await;
    let member = Uuid::now_v7();
    let seals = (0..20).map(|number| {
        let ring = ring.clone();
        async move {
            ring.forget_cached();
            ring.seal(member, Purpose::Profile, &Number(number))
                .await
                .unwrap()
        }
    });
    let seals = join_all(seals).await;
    ring.forget_cached();
    for (seal, number) in seals.iter().zip(0..) {
        assert_eq!(
            ring.open(seal).await.unwrap(),
            SealContent::Value(Number(number))
        );
    }
}

#[tokio::test]
async fn a_page_of_people_needs_one_query() {
    let (store, ring) = ring().await;
    let mut seals = Vec::new();
    for number in 0..50 {
        seals.push(
            ring.seal(Uuid::now_v7(), Purpose::Profile, &Number(number))
                .await
                .unwrap(),
        );
    }
    ring.forget_cached();
    ring.prefetch(seals.iter().map(|seal| (seal.subject, seal.purpose)))
        .await
        .unwrap();
    // from here on the database is unavailable
    store.pool().close().await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    for (seal, number) in seals.iter().zip(0..) {
        assert_eq!(
            ring.open(seal).await.unwrap(),
            SealContent::Value(Number(number))
        );
    }
}

#[tokio::test]
async fn look_ups_are_equal_for_equal_values_only() {
    let (store, ring) = ring().await;
    assert_eq!(
        ring.lookup_hash("phone", "01012345678"),
        ring.lookup_hash("phone", "01012345678")
    );
    assert_ne!(
        ring.lookup_hash("phone", "01012345678"),
        ring.lookup_hash("email", "01012345678")
    );
    assert_ne!(ring.lookup_hash("a", "bc"), ring.lookup_hash("ab", "c"));
    let other = KeyRing::new(store.pool().clone(), MasterKey::generate());
    assert_ne!(
        ring.lookup_hash("phone", "1"),
        other.lookup_hash("phone", "1")
    );
    let master = MasterKey::generate();
    let again = MasterKey::from_base64(&master.to_base64()).unwrap();
    assert_eq!(master.to_base64(), again.to_base64());
    assert!(MasterKey::from_base64("short").is_err());
}

#[tokio::test]
async fn another_master_key_opens_what_the_old_one_sealed_and_the_old_one_nothing_more() {
    let store = Database::create().await.store().await;
    let (old, new) = (MasterKey::generate(), MasterKey::generate());
    let load = |master: &MasterKey| KeyRing::load(store.pool().clone(), master.clone());
    let before = load(&old).await.unwrap();
    let [kim, lee, park, choi] = [(); 4].map(|()| Uuid::now_v7());
    let sealed = before
        .seal_as("name", kim, Purpose::Profile, &NAME)
        .await
        .unwrap();
    let kept = before
        .seal(kim, Purpose::Statutory, &Number(1))
        .await
        .unwrap();
    let other = before
        .seal(choi, Purpose::Profile, &Number(2))
        .await
        .unwrap();
    before
        .seal(lee, Purpose::Profile, &Number(1))
        .await
        .unwrap();
    before.destroy(lee, Purpose::Profile).await.unwrap();
    let hash = before.lookup_hash("username", "hong");
    assert!(matches!(load(&new).await, Err(KeyError::OtherMaster)));

    assert_eq!(before.rotate(&new).await.unwrap(), 3);
    let after = load(&new).await.unwrap();
    let sealed = Sealed::<String>::from_parts(kim, Purpose::Profile, sealed.sealed);
    let opened = after.open_as("name", &sealed).await.unwrap();
    assert_eq!(opened, SealContent::Value(NAME.to_owned()));
    assert_eq!(
        after.open(&kept).await.unwrap(),
        SealContent::Value(Number(1))
    );
    assert_eq!(
        after.open(&other).await.unwrap(),
        SealContent::Value(Number(2))
    );
    assert_eq!(after.lookup_hash("username", "hong"), hash);
    assert!(after.seal(lee, Purpose::Profile, &Number(1)).await.is_err());
    // a program that was not restarted creates no key that could not be unwrapped later
    before.forget_cached();
    let made = before.seal(park, Purpose::Profile, &Number(1)).await;
    assert!(matches!(made, Err(KeyError::OtherMaster)), "{made:?}");
    assert!(matches!(
        before.rotate(&old).await,
        Err(KeyError::OtherMaster)
    ));
    assert!(matches!(load(&old).await, Err(KeyError::OtherMaster)));
    assert!(after.seal(park, Purpose::Profile, &Number(1)).await.is_ok());
}

#[tokio::test]
async fn lost_keys_erase_and_restored_ones_bring_everything_back() {
    let (store, ring) = ring().await;
    let member = Uuid::now_v7();
    let sealed = ring
        .seal(member, Purpose::Profile, &Number(1))
        .await
        .unwrap();
    let run = async |sql: &str| sqlx::query(sql).execute(store.pool()).await.unwrap();
    // the keys are backed up separately
    run("CREATE TABLE keys_backup AS TABLE keys.data_key").await;
    run("DELETE FROM keys.data_key").await;
    ring.forget_cached();
    assert_eq!(ring.open(&sealed).await.unwrap(), SealContent::Erased);
    run("INSERT INTO keys.data_key TABLE keys_backup").await;
    ring.forget_cached();
    assert_eq!(
        ring.open(&sealed).await.unwrap(),
        SealContent::Value(Number(1))
    );
}
