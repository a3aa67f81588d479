//! A restored backup is the same log, and accepts new events.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use domain::Purpose;
use event_store::backup::{BackupError, Contents, SequenceAt, TableCopy};
use event_store::testing::{Database, Server};
use event_store::{
    KeyError, KeyRing, KeysMerged, MasterKey, Projection, ProjectionError, Runner, SealContent,
    Store, StoreOptions, StoredEvent, async_trait,
};
use sqlx::{Connection, Executor, PgConnection};
use tokio::sync::oneshot;
use uuid::Uuid;

use crate::support::{counted, of, take_any};

const SOON: Duration = Duration::from_secs(20);

/// Has an external side effect for each event, so it must never see one twice: not a read model.
#[derive(Default)]
struct Tells(Arc<Mutex<Vec<i64>>>);

#[async_trait]
impl Projection for Tells {
    fn name(&self) -> &'static str {
        "tells"
    }

    fn version(&self) -> u32 {
        1
    }

    fn create_sql(&self) -> &'static str {
        "CREATE TABLE p_tells_v1 (position bigint, nr bigint GENERATED ALWAYS AS IDENTITY)"
    }

    fn kinds(&self) -> &'static [&'static str] {
        &[]
    }

    fn is_read_model(&self) -> bool {
        false
    }

    async fn apply(
        &self,
        tx: &mut PgConnection,
        batch: &[StoredEvent],
    ) -> Result<(), ProjectionError> {
        for event in batch {
            self.0.lock().unwrap().push(event.position);
            sqlx::query("INSERT INTO p_tells_v1 VALUES ($1)")
                .bind(event.position)
                .execute(&mut *tx)
                .await?;
        }
        Ok(())
    }
}

fn followers() -> Vec<Arc<dyn Projection>> {
    vec![Arc::new(Tells::default())]
}

/// Runs it to the end of the log; `told` collects its side effects.
async fn follow(store: &Store, told: &Arc<Mutex<Vec<i64>>>) {
    let (stop, stopped) = oneshot::channel::<()>();
    let runner = Runner::new(store.clone(), vec![Arc::new(Tells(Arc::clone(told)))]);
    let running = tokio::spawn(async move {
        runner
            .run(async {
                drop(stopped.await);
            })
            .await
            .unwrap();
    });
    let head = store.head().await.unwrap();
    let reached = store.wait_for(&["tells"], head, SOON).await.unwrap();
    assert_eq!(reached.position().min(head), head, "{reached:?}");
    drop(stop);
    running.await.unwrap();
}

/// A backup in memory.
struct MemoryBackup {
    tables: Vec<(TableCopy, Vec<u8>)>,
    sequences: Vec<SequenceAt>,
}

async fn take_backup(store: &Store, contents: Contents) -> MemoryBackup {
    let mut outgoing = store.backup(contents, &followers()).await.unwrap();
    let mut tables = Vec::new();
    for table in outgoing.tables() {
        let mut text = Vec::new();
        let sink = |some: &[u8]| {
            text.extend_from_slice(some);
            Ok(())
        };
        outgoing.copy(&table, sink).await.unwrap();
        tables.push((table, text));
    }
    let sequences = outgoing.sequences().await.unwrap();
    MemoryBackup { tables, sequences }
}

impl MemoryBackup {
    async fn bring_shop_into(&self, store: &Store) -> Result<(), BackupError> {
        let mut incoming = store.restore(Contents::Shop, &followers()).await?;
        self.bring_rows_into(&mut incoming).await?;
        incoming.finish(&self.sequences).await
    }

    async fn bring_rows_into(
        &self,
        incoming: &mut event_store::backup::Incoming,
    ) -> Result<(), BackupError> {
        for (table, text) in &self.tables {
            let mut rows = incoming.table(table).await?;
            for some in text.chunks(7) {
                rows.send(some).await?;
            }
            rows.finish().await?;
        }
        Ok(())
    }

    async fn bring_keys_into(
        &self,
        store: &Store,
        present: &MasterKey,
        then: &MasterKey,
        forgotten: &[(Uuid, Purpose)],
    ) -> Result<KeysMerged, BackupError> {
        let mut incoming = store.restore(Contents::Keys, &[]).await?;
        self.bring_rows_into(&mut incoming).await?;
        incoming.merge_keys(present, then, forgotten).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn transaction_ids_of_another_cluster_do_not_come_along() {
    let server = tokio::task::spawn_blocking(|| Server::start(&[]))
        .await
        .unwrap()
        .unwrap();
    let mut admin = PgConnection::connect(&server.url("postgres"))
        .await
        .unwrap();
    admin.execute("CREATE DATABASE shop").await.unwrap();
    let there = Store::connect(&server.url("shop"), StoreOptions::default())
        .await
        .unwrap();
    there.migrate().await.unwrap();
    let here = Database::create().await.store().await;
    sqlx::query(
        "DO $$ BEGIN FOR i IN 1..20000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$",
    )
    .execute(here.pool())
    .await
    .unwrap();
    counted(&here, "a", 10).await;
    take_backup(&here, Contents::Shop)
        .await
        .bring_shop_into(&there)
        .await
        .unwrap();
    let unseen: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM events WHERE NOT pg_visible_in_snapshot(transaction_id, pg_current_snapshot())",
    )
    .fetch_one(there.pool())
    .await
    .unwrap();
    assert_eq!(unseen, 0);
    let text = "SELECT string_agg((to_jsonb(e) - 'transaction_id')::text, ',') FROM events e";
    let texts: BTreeMap<bool, String> = [
        (
            true,
            sqlx::query_scalar(text)
                .fetch_one(here.pool())
                .await
                .unwrap(),
        ),
        (
            false,
            sqlx::query_scalar(text)
                .fetch_one(there.pool())
                .await
                .unwrap(),
        ),
    ]
    .into();
    assert_eq!(texts.get(&true), texts.get(&false));
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_go_on_after_all_that_were_handed_out() {
    let here = Database::create().await.store().await;
    counted(&here, "a", 10).await;
    // drawn, and never written
    let mut cut = event_store::begin(here.pool()).await.unwrap();
    sqlx::query("INSERT INTO events (aggregate_type, aggregate_id, sequence, event_type, event_version, payload, metadata) VALUES ('pile', 'x', 1, 'Taken', '1.0', '{}', '{}')")
        .execute(&mut *cut)
        .await
        .unwrap();
    cut.rollback().await.unwrap();
    let there = Database::create().await.store().await;
    let carried = take_backup(&here, Contents::Shop).await;
    carried.bring_shop_into(&there).await.unwrap();
    let next = there.append(of(vec![take_any("a")])).await.unwrap();
    assert_eq!(next.first_position, 3);
    assert!(there.settle().await.unwrap() >= 3);
    // a non-empty database is refused
    let again = carried.bring_shop_into(&there).await;
    assert!(matches!(again, Err(BackupError::NotEmpty(table)) if table == "events"));
}

#[tokio::test(flavor = "multi_thread")]
async fn who_does_something_at_events_goes_on_where_it_was() {
    let here = Database::create().await.store().await;
    counted(&here, "a", 10).await;
    here.append(of(vec![take_any("a")])).await.unwrap();
    let heard = Arc::default();
    follow(&here, &heard).await;
    // two events the consumer has not seen when the backup is taken
    here.append(of(vec![take_any("a")])).await.unwrap();
    here.append(of(vec![take_any("a")])).await.unwrap();
    let there = Database::create().await.store().await;
    take_backup(&here, Contents::Shop)
        .await
        .bring_shop_into(&there)
        .await
        .unwrap();
    there.append(of(vec![take_any("a")])).await.unwrap();
    follow(&there, &heard).await;
    let told: Vec<i64> = sqlx::query_scalar("SELECT position FROM p_tells_v1 ORDER BY nr")
        .fetch_all(there.pool())
        .await
        .unwrap();
    let log: Vec<i64> = sqlx::query_scalar("SELECT global_position FROM events ORDER BY 1")
        .fetch_all(there.pool())
        .await
        .unwrap();
    assert_eq!(told, log, "each once, in order");
    assert_eq!(log.len(), 5);
    assert_eq!(*heard.lock().unwrap(), log, "done once, here or there");
    let shown: i64 = sqlx::query_scalar("SELECT count(*) FROM tells")
        .fetch_one(there.pool())
        .await
        .unwrap();
    assert_eq!(shown, 5, "its view is there too");
}

const NAME: &str = "홍길동";

#[tokio::test(flavor = "multi_thread")]
async fn keys_come_back_beside_new_ones_and_those_of_the_forgotten_do_not() {
    let master = MasterKey::generate();
    let here = Database::create().await.store().await;
    let ring = KeyRing::load(here.pool().clone(), master.clone())
        .await
        .unwrap();
    let name = NAME.to_owned();
    let [stays, writes, left, gone] = [(); 4].map(|()| Uuid::now_v7());
    let mut sealed = BTreeMap::new();
    for who in [stays, writes, left, gone] {
        sealed.insert(who, ring.seal(who, Purpose::Profile, &name).await.unwrap());
    }
    let keys = take_backup(&here, Contents::Keys).await;
    ring.destroy(gone, Purpose::Profile).await.unwrap();
    let shop = take_backup(&here, Contents::Shop).await;
    let text: Vec<u8> = shop
        .tables
        .iter()
        .flat_map(|(_, text)| text.clone())
        .collect();
    let wrapped: Vec<String> = sqlx::query_scalar(
        "SELECT encode(wrapped, 'hex') FROM keys.data_key WHERE wrapped IS NOT NULL",
    )
    .fetch_all(here.pool())
    .await
    .unwrap();
    assert_eq!(wrapped.len(), 3);
    for key in wrapped {
        assert!(
            !String::from_utf8_lossy(&text).contains(&key),
            "a key in the backup of the shop"
        );
    }

    let there = Database::create().await.store().await;
    shop.bring_shop_into(&there).await.unwrap();
    let ring = KeyRing::load(there.pool().clone(), master.clone())
        .await
        .unwrap();
    // keys are away: old seals cannot be opened, new values are sealed with new keys, and destroyed keys are not created again
    for seal in sealed.values() {
        assert_eq!(ring.open(seal).await.unwrap(), SealContent::Erased);
    }
    let new = ring
        .seal(writes, Purpose::Profile, &"새 이름".to_owned())
        .await
        .unwrap();
    assert_eq!(
        ring.open(&new).await.unwrap(),
        SealContent::Value("새 이름".to_owned())
    );
    let old = sealed.get(&writes).unwrap();
    assert_eq!(
        ring.open(old).await.unwrap(),
        SealContent::Erased,
        "not forged: by a key that is away"
    );
    let never = ring.seal(gone, Purpose::Profile, &name).await;
    assert!(matches!(never, Err(KeyError::Destroyed { .. })));
    // the log says the member left, but the key is not destroyed yet
    let forgotten = [(left, Purpose::Profile)];
    let merged = keys
        .bring_keys_into(&there, &master, &master, &forgotten)
        .await
        .unwrap();
    assert_eq!(
        (merged.restored, merged.stayed_destroyed),
        (2, 2),
        "{merged:?}"
    );
    ring.forget_cached();
    for (who, reads) in [(stays, true), (writes, true), (left, false), (gone, false)] {
        let opened = ring.open(sealed.get(&who).unwrap()).await.unwrap();
        assert_eq!(opened == SealContent::Value(name.clone()), reads, "{who}");
    }
    assert_eq!(
        ring.open(&new).await.unwrap(),
        SealContent::Value("새 이름".to_owned())
    );
    let again = keys
        .bring_keys_into(&there, &master, &master, &forgotten)
        .await
        .unwrap();
    assert_eq!((again.restored, again.here), (0, 2));

    // a subject with two keys keeps both when the master key is changed
    let next = MasterKey::generate();
    ring.rotate(&next).await.unwrap();
    let ring = KeyRing::load(there.pool().clone(), next.clone())
        .await
        .unwrap();
    for (seal, is) in [(old, NAME), (&new, "새 이름")] {
        assert_eq!(
            ring.open(seal).await.unwrap(),
            SealContent::Value(is.to_owned())
        );
    }
    // the old backup needs the master key it was made with
    let refused = keys.bring_keys_into(&there, &next, &next, &forgotten).await;
    assert!(matches!(refused, Err(BackupError::Keys(_))), "{refused:?}");
    let merged = keys
        .bring_keys_into(&there, &next, &master, &forgotten)
        .await
        .unwrap();
    assert_eq!((merged.restored, merged.here), (0, 2));
    ring.destroy(writes, Purpose::Profile).await.unwrap();
    for seal in [old, &new] {
        assert_eq!(
            ring.open(seal).await.unwrap(),
            SealContent::Erased,
            "both keys are gone"
        );
    }
    // a newer backup of the keys records erasures made after this older database
    let newest = take_backup(&there, Contents::Keys).await;
    let older = Database::create().await.store().await;
    shop.bring_shop_into(&older).await.unwrap();
    keys.bring_keys_into(&older, &master, &master, &[])
        .await
        .unwrap();
    let merged = newest
        .bring_keys_into(&older, &master, &next, &[])
        .await
        .unwrap();
    let mut destroyed: Vec<Uuid> = merged.destroyed.iter().map(|(who, _)| *who).collect();
    destroyed.sort_unstable();
    assert_eq!(destroyed, [writes, left], "{merged:?}");
    let ring = KeyRing::load(older.pool().clone(), master).await.unwrap();
    assert_eq!(
        ring.open(sealed.get(&stays).unwrap()).await.unwrap(),
        SealContent::Value(name)
    );
    assert_eq!(ring.open(old).await.unwrap(), SealContent::Erased);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_keys_of_another_shop_are_refused() {
    let master = MasterKey::generate();
    let (here, there) = (
        Database::create().await.store().await,
        Database::create().await.store().await,
    );
    let ring = KeyRing::load(here.pool().clone(), MasterKey::generate())
        .await
        .unwrap();
    ring.rotate(&master).await.unwrap();
    KeyRing::load(there.pool().clone(), master.clone())
        .await
        .unwrap();
    let keys = take_backup(&here, Contents::Keys).await;
    let refused = keys.bring_keys_into(&there, &master, &master, &[]).await;
    assert!(matches!(refused, Err(BackupError::Keys(_))), "{refused:?}");
}
