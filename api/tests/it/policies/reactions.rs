//! Policies react once to each event, and a refusal is written down instead of being tried for ever.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use application::App;
use application::error::{AppError, AppResult, Code};
use application::executor::{AppendBatch, CommandContext};
use application::policies::{Policy, follower};
use domain::event::Decider;
use domain::member::{Member, MemberCommand};
use event_store::projection::{Rebuild, RebuildError, resume};
use event_store::{Expected, Projection, Runner, StoredEvent, StreamAppend, async_trait};
use tokio_util::sync::CancellationToken;

use crate::support::TestApp;

/// Seals the profile of whoever joins anew; refuses the second one; breaks down at every first try.
#[derive(Default)]
struct Sealing {
    tries: AtomicU32,
}

#[async_trait]
impl Policy for Sealing {
    fn name(&self) -> &'static str {
        "policy_test_sealing"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_test_sealing")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["member"]
    }

    async fn react(&self, app: &App, event: &StoredEvent) -> AppResult<()> {
        if event.event_type != "MemberJoined" {
            return Ok(());
        }
        if event.position == 2 {
            return Err(AppError::new(Code::NotAllowedNow));
        }
        let command = CommandContext::for_policy("seal-anew", "test-sealing", event);
        app.executor
            .transact(&command, |context| {
                let id = event.stream.id.clone();
                async move {
                    let loaded = app.store.load::<Member>(&id).await?;
                    // sealed anew it is another event every time, so only the command's key keeps it to one
                    let sealed = loaded.state.profile.clone().unwrap();
                    let profile = app.keys.open(&sealed).await?.value().unwrap();
                    let profile = app
                        .keys
                        .seal(sealed.subject, sealed.purpose, &profile)
                        .await?;
                    let act = MemberCommand::ReviseProfile {
                        profile,
                        new_email: false,
                    };
                    let events = loaded.state.decide(act, &context)?;
                    Ok(AppendBatch::of([StreamAppend::new::<Member>(
                        id,
                        Expected::Exact(loaded.version),
                        &events,
                    )?]))
                }
            })
            .await?;
        match self.tries.fetch_add(1, Ordering::Relaxed) {
            0 => Err(AppError::internal(anyhow::anyhow!(
                "broken down after the command"
            ))),
            _ => Ok(()),
        }
    }
}

/// Breaks down at one member's events until it is helped; writes down whom it reacted to.
#[derive(Default)]
struct Choking {
    helped: AtomicBool,
    reacted: Mutex<Vec<i64>>,
}

#[async_trait]
impl Policy for Choking {
    fn name(&self) -> &'static str {
        "policy_test_choking"
    }

    fn create_sql(&self) -> &'static str {
        event_store::refusals_table!("policy_test_choking")
    }

    fn kinds(&self) -> &'static [&'static str] {
        &["member"]
    }

    async fn react(&self, _app: &App, event: &StoredEvent) -> AppResult<()> {
        if event.position == 2 && !self.helped.load(Ordering::SeqCst) {
            return Err(AppError::internal(anyhow::anyhow!("not this one")));
        }
        self.reacted.lock().unwrap().push(event.position);
        Ok(())
    }
}

#[tokio::test]
async fn a_policy_goes_on_without_the_stream_it_cannot_take_until_it_is_resumed() {
    let shop = TestApp::start().await;
    for name in ["hong1234", "kim12345", "park1234"] {
        shop.sign_up(name).await;
    }
    let store = &shop.app.store;
    let choking = Arc::new(Choking::default());
    let policy = follower(&shop.app.application(), choking.clone());
    let runner = Runner::new(store.clone(), vec![Arc::clone(&policy)]).with_attempts(2);
    let stopping = CancellationToken::new();
    let running = tokio::spawn({
        let stop = stopping.clone().cancelled_owned();
        async move { runner.run(stop).await }
    });
    let names = ["policy_test_choking"];
    let waited = store.wait_for(&names, 3, Duration::from_secs(20)).await;
    assert!(waited.unwrap().position() >= 3);
    let parked = store.parked_streams(names[0], 10).await.unwrap();
    assert_eq!((parked.len(), parked[0].position), (1, 2));
    assert!(choking.reacted.lock().unwrap().contains(&3));
    assert!(!choking.reacted.lock().unwrap().contains(&2));
    // no rebuild does again what a policy did
    let again = Rebuild::of(store, Arc::clone(&policy)).run().await;
    assert!(matches!(again, Err(RebuildError::NoReadModel(_))));
    choking.helped.store(true, Ordering::SeqCst);
    let resumed = resume(store, &policy).await.unwrap();
    assert_eq!((resumed.caught_up, resumed.still_parked), (1, 0));
    assert_eq!(
        choking
            .reacted
            .lock()
            .unwrap()
            .iter()
            .filter(|at| **at == 2)
            .count(),
        1
    );
    stopping.cancel();
    running.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_policy_reacts_once_and_its_refusals_are_written_down() {
    let shop = TestApp::start().await;
    for name in ["hong1234", "kim12345", "park1234"] {
        shop.sign_up(name).await;
    }
    let policy: Arc<dyn Projection> =
        follower(&shop.app.application(), Arc::new(Sealing::default()));
    let runner = Runner::new(shop.app.store.clone(), vec![policy]);
    let stopping = CancellationToken::new();
    let running = tokio::spawn({
        let stop = stopping.clone().cancelled_owned();
        async move { runner.run(stop).await }
    });
    let waited = shop
        .app
        .store
        .wait_for(&["policy_test_sealing"], 3, Duration::from_secs(20))
        .await
        .unwrap();
    assert!(waited.position() >= 3, "{waited:?}");
    let revised: Vec<String> = sqlx::query_scalar(
        "SELECT metadata::jsonb ->> 'actor' FROM events WHERE event_type = 'ProfileRevised' ORDER BY global_position",
    )
    .fetch_all(shop.app.pool())
    .await
    .unwrap();
    assert_eq!(
        revised.len(),
        2,
        "once each, though the first try broke down"
    );
    assert!(revised.iter().all(|actor| actor.contains("test-sealing")));
    let refused: Vec<(i64, String)> =
        sqlx::query_as("SELECT position, code FROM p_policy_test_sealing_v1")
            .fetch_all(shop.app.pool())
            .await
            .unwrap();
    assert_eq!(refused, [(2, "not_allowed_now".to_owned())]);
    stopping.cancel();
    running.await.unwrap().unwrap();
}
