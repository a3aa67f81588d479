//! Feeds changes of the read model `search_documents` to the search engine, and rebuilds its index on request.
//!
//! It runs where the engine is: for the embedded engine in the process that serves requests; of the processes that share a search server,
//! one at a time holds the feeding right. An engine stores the position up to which it was fed, and documents have their positions, so
//! feeding them again is harmless.

use application::due_timer::DueTimer;
use application::members::profiles::nicknames;
use std::collections::HashMap;
use std::time::Duration;

use anyhow::{Context as _, bail};
use domain::ids::{MemberId, ProductId};
use domain::storefront::Brand;
use event_store::WaitOutcome;
use projections::products::{self, ProductFilter};
use projections::search_documents::{self, ChangedDocument, changed_documents, count_documents};
use projections::state::search_rebuilds::{self as rebuilds, FeedingRight, Pace};
use projections::{members, records, reviews};
use search_index::{ProductDocument, Removal};
use serde_json::{Value, json};
use time::OffsetDateTime;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::app::{AppBuilder, AppState, engine};
use crate::http::AppResult;
use crate::http::consistency::PATIENCE;
use crate::settings::Settings;

/// Documents per batch.
const AT_ONCE: i64 = 500;
/// Pause after a failure: initial and maximum.
const PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// Interval between checks for requested rebuilds.
const ROUND: Duration = Duration::from_secs(2);
/// Maximum wait until a running shop starts a requested rebuild.
const BEGINS_WITHIN: Duration = Duration::from_secs(15);
/// Polling interval for progress.
const WATCH: Duration = Duration::from_millis(500);

/// Feeds the engine of this process, and rebuilds its index on request, until cancelled.
pub async fn run(app: AppState, stopping: CancellationToken) {
    let mut pause = PAUSES.0;
    let mut feeder = Feeder {
        right: None,
        looked: Instant::now(),
        timer: DueTimer::new(&app.store, &[search_documents::NAME]),
    };
    while let Some(fed) = stopping.run_until_cancelled(feeder.work(&app)).await {
        let rest = match fed {
            Ok(fed) => {
                pause = PAUSES.0;
                if fed == 0 {
                    app.settings.worker.poll
                } else {
                    Duration::ZERO
                }
            }
            Err(error) => {
                tracing::warn!(?error, "the search engine is not fed");
                let rest = pause;
                pause = PAUSES.1.min(pause * 2);
                rest
            }
        };
        if stopping.run_until_cancelled(sleep(rest)).await.is_none() {
            return;
        }
    }
}

/// What the feeding remembers between its rounds.
struct Feeder {
    right: Option<FeedingRight>,
    looked: Instant,
    timer: DueTimer,
}

impl Feeder {
    /// Executes the pending work, unless the engine is shared and another process holds the right.
    async fn work(&mut self, app: &AppState) -> AppResult<usize> {
        // A shared engine is fed by the primary's processes, and taking a request is a write.
        let standby = app.standby.is();
        if app.search.is_shared() && (standby || !has_right(app, &mut self.right).await?) {
            return Ok(0);
        }
        if !standby && self.looked.elapsed() >= ROUND {
            self.looked = Instant::now();
            if app.search.position().await? > app.store.head().await? {
                tracing::warn!(
                    "the search index is ahead of the log, which was restored: it is built anew"
                );
                rebuild(app, Watcher::GoneBack).await?;
            }
            rebuild_if_asked(app).await?;
        }
        // Documents that this process does not write itself move unseen.
        let moves_here = app
            .store
            .progress()
            .borrow()
            .contains_key(search_documents::NAME);
        if moves_here && !self.timer.is_time(app.clock.now()) {
            return Ok(0);
        }
        let fed = feed(app).await?;
        self.timer.saw(fed > 0, None);
        Ok(fed)
    }
}

async fn has_right(app: &AppState, right: &mut Option<FeedingRight>) -> AppResult<bool> {
    if let Some(held) = right {
        if held.is_held().await {
            return Ok(true);
        }
        *right = None;
    }
    *right = FeedingRight::take(app.pool(), &app.settings.search_target()).await?;
    Ok(right.is_some())
}

/// Feeds the changes since the engine's position; returns their number.
///
/// # Errors
/// Errors of the database or the engine.
pub async fn feed(app: &AppState) -> AppResult<usize> {
    let after = app.search.position().await?;
    let Some(changes) = Changes::after(app, after).await? else {
        return Ok(0);
    };
    let fed = changes
        .documents
        .len()
        .saturating_add(changes.removals.len());
    app.search.upsert(changes.documents).await?;
    app.search.remove(changes.removals).await?;
    app.search.commit(changes.last).await?;
    Ok(fed)
}

/// A batch of changes for an engine.
struct Changes {
    documents: Vec<ProductDocument>,
    removals: Vec<Removal>,
    /// The position of the last change.
    last: i64,
}

impl Changes {
    /// The next changes after a position, if there are any.
    async fn after(app: &AppState, position: i64) -> AppResult<Option<Self>> {
        let changes = changed_documents(app.pool(), position, AT_ONCE).await?;
        let Some(last) = changes.last().map(|change| change.position) else {
            return Ok(None);
        };
        // The lookups are correct only when their read models have reached this position.
        let named = [members::NAME, records::NAME, products::NAME, reviews::NAME];
        match app.store.wait_for(&named, last, PATIENCE).await? {
            WaitOutcome::Reached(_) => {}
            WaitOutcome::Stale(_) => return Ok(None),
        }
        let lookups = Lookups::of(app, &changes).await?;
        let (mut documents, mut removals) = (Vec::new(), Vec::new());
        for change in changes {
            match document(change, &lookups)? {
                Ok(document) => documents.push(document),
                Err(removal) => removals.push(removal),
            }
        }
        Ok(Some(Self {
            documents,
            removals,
            last,
        }))
    }
}

/// Lookups for a batch of documents: records they refer to by id or code, and data of their products from other read models.
struct Lookups {
    sellers: HashMap<MemberId, String>,
    brands: HashMap<String, String>,
    /// The seasons in which one piece of a product ships for free on the mainland.
    free_in: HashMap<ProductId, Vec<String>>,
    reviews: HashMap<ProductId, i64>,
}

impl Lookups {
    async fn of(app: &AppState, changes: &[ChangedDocument]) -> AppResult<Self> {
        let ids: Vec<ProductId> = changes.iter().map(|change| change.product).collect();
        let stars = reviews::stars(app.pool(), &ids).await?;
        let those = ProductFilter {
            ids: Some(ids),
            hidden_too: true,
            ..ProductFilter::default()
        };
        Ok(Self {
            sellers: nicknames(app, changes.iter().map(|change| change.seller)).await?,
            brands: brands(app).await?,
            free_in: products::free_in(app.pool(), &those, app.clock.now()).await?,
            reviews: stars.iter().map(|own| (own.product, own.count)).collect(),
        })
    }
}

/// Names of brands by code: the name, and the one in Latin letters.
async fn brands(app: &AppState) -> AppResult<HashMap<String, String>> {
    let brands = records::all::<Brand>(app.pool()).await?.into_iter();
    let named = brands.map(|found| {
        let Brand {
            code,
            name,
            name_en,
            ..
        } = found.data;
        (code, [name, name_en.unwrap_or_default()].join(" "))
    });
    Ok(named.collect())
}

/// The document with the looked-up data, or its removal.
fn document(
    change: ChangedDocument,
    lookups: &Lookups,
) -> AppResult<Result<ProductDocument, Removal>> {
    let Some(mut document) = change.document else {
        return Ok(Err(Removal {
            id: change.product.0,
            position: change.position,
        }));
    };
    if let Value::Object(fields) = &mut document {
        let seller = lookups.sellers.get(&change.seller);
        fields.insert("sellerName".to_owned(), json!(seller));
        let brand = fields.get("brand").and_then(Value::as_str);
        if let Some(name) = brand.and_then(|code| lookups.brands.get(code)) {
            fields.insert("brand".to_owned(), json!(name));
        }
        let free_in = lookups.free_in.get(&change.product);
        fields.insert(
            "freeIn".to_owned(),
            json!(free_in.into_iter().flatten().collect::<Vec<_>>()),
        );
        let reviews = lookups.reviews.get(&change.product).copied().unwrap_or(0);
        fields.insert("reviews".to_owned(), json!(reviews));
    }
    Ok(Ok(serde_json::from_value(document)?))
}

/// Receiver of the progress of a rebuild.
enum Watcher {
    /// The request of this rebuild.
    Asked(Uuid),
    /// The terminal of this process, with the start time.
    Terminal(OffsetDateTime),
    /// None: the log was restored to a position before the index.
    GoneBack,
}

impl Watcher {
    async fn tell(&self, app: &AppState, done: i64, total: i64) -> AppResult<()> {
        match self {
            Self::Asked(id) => rebuilds::advance(app.pool(), *id, done, total).await?,
            Self::Terminal(since) => {
                let pace = Pace::of(done, total, app.clock.now() - *since);
                println!("{}", progress(done, total, pace));
            }
            Self::GoneBack => {}
        }
        Ok(())
    }
}

/// The progress of a rebuild as text.
fn progress(done: i64, total: i64, Pace { rate, seconds_left }: Pace) -> String {
    let left = seconds_left.map_or(String::new(), |left| format!(", {left}초 남음"));
    format!("상품 {done}/{total}, 초당 {rate}개{left}")
}

/// Rebuilds the index beside the live one and replaces it; searches continue meanwhile. Returns the number of documents.
async fn rebuild(app: &AppState, watcher: Watcher) -> AppResult<i64> {
    let building = app.search.rebuild().await?;
    let total = count_documents(app.pool()).await?;
    let (mut position, mut done) = (0, 0_i64);
    watcher.tell(app, done, total).await?;
    while let Some(changes) = Changes::after(app, position).await? {
        position = changes.last;
        // A new index has no removed documents.
        done = done.saturating_add(i64::try_from(changes.documents.len()).unwrap_or(0));
        building.upsert(changes.documents).await?;
        watcher.tell(app, done, total.max(done)).await?;
        // The live index is kept current meanwhile; changes are fed to both.
        feed(app).await?;
    }
    match watcher {
        Watcher::GoneBack => building.swap_back(position).await?,
        Watcher::Asked(_) | Watcher::Terminal(_) => building.swap(position).await?,
    }
    Ok(done)
}

async fn rebuild_if_asked(app: &AppState) -> AppResult<()> {
    let target = app.settings.search_target();
    let Some(id) = rebuilds::take(app.pool(), &target, app.clock.now()).await? else {
        return Ok(());
    };
    let done = rebuild(app, Watcher::Asked(id)).await;
    let error = done.as_ref().err().map(|error| format!("{error:?}"));
    rebuilds::end(app.pool(), id, app.clock.now(), error.as_deref()).await?;
    done.map(|_| ())
}

/// `jangbu rebuild search`: executed by the running shop if there is one, otherwise by this process.
///
/// # Errors
/// Errors of the database or the engine; the live index stays then.
pub async fn rebuild_from_outside(settings: &Settings, database: &str) -> anyhow::Result<()> {
    let outside = AppBuilder::new(settings.clone(), database)
        .without_search()
        .build()
        .await?;
    let id = Uuid::now_v7();
    rebuilds::ask(
        outside.pool(),
        id,
        &settings.search_target(),
        outside.clock.now(),
    )
    .await?;
    let asked = Instant::now();
    loop {
        let now = rebuilds::find(outside.pool(), id).await?;
        let now = now.context("the request is gone")?;
        match now.error {
            Some(error) => bail!("the running shop gave the rebuild up: {error}"),
            None if now.ended_at.is_some() => {
                println!("검색 색인을 새로 만들었습니다: 상품 {}개", now.done);
                return Ok(());
            }
            None if now.began_at.is_some() => {
                let pace = now.pace(outside.clock.now());
                println!("{}", progress(now.done, now.total, pace));
            }
            None if asked.elapsed() > BEGINS_WITHIN => break,
            None => {}
        }
        sleep(WATCH).await;
    }
    if !rebuilds::withdraw(outside.pool(), id).await? {
        bail!("the running shop began just now; it goes on by itself");
    }
    // No other process has the index open, so this process rebuilds it.
    let app = AppBuilder::new(settings.clone(), database)
        .search(engine(settings).await.context("the search index")?)
        .build()
        .await?;
    let done = rebuild(&app, Watcher::Terminal(app.clock.now())).await?;
    println!("검색 색인을 새로 만들었습니다: 상품 {done}개");
    Ok(())
}
