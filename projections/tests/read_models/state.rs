//! Working state under concurrent requests.

use domain::ids::{CartId, IssuedCouponId, MemberId, OptionId, OrderId, ProductId};
use domain::personal::Party;
use domain::{Purpose, Sealed};
use event_store::Store;
use event_store::testing::Database;
use projections::state::carts::{self, CartAdd, CartError, CouponPlace, LineTaken, TakeError};
use projections::state::credentials::{self, NewToken, Rotation};
use projections::state::ordered_lines::{self, OrderRef};
use projections::state::{destinations, erasure, migrate};
use sqlx::PgPool;
use time::macros::datetime;
use time::{Duration, OffsetDateTime};
use uuid::Uuid;

const NOW: OffsetDateTime = datetime!(2026-11-21 12:00 UTC);

async fn store() -> Store {
    let store = Database::create().await.store().await;
    migrate(store.pool()).await.unwrap();
    store
}

fn id<T: From<Uuid>>(number: u128) -> T {
    T::from(Uuid::from_u128(number))
}

fn add(line: u128, option: Option<u128>, quantity: u32) -> CartAdd {
    CartAdd {
        id: id::<CartId>(line),
        product: id::<ProductId>(1),
        option: option.map(id::<OptionId>),
        quantity,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_of_the_log_and_of_the_state_share_a_database() {
    let store = store().await;
    store.migrate().await.unwrap();
    migrate(store.pool()).await.unwrap();
    store.migrate().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn eight_parallel_adds_are_one_line_of_eight() {
    let store = store().await;
    for option in [None, Some(7)] {
        let member: MemberId = id(100 + option.unwrap_or(0));
        let adds = (0..8).map(|place| {
            let pool = store.pool().clone();
            tokio::spawn(
                async move { carts::add(&pool, member, add(place + 10, option, 1), NOW).await },
            )
        });
        for added in futures::future::join_all(adds).await {
            added.unwrap().unwrap();
        }
        let lines = carts::lines(store.pool(), member).await.unwrap();
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert_eq!(lines[0].quantity, 8);
        sqlx::query("DELETE FROM carts")
            .execute(store.pool())
            .await
            .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cart_line_keeps_its_bounds_and_its_owner() {
    let store = store().await;
    let pool = store.pool();
    let (member, other) = (id::<MemberId>(1), id::<MemberId>(2));
    let line = carts::add(pool, member, add(10, None, 998), NOW)
        .await
        .unwrap();
    // without options, the product's own id stands for none
    let same = carts::add(pool, member, add(11, Some(1), 1), NOW)
        .await
        .unwrap();
    assert_eq!((same.id, same.quantity), (line.id, 999));
    for wrong in [0, 1_000] {
        assert!(matches!(
            carts::add(pool, member, add(12, Some(3), wrong), NOW).await,
            Err(CartError::Quantity)
        ));
        assert!(matches!(
            carts::set_quantity(pool, member, line.id, wrong, NOW).await,
            Err(CartError::Quantity)
        ));
    }
    assert!(matches!(
        carts::add(pool, member, add(13, None, 1), NOW).await,
        Err(CartError::Quantity)
    ));
    assert_eq!(
        carts::set_quantity(pool, other, line.id, 5, NOW)
            .await
            .unwrap(),
        None
    );
    assert_eq!(
        carts::set_quantity(pool, member, line.id, 5, NOW)
            .await
            .unwrap()
            .unwrap()
            .quantity,
        5
    );

    let second = carts::add(pool, member, add(14, Some(4), 1), NOW)
        .await
        .unwrap();
    let coupon: IssuedCouponId = id(77);
    let choose = |line| carts::choose_coupon(pool, member, line, CouponPlace::Product, coupon, NOW);
    assert!(choose(Some(line.id)).await.unwrap());
    assert!(choose(Some(second.id)).await.unwrap());
    let chosen: Vec<_> = carts::lines(pool, member)
        .await
        .unwrap()
        .into_iter()
        .map(|one| (one.id, one.product_coupon))
        .collect();
    assert!(chosen.contains(&(line.id, None)) && chosen.contains(&(second.id, Some(coupon))));
    assert!(choose(None).await.unwrap());
    assert!(
        !carts::choose_coupon(pool, other, Some(line.id), CouponPlace::Fare, coupon, NOW)
            .await
            .unwrap()
    );

    assert!(!carts::remove(pool, other, line.id).await.unwrap());
    assert!(carts::remove(pool, member, line.id).await.unwrap());
    assert!(carts::remove(pool, member, second.id).await.unwrap());
    assert!(carts::lines(pool, member).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn ordered_pieces_leave_a_cart_and_pieces_added_since_stay_as_another_line() {
    let store = store().await;
    let pool = store.pool();
    let (member, other) = (id::<MemberId>(1), id::<MemberId>(2));
    let line = carts::add(pool, member, add(10, None, 5), NOW)
        .await
        .unwrap();
    let second = carts::add(pool, member, add(11, Some(4), 2), NOW)
        .await
        .unwrap();
    let taken = |id, quantity| LineTaken { id, quantity };
    let take = async |member, lines: &[LineTaken]| {
        let mut transaction = event_store::begin(pool).await.unwrap();
        let answer = carts::take(&mut transaction, member, lines, NOW).await;
        if answer.is_ok() {
            transaction.commit().await.unwrap();
        }
        answer
    };
    let fewer = take(member, &[taken(second.id, 2), taken(line.id, 6)]).await;
    assert!(matches!(fewer, Err(TakeError::Fewer(id)) if id == line.id));
    let missing = take(member, &[taken(line.id, 5), taken(id(99), 1)]).await;
    assert!(matches!(missing, Err(TakeError::Missing(ids)) if ids == [id::<CartId>(99)]));
    let foreign = take(other, &[taken(line.id, 5)]).await;
    assert!(matches!(foreign, Err(TakeError::Missing(_))));
    assert_eq!(carts::lines(pool, member).await.unwrap().len(), 2);

    take(member, &[taken(second.id, 2), taken(line.id, 3)])
        .await
        .unwrap();
    let left = carts::lines(pool, member).await.unwrap();
    assert_eq!(left.len(), 1);
    assert_eq!((left[0].product, left[0].quantity), (line.product, 2));
    assert_ne!(left[0].id, line.id);

    let back = [
        (line.product, None, 998),
        (line.product, Some(id::<OptionId>(1)), 4),
        (line.product, Some(id::<OptionId>(4)), 1),
    ];
    let mut transaction = event_store::begin(pool).await.unwrap();
    let lines = carts::put_back(&mut transaction, member, back, NOW)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    let now = carts::lines(pool, member).await.unwrap();
    let mut pieces: Vec<u32> = now.iter().map(|line| line.quantity).collect();
    pieces.sort_unstable();
    assert_eq!(pieces, [1, 999], "no more than a line may hold");
    assert!(now.iter().all(|line| lines.contains(&line.id)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_remembers_its_order_for_seven_days() {
    let store = store().await;
    let pool = store.pool();
    let cart = Uuid::from_u128(1);
    let order = |number: u128| OrderRef {
        id: id::<OrderId>(number),
        order_no: format!("N-{number}"),
    };
    let lines = |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.into()).collect() };
    let take = async |names: &[&str], number, now| {
        let mut transaction = event_store::begin(pool).await.unwrap();
        let names = lines(names);
        let taken = ordered_lines::take(&mut transaction, cart, &names, &order(number), now).await;
        let taken = taken.unwrap();
        if taken {
            transaction.commit().await.unwrap();
        }
        taken
    };
    let of = async |names: &[&str], now| {
        ordered_lines::order_of(pool, cart, &lines(names), now)
            .await
            .unwrap()
    };
    assert!(take(&["a", "b"], 1, NOW).await);
    assert!(!take(&["b", "c"], 2, NOW).await);
    assert_eq!(of(&["c"], NOW).await, None, "all of it or nothing");
    assert_eq!(of(&["b", "c"], NOW).await, Some(order(1)));
    let line = lines(&["a"]);
    let elsewhere = ordered_lines::order_of(pool, Uuid::from_u128(2), &line, NOW);
    assert_eq!(elsewhere.await.unwrap(), None);
    let until = NOW + Duration::days(7) - Duration::hours(1);
    ordered_lines::forget_old(pool, until).await.unwrap();
    assert_eq!(of(&["a"], until).await, Some(order(1)));
    let later = NOW + Duration::days(7);
    assert_eq!(of(&["a"], later).await, None);
    assert!(take(&["a"], 3, later).await);
    ordered_lines::forget_old(pool, later).await.unwrap();
    assert_eq!(of(&["a", "b"], NOW).await, Some(order(3)));
}

fn hash(name: u8) -> [u8; 32] {
    [name; 32]
}

fn token(hash: &[u8; 32]) -> NewToken<'_> {
    NewToken {
        hash,
        issued_at: NOW,
        expires_at: NOW + Duration::days(14),
    }
}

/// A token's successor has the next number.
async fn rotated(pool: &PgPool, shown: u8, seconds: i64) -> Rotation {
    let mut transaction = event_store::begin(pool).await.unwrap();
    let (shown, successor) = (hash(shown), hash(shown + 1));
    let new = NewToken {
        issued_at: NOW + Duration::seconds(seconds),
        ..token(&successor)
    };
    let rotation = credentials::rotate(&mut transaction, &shown, new)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    rotation
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_token_has_one_successor_for_ten_seconds_and_any_other_reuse_ends_the_family() {
    let store = store().await;
    let pool = store.pool();
    let member: MemberId = id(1);
    let mut connection = pool.acquire().await.unwrap();
    let mut families = Vec::new();
    for first in [1, 11, 21] {
        let hash = hash(first);
        let begun = credentials::begin_family(&mut connection, member, token(&hash));
        families.push(begun.await.unwrap());
    }
    drop(connection);
    let goes_on = |sign_in: usize| Rotation::Rotated(member, families[sign_in]);
    assert_eq!(rotated(pool, 99, 0).await, Rotation::Unknown);
    for second in [0, 10] {
        let same = rotated(pool, 1, second).await;
        assert_eq!(same, goes_on(0), "{second} s");
    }
    assert_eq!(
        rotated(pool, 1, 11).await,
        Rotation::Reused(member),
        "too late for an answer that was lost"
    );
    assert_eq!(
        rotated(pool, 2, 11).await,
        Rotation::Unknown,
        "its family is over"
    );

    assert_eq!(rotated(pool, 11, 0).await, goes_on(1));
    assert_eq!(rotated(pool, 12, 1).await, goes_on(1));
    assert_eq!(
        rotated(pool, 11, 2).await,
        Rotation::Reused(member),
        "something came of it"
    );

    let rotations = (0..6).map(|second| {
        let pool = pool.clone();
        tokio::spawn(async move { rotated(&pool, 21, second).await })
    });
    for rotation in futures::future::join_all(rotations).await {
        assert_eq!(rotation.unwrap(), goes_on(2));
    }
    let good: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM refresh_tokens WHERE used_at IS NULL AND revoked_at IS NULL",
    )
    .fetch_one(pool)
    .await
    .unwrap();
    assert_eq!(good, 1, "all of them have the same");

    // Sessions that access tokens are refused by.
    let revoked_since = async |after| {
        let revoked = credentials::revoked_since(pool, after).await.unwrap();
        let mut revoked: Vec<Uuid> = revoked.into_iter().map(|(family, _)| family).collect();
        revoked.sort_unstable();
        revoked
    };
    assert_eq!(revoked_since(NOW).await, families[..2]);
    assert_eq!(
        revoked_since(NOW + Duration::seconds(2)).await,
        families[..1]
    );
    let later = NOW + Duration::seconds(20);
    erasure::let_go(pool, member, later).await.unwrap();
    assert_eq!(revoked_since(NOW).await, families);
    assert_eq!(credentials::forget_revoked(pool, later).await.unwrap(), 2);
    assert_eq!(revoked_since(NOW).await, families[2..]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_has_one_default_destination() {
    let store = store().await;
    let pool = store.pool();
    let member: MemberId = id(1);
    let party: Sealed<Party> =
        Sealed::from_parts(member.0, Purpose::Profile, "c2VhbGVk".to_owned());
    let adds = (0..6).map(|place| {
        let (pool, party) = (pool.clone(), party.clone());
        tokio::spawn(async move {
            destinations::add(&pool, member, Uuid::from_u128(place), &party, true, NOW)
                .await
                .unwrap();
        })
    });
    for added in futures::future::join_all(adds).await {
        added.unwrap();
    }
    let list = destinations::list(pool, member).await.unwrap();
    assert_eq!(list.len(), 6);
    assert_eq!(list.iter().filter(|one| one.is_default).count(), 1);
    assert!(list[0].is_default, "the default one comes first");
    assert_eq!(list[0].party, party);
    let other: MemberId = id(2);
    let second = list[1].id;
    assert!(
        destinations::change(pool, other, second, &party, true, NOW)
            .await
            .unwrap()
            .is_none()
    );
    // the default stays the default, whatever its form says, until another becomes it
    for asked in [true, false] {
        assert_eq!(
            destinations::change(pool, member, second, &party, asked, NOW)
                .await
                .unwrap(),
            Some(true)
        );
    }
    assert!(
        destinations::find(pool, member, second)
            .await
            .unwrap()
            .unwrap()
            .is_default
    );
    assert!(!destinations::remove(pool, other, second).await.unwrap());
    assert!(destinations::remove(pool, member, second).await.unwrap());
    let left = destinations::list(pool, member).await.unwrap();
    assert!(left.iter().all(|one| one.id != second));
    let defaults: Vec<Uuid> = left
        .iter()
        .filter(|one| one.is_default)
        .map(|one| one.id)
        .collect();
    let oldest = left.iter().min_by_key(|one| (one.created_at, one.id));
    assert_eq!(defaults, [oldest.unwrap().id], "it goes to the oldest");
}
