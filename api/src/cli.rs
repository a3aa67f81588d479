//! The sub-commands of `jangbu`.

use std::future::Future;
use std::io::{IsTerminal, stderr};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};
use demo::{SeedOutcome, Size};
use domain::member::Scope;
use event_store::{ChainCheckpoint, Store, StoreOptions};
use sandbox::Sandbox;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

use crate::app::{self, AppBuilder};
use crate::audit::explain::{self, Explainable};
use crate::audit::export::{self, Format, Range};
use crate::audit::story::Subject;
use crate::audit::{forget, history, rotate, seal, verify};
use crate::backup;
use crate::database::Database;
use crate::demonstration;
use crate::metrics;
use crate::rebuild::{self, Act};
use crate::refusals;
use crate::serve::{Duty, listen, raise_open_files, serve};
use crate::settings::{LogFormat, Settings};
use crate::users::staff::{self, Wish};
use crate::worker;

/// The account book of a shop.
#[derive(Debug, Parser)]
#[command(name = "jangbu", version)]
struct Cli {
    /// The settings file; otherwise JANGBU_CONFIG, otherwise jangbu.toml if there is one.
    #[arg(long, global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answers requests, and does the background work unless told otherwise.
    Serve {
        /// Leave the background work to `jangbu worker`.
        #[arg(long)]
        no_worker: bool,
    },
    /// Does the background work: read models, policies, deadlines.
    Worker,
    /// Brings the tables of the log and the working state up to date.
    Migrate,
    /// Imitates the payment service, for practice and tests; no money moves.
    Sandbox {
        /// Ends when its standard input does: whoever started it is gone.
        #[arg(long, hide = true)]
        with_parent: bool,
    },
    /// Fills an empty shop with goods, people and some weeks of orders.
    Seed {
        /// Three hundred products, two hundred members, six hundred orders of ninety days.
        #[arg(long, conflicts_with = "orders")]
        large: bool,
        /// Make this many more orders in a demonstration that is there already.
        #[arg(long)]
        orders: Option<usize>,
    },
    /// Everything at once, to look at: database, demo data, payment sandbox, shop.
    Demo {
        /// Fill an empty shop with the large demonstration: 300 products, 200 members, 600 orders of ninety days.
        #[arg(long)]
        large: bool,
    },
    /// Proves that nobody changed the log, that every read model equals it and that the books balance; ends with code 1 if not.
    Verify {
        /// As everything was at this position of the log.
        #[arg(long)]
        at: Option<i64>,
        /// A mark of the chain kept elsewhere, which has to be in it still; may be given several times.
        #[arg(long = "checkpoint", value_name = "MARK")]
        checkpoints: Vec<ChainCheckpoint>,
        /// Go on where a verification was cut off: what it had found right is not done again.
        #[arg(long)]
        resume: bool,
        /// Ask the payment service too, by its id, whose order every transaction is and what was charged.
        #[arg(long)]
        ask_payments: bool,
        /// Questions to the payment service a second at most.
        #[arg(
            long,
            requires = "ask_payments",
            default_value = "5",
            value_name = "QUESTIONS"
        )]
        a_second: NonZeroU32,
    },
    /// Seals what has settled of the log into the chain, as the worker does every minute, and prints its newest mark.
    Seal {
        /// Only print the key others check the chain with.
        #[arg(long)]
        public_key: bool,
        /// Go on with a chain that is not the one seen before: after an older backup was restored.
        #[arg(long)]
        accept: bool,
    },
    /// Builds a read model (or all, or the search index) anew beside the live one, while the shop goes on.
    Rebuild {
        /// Its name; `all`; `search` for the search index.
        name: String,
        /// Parts that are built side by side; otherwise as many as there are cores, four at most.
        #[arg(long, conflicts_with_all = ["back", "drop"])]
        segments: Option<u32>,
        /// Return to what it was before the last rebuild, which is kept until the next one.
        #[arg(long, conflicts_with = "drop")]
        back: bool,
        /// Drop what is kept of it.
        #[arg(long)]
        drop: bool,
    },
    /// Sets a read model or policy going again that stopped or holds streams back, once the cause is gone.
    Resume {
        /// Its name.
        name: String,
    },
    /// Writes all of the shop but the keys of personal data into one new file, while it goes on.
    Backup {
        /// The file to make.
        file: PathBuf,
    },
    /// Brings a backup into an empty database and this data folder, and makes the read models anew.
    Restore {
        /// The file of the backup.
        file: PathBuf,
    },
    /// Looks after the keys of personal data.
    Keys {
        #[command(subcommand)]
        what: KeyWork,
    },
    /// Forgets a member: nobody can read any more who they were; their orders' records stay as long as the law wants them.
    Forget {
        /// Their id or sign-in name.
        member: String,
    },
    /// Gives a member scopes, or takes them: `console` lets them into the back office, `company` sell. Without either it says what they have.
    Staff {
        /// Their id or sign-in name.
        #[arg(required_unless_present = "list")]
        member: Option<String>,
        /// A scope they get, `console` or `company`; may be given several times.
        #[arg(long = "scope", value_name = "SCOPE", value_parser = staff::scope)]
        give: Vec<Scope>,
        /// A scope they lose; may be given several times.
        #[arg(long, value_name = "SCOPE", value_parser = staff::scope)]
        take: Vec<Scope>,
        /// Why, for the history.
        #[arg(long)]
        reason: Option<String>,
        /// Lists all who have a scope.
        #[arg(long, conflicts_with_all = ["member", "give", "take", "reason"])]
        list: bool,
    },
    /// Lists what the shop would have done by itself and was refused.
    Refusals,
    /// Tells what happened to something, from the log: who, when, why; and how it was.
    History {
        /// What.
        of: Subject,
        /// Which one: its id; of an order also its number, of a member also the sign-in name.
        id: String,
        /// Up to a position of the log, a time (RFC 3339) or the end of a Seoul day (YYYY-MM-DD).
        #[arg(long)]
        at: Option<String>,
        /// What is different between two such moments.
        #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "at")]
        diff: Option<Vec<String>>,
        /// What led to what instead, drawn as a tree.
        #[arg(long, conflicts_with = "diff")]
        causes: bool,
        /// Of what was part of many orders: after that many, the newest first.
        #[arg(long, requires = "causes", default_value_t = 0, value_name = "ORDERS")]
        skip: i64,
    },
    /// Tells why an amount is what it is: the events and rules that made it.
    Explain {
        /// Of what.
        of: Explainable,
        /// Which one: its id; of an order also its number, of a member's points also the sign-in name.
        id: String,
        /// Which amount, e.g. `payable`; without it they are listed.
        amount: Option<String>,
    },
    /// Writes a range of the log to the standard output, personal data masked.
    Export {
        /// After this position.
        #[arg(long, default_value_t = 0)]
        from: i64,
        /// Up to and including this position; otherwise all that has settled.
        #[arg(long)]
        to: Option<i64>,
        /// Of streams of this kind only, e.g. `order`.
        #[arg(long)]
        kind: Option<String>,
        /// How it is written.
        #[arg(long, value_enum, default_value = "jsonl")]
        format: Format,
    },
    /// Makes the views and the role for analysts, or makes them anew (docs/analyst.md).
    Analyst,
    /// Runs the embedded Postgres and prints its address, for psql and tests.
    #[command(hide = true)]
    Postgres,
}

#[derive(Debug, Subcommand)]
enum KeyWork {
    /// Wraps all keys by a new master key. Stop `serve` and `worker` before, start them again after.
    Rotate,
    /// Writes all keys, wrapped by the master key as they are, into one new file.
    Backup {
        /// The file to make.
        file: PathBuf,
    },
    /// Brings keys back from their backup, but those of nobody who was forgotten. The shop may go on meanwhile.
    Restore {
        /// The file of the backup.
        file: PathBuf,
        /// The secrets.toml of the time the backup was made, if the master key was changed since.
        #[arg(long, value_name = "FILE")]
        wrapped_by: Option<PathBuf>,
    },
}

/// Runs the sub-command of the command line.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("jangbu: {error:#}");
            ExitCode::FAILURE
        }
    }
}

impl Cli {
    fn run(self) -> anyhow::Result<()> {
        let config = self.config.clone();
        let settings = Settings::of_process(self.config)?;
        start_log(&settings)?;
        raise_open_files();
        match self.command {
            Command::Serve { no_worker } => {
                let duty = if no_worker || !settings.worker.inside_serve {
                    Duty::Requests
                } else {
                    Duty::RequestsAndWork
                };
                with_database(&settings, async |url| run_serve(&settings, url, duty).await)
            }
            Command::Worker => {
                with_database(&settings, async |url| run_worker(&settings, url).await)
            }
            Command::Migrate => with_database(&settings, async |url| {
                app::migrate(&Store::connect(url, StoreOptions::default()).await?).await
            }),
            Command::Seed {
                orders: Some(count),
                ..
            } => with_database(&settings, async |url| {
                let began = Instant::now();
                demonstration::orders_with_sandbox(count, &settings, config.as_deref(), url)
                    .await?;
                println!(
                    "주문 {count}건을 {:.1?} 동안 만들었습니다.",
                    began.elapsed()
                );
                Ok(())
            }),
            Command::Seed { large, .. } => with_database(&settings, async |url| {
                let size = size_of(large);
                let began = Instant::now();
                match demonstration::seed_with_sandbox(size, &settings, config.as_deref(), url)
                    .await?
                {
                    SeedOutcome::Filled => {
                        println!("데모 데이터를 모두 넣었습니다. ({:.1?})", began.elapsed())
                    }
                    SeedOutcome::NotEmpty => println!("이미 기록이 있어 아무것도 넣지 않았습니다."),
                }
                Ok(())
            }),
            Command::Demo { large } => with_database(&settings, async |url| {
                let stop = stop_signal()?;
                demonstration::demo(size_of(large), &settings, config.as_deref(), url, stop).await
            }),
            Command::Verify {
                at,
                checkpoints,
                resume,
                ask_payments,
                a_second,
            } => with_database(&settings, async |url| {
                let store = Store::connect(url, StoreOptions::default()).await?;
                let store = app::in_our_words(store);
                let keys = app::keys(&store, &settings).await?;
                let request = verify::VerifyRequest {
                    at,
                    marks: checkpoints,
                    resume,
                    ask_payments: ask_payments.then_some(a_second),
                };
                verify::run(&store, &settings, &keys, request).await
            }),
            Command::Seal {
                public_key: true, ..
            } => {
                println!("{}", seal::keys(&settings)?.0.public());
                Ok(())
            }
            Command::Seal { accept, .. } => with_database(&settings, async |url| {
                let store = Store::connect(url, StoreOptions::default()).await?;
                app::migrate(&store).await?;
                seal::run(&store, &settings, accept).await
            }),
            Command::Backup { file } => with_database(&settings, async |url| {
                backup::backup_from_terminal(&settings, url, &file).await
            }),
            Command::Restore { file } => with_database(&settings, async |url| {
                backup::restore_from_terminal(&settings, url, &file).await
            }),
            Command::Keys {
                what: KeyWork::Backup { file },
            } => with_database(&settings, async |url| {
                backup::backup_keys_from_terminal(&settings, url, &file).await
            }),
            Command::Keys {
                what: KeyWork::Restore { file, wrapped_by },
            } => with_database(&settings, async |url| {
                let wrapped_by = wrapped_by.as_deref();
                backup::restore_keys_from_terminal(&settings, url, &file, wrapped_by).await
            }),
            Command::Keys {
                what: KeyWork::Rotate,
            } => with_database(&settings, async |url| {
                let store = Store::connect(url, StoreOptions::default()).await?;
                app::migrate(&store).await?;
                println!("{}", rotate::run(&store, &settings).await?);
                Ok(())
            }),
            Command::Forget { member } => with_database(&settings, async |url| {
                let app = AppBuilder::new(settings.clone(), url)
                    .without_search()
                    .build()
                    .await?;
                println!("{}", forget::run(&app, &member).await?);
                Ok(())
            }),
            Command::Staff {
                member,
                give,
                take,
                reason,
                ..
            } => with_database(&settings, async |url| {
                let app = AppBuilder::new(settings.clone(), url)
                    .without_search()
                    .build()
                    .await?;
                let told = match member {
                    Some(member) => staff::run(&app, &member, Wish { give, take, reason }).await?,
                    None => staff::list(&app).await?,
                };
                println!("{told}");
                Ok(())
            }),
            Command::Refusals => with_database(&settings, async |url| {
                let store = Store::connect(url, StoreOptions::default()).await?;
                println!("{}", refusals::report(&store).await?);
                Ok(())
            }),
            Command::Explain { of, id, amount } => with_database(&settings, async |url| {
                let app = AppBuilder::new(settings.clone(), url)
                    .without_search()
                    .build()
                    .await?;
                println!(
                    "{}",
                    explain::explanation_text(&app, of, &id, amount.as_deref()).await?
                );
                Ok(())
            }),
            Command::History {
                of,
                id,
                at,
                diff,
                causes,
                skip,
            } => with_database(&settings, async |url| {
                let app = AppBuilder::new(settings.clone(), url)
                    .without_search()
                    .build()
                    .await?;
                if causes {
                    let chain = history::chain(&app, of, &id, at.as_deref(), skip).await?;
                    println!("{chain}");
                    return Ok(());
                }
                let between = match diff.as_deref() {
                    Some([from, to]) => Some((from.as_str(), to.as_str())),
                    _ => None,
                };
                println!(
                    "{}",
                    history::of(&app, of, &id, at.as_deref(), between).await?
                );
                Ok(())
            }),
            Command::Export {
                from,
                to,
                kind,
                format,
            } => with_database(&settings, async |url| {
                let store = Store::connect(url, StoreOptions::default()).await?;
                let range = Range {
                    after: from,
                    up_to: to.unwrap_or(i64::MAX),
                    kind,
                };
                let out = std::io::BufWriter::new(std::io::stdout().lock());
                let count = export::run(&store, &range, format, out).await?;
                eprintln!("기록 {count}건");
                Ok(())
            }),
            Command::Analyst => with_database(&settings, async |url| {
                let store = Store::connect(url, StoreOptions::default()).await?;
                projections::reporting_views::make(store.pool()).await?;
                println!("{}", projections::reporting_views::ROLE);
                Ok(())
            }),
            Command::Rebuild {
                name,
                segments,
                back,
                drop,
            } => with_database(&settings, async |url| {
                let act = match (back, drop) {
                    (true, _) => Act::Back,
                    (_, true) => Act::Drop,
                    _ => Act::Rebuild(segments),
                };
                rebuild::from_terminal(&settings, url, &name, act).await
            }),
            Command::Resume { name } => with_database(&settings, async |url| {
                rebuild::resume_from_terminal(&settings, url, &name).await
            }),
            Command::Sandbox { with_parent } => {
                Runtime::new()?.block_on(run_sandbox(&settings, with_parent))
            }
            Command::Postgres => with_database(&settings, async |url| {
                println!("{url}");
                told_to_stop().await
            }),
        }
    }
}

const fn size_of(large: bool) -> Size {
    match large {
        true => Size::Large,
        false => Size::Small,
    }
}

/// Opens the database the settings name, does the work on a runtime, and stops the database when it is ours. It is
/// opened before the runtime starts and stopped after the runtime has ended, so that no work is cut off from it.
///
/// # Errors
/// When the database does not open; the work's own error.
pub fn with_database<T>(
    settings: &Settings,
    work: impl AsyncFnOnce(&str) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let database = Database::open(settings)?;
    let done = Runtime::new()
        .map_err(Into::into)
        .and_then(|runtime| runtime.block_on(work(database.url())));
    database.stop();
    done
}

async fn run_serve(settings: &Settings, database: &str, duty: Duty) -> anyhow::Result<()> {
    let stop = stop_signal()?;
    let app = AppBuilder::new(settings.clone(), database).build().await?;
    let listener = listen(settings.server.address).await?;
    let stopping = CancellationToken::new();
    let _stop_at_end = stopping.clone().drop_guard();
    metrics::listen(app.clone(), metrics::Search::Here, stopping).await?;
    println!("Jangbu at http://{}", listener.local_addr()?);
    serve(app, listener, duty, stop).await
}

/// The index inside the program belongs to the process that answers requests, so a worker has none.
async fn run_worker(settings: &Settings, database: &str) -> anyhow::Result<()> {
    let stop = stop_signal()?;
    let app = AppBuilder::new(settings.clone(), database)
        .without_search()
        .build()
        .await?;
    let stopping = CancellationToken::new();
    let _stop_at_end = stopping.clone().drop_guard();
    metrics::listen(app.clone(), metrics::Search::Elsewhere, stopping.clone()).await?;
    let working = worker::work(app, stopping.clone());
    tokio::pin!(working);
    tokio::select! {
        ended = &mut working => ended,
        () = stop => {
            stopping.cancel();
            working.await
        }
    }
}

async fn run_sandbox(settings: &Settings, with_parent: bool) -> anyhow::Result<()> {
    let asked = stop_signal()?;
    let stop = async move {
        tokio::select! {
            () = asked => {}
            () = parent_gone(), if with_parent => {}
        }
    };
    let sandbox = Sandbox::open(settings.sandbox_options())?;
    let listener = listen(settings.sandbox.address).await?;
    println!("{} at http://{}", sandbox::NAME, listener.local_addr()?);
    sandbox.serve(listener, stop).await?;
    Ok(())
}

/// Ends with the standard input. A thread of its own reads it: the runtime would wait for one of its own when it ends.
async fn parent_gone() {
    let (gone, heard) = tokio::sync::oneshot::channel();
    std::thread::spawn(move || {
        drop(std::io::copy(
            &mut std::io::stdin().lock(),
            &mut std::io::sink(),
        ));
        gone.send(()).ok();
    });
    drop(heard.await);
}

/// Waits for Ctrl-C or a request to end.
///
/// # Errors
/// When signals cannot be listened for.
pub(crate) async fn told_to_stop() -> anyhow::Result<()> {
    stop_signal()?.await;
    Ok(())
}

/// Listens for Ctrl-C and requests to end from now on; ends at the first.
fn stop_signal() -> std::io::Result<impl Future<Output = ()> + Send + 'static> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

fn start_log(settings: &Settings) -> anyhow::Result<()> {
    // Postgres' notices ("already exists, skipping") help nobody.
    let filter = EnvFilter::try_new(&settings.log.level)?
        .add_directive("sqlx::postgres::notice=warn".parse()?);
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(stderr().is_terminal())
        .with_writer(stderr);
    match settings.log.format {
        LogFormat::Text => log.init(),
        LogFormat::Json => log.json().init(),
    }
    Ok(())
}
