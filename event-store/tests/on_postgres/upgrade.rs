//! A shop is upgraded while it runs: two versions of a program on one log. The new one renamed an event (`Took` is `Removed` now), moved a
//! field (`Opened` keeps `left` and `unit` under `stock`) and split one event in two (`Sold` became `Removed` and `Earned`).

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use cqrs_es::event_sink::EventSink;
use cqrs_es::{Aggregate, DomainEvent};
use event_store::event_fixtures::check;
use event_store::testing::Database;
use event_store::{
    Expected, Projection, ProjectionError, Runner, Store, StoreError, StoredEvent, StreamAppend,
    UpcastEvent, Upcasters, WaitOutcome, async_trait,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::support::of;

const SOON: Duration = Duration::from_secs(20);

#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("never refused")]
struct Never;

macro_rules! shelf {
    ($shelf:ident, $event:ident, $names:ident { $($variant:ident $version:literal { $($field:ident: $type:ty),+ }),+ }, $fold:expr) => {
        #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
        struct $shelf {
            left: i64,
            unit: String,
            earned: i64,
        }

        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        enum $event {
            $($variant { $($field: $type),+ },)+
        }

        const $names: &[(&str, &str)] = &[$((stringify!($variant), $version)),+];

        impl DomainEvent for $event {
            fn event_type(&self) -> String {
                match self { $(Self::$variant { .. } => stringify!($variant).to_owned(),)+ }
            }

            fn event_version(&self) -> String {
                match self { $(Self::$variant { .. } => $version.to_owned(),)+ }
            }
        }

        impl Aggregate for $shelf {
            const TYPE: &'static str = "shelf";
            type Command = ();
            type Event = $event;
            type Error = Never;
            type Services = ();

            async fn handle(&mut self, (): (), _services: &(), _sink: &EventSink<Self>) -> Result<(), Never> {
                Ok(())
            }

            fn apply(&mut self, event: $event) {
                let fold: fn(&mut Self, $event) = $fold;
                fold(self, event);
            }
        }
    };
}

shelf!(OldShelf, Old, OLD_NAMES {
    Opened "1.0" { left: i64, unit: String },
    Took "1.0" { many: i64 },
    Sold "1.0" { many: i64, price: i64 }
}, |shelf, event| match event {
    Old::Opened { left, unit } => (shelf.left, shelf.unit) = (left, unit),
    Old::Took { many } => shelf.left -= many,
    Old::Sold { many, price } => {
        shelf.left -= many;
        shelf.earned += many * price;
    }
});

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Goods {
    left: i64,
    unit: String,
}

shelf!(NewShelf, New, NEW_NAMES {
    Opened "2.0" { stock: Goods },
    Removed "1.0" { many: i64 },
    Earned "1.0" { amount: i64 }
}, |shelf, event| match event {
    New::Opened { stock } => (shelf.left, shelf.unit) = (stock.left, stock.unit),
    New::Removed { many } => shelf.left -= many,
    New::Earned { amount } => shelf.earned += amount,
});

fn knows_old(kind: &str, event_type: &str, version: &str) -> Option<bool> {
    (kind == "shelf").then(|| OLD_NAMES.contains(&(event_type, version)))
}

fn knows_new(kind: &str, event_type: &str, version: &str) -> Option<bool> {
    (kind == "shelf").then(|| NEW_NAMES.contains(&(event_type, version)))
}

fn field(payload: &Value, path: &str) -> Value {
    payload.pointer(path).cloned().unwrap_or_default()
}

fn new_words() -> Upcasters {
    Upcasters::new()
        .with("Opened", "1.0", |payload| {
            let stock = field(&payload, "/Opened");
            vec![UpcastEvent::new(
                "Opened",
                "2.0",
                json!({"Opened": {"stock": stock}}),
            )]
        })
        .with("Took", "1.0", |payload| {
            vec![UpcastEvent::new(
                "Removed",
                "1.0",
                json!({"Removed": field(&payload, "/Took")}),
            )]
        })
        .with("Sold", "1.0", |payload| {
            let many = field(&payload, "/Sold/many");
            let amount = many
                .as_i64()
                .zip(field(&payload, "/Sold/price").as_i64())
                .map(|(many, price)| many * price);
            vec![
                UpcastEvent::new("Removed", "1.0", json!({"Removed": {"many": many}})),
                UpcastEvent::new("Earned", "1.0", json!({"Earned": {"amount": amount}})),
            ]
        })
        .written_in(include_str!("upgrade.rs"))
        .knowing(knows_new)
}

fn old_words() -> Upcasters {
    Upcasters::new().knowing(knows_old)
}

#[test]
fn samples_of_every_version_read_in_the_newest_words() {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/on_postgres/samples/upgrade");
    check::<New>(NEW_NAMES, &folder, &new_words()).unwrap();
    assert!(check::<New>(NEW_NAMES, &folder, &Upcasters::new()).is_err());
}

/// The sums of all shelves, as either version of the program computes them.
struct Sums(&'static str);

#[async_trait]
impl Projection for Sums {
    fn name(&self) -> &'static str {
        "sums"
    }

    fn version(&self) -> u32 {
        1
    }

    fn create_sql(&self) -> &'static str {
        "CREATE TABLE p_sums_v1 (position bigint, left_over bigint, earned bigint, program text)"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["shelf"]
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        for event in batch {
            let payload = event.value()?;
            let number = |path: &str| field(&payload, path).as_i64().unwrap_or_default();
            // like most read models it handles the events it knows and ignores the rest
            let (left, earned) = match event.event_type.as_str() {
                "Opened" => (number("/Opened/left") + number("/Opened/stock/left"), 0),
                "Took" => (-number("/Took/many"), 0),
                "Sold" => (
                    -number("/Sold/many"),
                    number("/Sold/many") * number("/Sold/price"),
                ),
                "Removed" => (-number("/Removed/many"), 0),
                "Earned" => (0, number("/Earned/amount")),
                _ => (0, 0),
            };
            sqlx::query("INSERT INTO p_sums_v1 VALUES ($1, $2, $3, $4)")
                .bind(event.position)
                .bind(left)
                .bind(earned)
                .bind(self.0)
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }
}

fn work(
    store: &Store,
    program: &'static str,
) -> (oneshot::Sender<()>, JoinHandle<Result<(), StoreError>>) {
    let (stop, stopped) = oneshot::channel::<()>();
    let runner = Runner::new(store.clone(), vec![Arc::new(Sums(program))]);
    let task = tokio::spawn(async move {
        runner
            .run(async {
                drop(stopped.await);
            })
            .await
    });
    (stop, task)
}

async fn write<A: Aggregate>(store: &Store, shelf: &str, events: &[A::Event]) {
    let append = StreamAppend::new::<A>(shelf, Expected::Any, events).unwrap();
    store.append(of(vec![append])).await.unwrap();
}

async fn reached(store: &Store) {
    let head = store.head().await.unwrap();
    let reached = store.wait_for(&["sums"], head, SOON).await.unwrap();
    assert!(
        matches!(reached, WaitOutcome::Reached(_)),
        "{reached:?} of {head}"
    );
}

async fn sums(store: &Store) -> (i64, i64) {
    sqlx::query_as("SELECT sum(left_over)::bigint, sum(earned)::bigint FROM sums")
        .fetch_one(store.pool())
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_versions_side_by_side_lose_nothing_and_guess_nothing() {
    let database = Database::create().await;
    let old = database
        .store()
        .await
        .with_upcasters(old_words())
        .with_snapshots("rules");
    let new = database
        .store()
        .await
        .with_upcasters(new_words())
        .with_snapshots("rules");
    for shelf in 0..20 {
        let unit = "box".to_owned();
        let events = [
            Old::Opened { left: 100, unit },
            Old::Took { many: 5 },
            Old::Sold {
                many: 10,
                price: 300,
            },
        ];
        write::<OldShelf>(&old, &format!("shelf-{shelf}"), &events).await;
    }
    let (old_stop, old_work) = work(&old, "old");
    reached(&old).await;
    let (new_stop, new_work) = work(&new, "new");

    // readers first: the new program reads all of the old one's events, and both decide the same
    let by_old = old.load::<OldShelf>("shelf-3").await.unwrap();
    let by_new = new.load::<NewShelf>("shelf-3").await.unwrap();
    assert_eq!((by_new.state.left, by_new.state.earned), (85, 3_000));
    assert_eq!(
        (by_old.state.left, by_old.version),
        (by_new.state.left, by_new.version)
    );
    assert_eq!(by_new.state.unit, "box");
    write::<OldShelf>(&old, "shelf-3", &[Old::Took { many: 1 }]).await;
    reached(&new).await;
    assert_eq!(
        new.load::<NewShelf>("shelf-3").await.unwrap().state.left,
        84
    );

    // then writers: the old program neither skips nor guesses events it does not know
    write::<NewShelf>(
        &new,
        "shelf-3",
        &[New::Removed { many: 4 }, New::Earned { amount: 900 }],
    )
    .await;
    let unknown = old.load::<OldShelf>("shelf-3").await;
    assert!(
        matches!(&unknown, Err(StoreError::Newer { event_type, .. }) if event_type == "Removed"),
        "{unknown:?}"
    );
    let stream = event_store::StreamId::new("shelf", "shelf-3");
    assert!(old.read_stream(&stream).await.unwrap_err().is_newer());
    assert!(
        old.load::<OldShelf>("shelf-4").await.is_ok(),
        "other shelves go on"
    );
    let ended = timeout(SOON, old_work).await.unwrap().unwrap();
    assert!(
        ended.unwrap_err().is_newer(),
        "the old worker stops, and says why"
    );
    drop(old_stop);
    reached(&new).await;
    assert_eq!(sums(&new).await, (20 * 85 - 5, 20 * 3_000 + 900));
    let rows = "SELECT count(*) - count(DISTINCT (position, left_over, earned)) FROM p_sums_v1";
    let twice: i64 = sqlx::query_scalar(rows)
        .fetch_one(new.pool())
        .await
        .unwrap();
    assert_eq!(twice, 0);
    let taken_over = "SELECT count(*) FROM p_sums_v1 WHERE program = 'new'";
    let taken_over: i64 = sqlx::query_scalar(taken_over)
        .fetch_one(new.pool())
        .await
        .unwrap();
    assert!(taken_over >= 2);

    // an old worker that starts now stops at the next one, and changes nothing
    let (_stop, again) = work(&old, "old");
    let mut removed = 0;
    while !again.is_finished() && removed < 200 {
        write::<NewShelf>(&new, "shelf-5", &[New::Removed { many: 1 }]).await;
        removed += 1;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let again = timeout(SOON, again).await.unwrap().unwrap();
    assert!(again.unwrap_err().is_newer());
    reached(&new).await;
    assert_eq!(sums(&new).await.0, 20 * 85 - 5 - removed);
    drop(new_stop);
    timeout(SOON, new_work).await.unwrap().unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_snapshot_is_not_read_through_other_upcasters() {
    let database = Database::create().await;
    let old = database
        .store()
        .await
        .with_upcasters(old_words())
        .with_snapshots("rules");
    let opened = Old::Opened {
        left: 10_000,
        unit: "box".to_owned(),
    };
    write::<OldShelf>(&old, "long", &[opened]).await;
    for _ in 0..15 {
        let some: Vec<Old> = (0..10).map(|_| Old::Sold { many: 1, price: 2 }).collect();
        write::<OldShelf>(&old, "long", &some).await;
    }
    old.load::<OldShelf>("long").await.unwrap();
    let names = async || -> Vec<String> {
        sqlx::query_scalar("SELECT DISTINCT rules FROM snapshots ORDER BY 1")
            .fetch_all(old.pool())
            .await
            .unwrap()
    };
    for _ in 0..100 {
        if !names().await.is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // a snapshot of another program, with a wrong state that would be noticed if it were used
    sqlx::query("UPDATE snapshots SET state = jsonb_set(state::jsonb, '{left}', '1')::json")
        .execute(old.pool())
        .await
        .unwrap();
    assert_eq!(names().await.len(), 1);
    let new = database
        .store()
        .await
        .with_upcasters(new_words())
        .with_snapshots("rules");
    assert_eq!(
        new.load::<NewShelf>("long").await.unwrap().state.left,
        9_850
    );
    // nor by the same upcasters with another source text
    let other = new_words().written_in("another text");
    let other = database
        .store()
        .await
        .with_upcasters(other)
        .with_snapshots("rules");
    assert_eq!(
        other.load::<NewShelf>("long").await.unwrap().state.left,
        9_850
    );
}
