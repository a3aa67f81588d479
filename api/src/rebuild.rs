//! `jangbu rebuild` and `jangbu resume`: rebuilds read models and the search index while the shop is running, and resumes stopped ones.
//! Requests from the console are executed by the worker.

use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use event_store::Projection;
use event_store::projection::{self, Rebuild, RebuildPhase, Rebuilt, ResumeError, ResumeOutcome};
use indicatif::{ProgressBar, ProgressStyle};
use projections::{deadlines, state::deadline_refusals};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::app::{AppBuilder, AppState};
use crate::http::AppResult;
use crate::search_feed;
use crate::settings::Settings;
use application::policies::followers;

/// The name of the search index among the read models.
pub const SEARCH: &str = "search";
/// Shortest interval between looks at what was asked for.
const ASKED: Duration = Duration::from_secs(3);
/// The name for all read models.
const ALL: &str = "all";

/// An operation on a read model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Rebuild it with this many segments in parallel; none for as many as possible.
    Rebuild(Option<u32>),
    /// Return it to the state before the last rebuild.
    Back,
    /// Drop the state before the last rebuild.
    Drop,
}

/// `jangbu rebuild NAME|all|search`, with progress on the terminal.
///
/// # Errors
/// An unknown name; the reason why a read model was not rebuilt (it stays unchanged then).
pub(crate) async fn from_terminal(
    settings: &Settings,
    database: &str,
    name: &str,
    act: Act,
) -> anyhow::Result<()> {
    let app = outside(settings, database).await?;
    let wanted: Vec<Arc<dyn Projection>> = projections::all()
        .into_iter()
        .filter(|one| name == ALL || one.name() == name)
        .collect();
    let searches = [SEARCH, ALL].contains(&name);
    if wanted.is_empty() && !searches {
        let names = projections::NAMES.join(", ");
        bail!("no read model is called {name}; there are {names}, {SEARCH} and {ALL}");
    }
    let mut failed = Vec::new();
    for projection in wanted {
        let name = projection.name();
        if let Err(error) = run_act(&app, projection, act).await {
            println!("{name}: {error}");
            failed.push(name);
        }
    }
    if !failed.is_empty() {
        bail!("as they were: {}", failed.join(", "));
    }
    match act {
        Act::Rebuild(_) if searches => search_feed::rebuild_from_outside(settings, database).await,
        _ if name == SEARCH => bail!("the search index keeps nothing: rebuild it"),
        _ => Ok(()),
    }
}

async fn run_act(app: &AppState, projection: Arc<dyn Projection>, act: Act) -> anyhow::Result<()> {
    let name = projection.name();
    let mut rebuild = Rebuild::of(&app.store, projection);
    if let Act::Rebuild(Some(segments)) = act {
        rebuild = rebuild.with_segments(segments);
    }
    if act == Act::Drop {
        let dropped = rebuild.drop_previous().await?;
        let told = if dropped {
            "이전 데이터를 지웠습니다"
        } else {
            "지울 이전 데이터가 없습니다"
        };
        println!("{name}: {told}.");
        return Ok(());
    }
    let bar = ProgressBar::no_length().with_style(ProgressStyle::with_template(
        "{prefix:18} {msg} [{bar:30}] {human_pos}/{human_len} {per_sec} {eta} 남음",
    )?);
    bar.set_prefix(name);
    let watching = watch_progress(bar.clone(), rebuild.progress());
    let done = tokio::select! {
        done = async {
            match act {
                Act::Back => rebuild.back().await,
                _ => rebuild.run().await,
            }
        } => done,
        never = watching => match never {},
    };
    bar.finish_and_clear();
    println!("{}", summary(name, act, &done?));
    Ok(())
}

async fn watch_progress(
    bar: ProgressBar,
    mut progress: watch::Receiver<projection::RebuildProgress>,
) -> std::convert::Infallible {
    loop {
        let now = *progress.borrow_and_update();
        bar.set_message(match now.phase {
            RebuildPhase::Reading => "읽는 중",
            RebuildPhase::Keys => "색인 만드는 중",
            RebuildPhase::CatchingUp => "따라잡는 중",
            RebuildPhase::Switching => "바꾸는 중",
        });
        bar.set_length(u64::try_from(now.total).unwrap_or(0));
        bar.set_position(u64::try_from(now.done).unwrap_or(0));
        if progress.changed().await.is_err() {
            // The rebuild is over, and its caller reports the result.
            std::future::pending::<()>().await;
        }
    }
}

fn summary(name: &str, act: Act, done: &Rebuilt) -> String {
    let parked = match done.parked {
        0 => String::new(),
        many => format!(", 보류된 흐름 {many}개"),
    };
    let switch = done.switch.as_millis();
    if act == Act::Back {
        let position = done.position;
        return format!(
            "{name}: 이전 데이터로 되돌렸습니다 (위치 {position}, 교체 {switch}ms{parked})."
        );
    }
    let millis = i64::try_from(done.reading.as_millis()).unwrap_or(i64::MAX);
    let rate = done.events.saturating_mul(1_000) / millis.max(1);
    format!(
        "{name}: 이벤트 {}건, 초당 {rate}건 (읽기 {:.1?}, 전체 {:.1?}, 교체 {switch}ms, 위치 {}{parked}).",
        done.events, done.reading, done.took, done.position
    )
}

/// The application without requests and without search, for a command beside a running shop.
async fn outside(settings: &Settings, database: &str) -> anyhow::Result<AppState> {
    AppBuilder::new(settings.clone(), database)
        .without_search()
        .build()
        .await
}

/// `jangbu resume NAME`.
///
/// # Errors
/// An unknown name; database errors.
pub(crate) async fn resume_from_terminal(
    settings: &Settings,
    database: &str,
    name: &str,
) -> anyhow::Result<()> {
    let app = outside(settings, database).await?;
    match resume(&app, name)
        .await
        .map_err(|error| anyhow::anyhow!("{error:?}"))?
    {
        None => bail!("nothing that follows the log is called {name}"),
        Some(resumed) => {
            if resumed.stopped {
                println!("{name}: 멈춰 있던 것을 다시 움직이게 했습니다.");
            }
            println!(
                "{name}: 보류된 흐름 {}개를 따라잡았고 {}개가 남았습니다.",
                resumed.caught_up, resumed.still_parked
            );
            Ok(())
        }
    }
}

/// Resumes a read model or policy; `None` if it does not exist. Abandoned deadlines are retried too.
///
/// # Errors
/// Database errors.
pub(crate) async fn resume(app: &AppState, name: &str) -> AppResult<Option<ResumeOutcome>> {
    let Some(follower) = followers(&app.application())
        .into_iter()
        .find(|one| one.name() == name)
    else {
        return Ok(None);
    };
    if name == deadlines::NAME {
        deadline_refusals::forget_given_up(app.pool()).await?;
    }
    match projection::resume(&app.store, &follower).await {
        Ok(resumed) => Ok(Some(resumed)),
        Err(ResumeError::Unknown(_)) => Ok(None),
        Err(ResumeError::Store(error)) => Err(error.into()),
    }
}

/// Executes the rebuilds requested by the console, one at a time, until cancelled.
pub(crate) async fn watch(app: AppState, stopping: CancellationToken) {
    let poll = app.settings.worker.poll.max(ASKED);
    while stopping
        .run_until_cancelled(tokio::time::sleep(poll))
        .await
        .is_some()
    {
        // An interrupted rebuild is recognised as such, and has changed nothing.
        let asked = stopping.run_until_cancelled(if_asked(&app)).await;
        if let Some(Err(error)) = asked {
            tracing::warn!(error = format!("{error:#}"), "a read model is not rebuilt");
        }
    }
}

async fn if_asked(app: &AppState) -> anyhow::Result<()> {
    let Some((name, act)) = app.store.take_asked_rebuild().await? else {
        return Ok(());
    };
    let known = projections::all()
        .into_iter()
        .find(|one| one.name() == name);
    let Some(projection) = known else {
        bail!("no read model is called {name}");
    };
    let rebuild = Rebuild::of(&app.store, projection);
    let done = match act.as_str() {
        "back" => rebuild.back().await?,
        _ => rebuild.run().await?,
    };
    tracing::info!(name, act, ?done, "a read model is rebuilt");
    Ok(())
}
