//! The sub-commands of `jangbu`.

use std::future::Future;
use std::io::Write as _;
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
    /// The settings file; default: JANGBU_CONFIG, or jangbu.toml if it exists.
    #[arg(long, global = true)]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Serves requests, and runs the background work unless disabled.
    Serve {
        /// Leave the background work to `jangbu worker`.
        #[arg(long)]
        no_worker: bool,
    },
    /// Runs the background work: read models, policies, deadlines.
    Worker,
    /// Migrates the tables of the log and the working state.
    Migrate,
    /// Simulates the payment gateway, for practice and tests; no money moves.
    Sandbox {
        /// Stops at the end of the standard input, when the parent process is gone.
        #[arg(long, hide = true)]
        with_parent: bool,
    },
    /// Fills an empty shop with products, members and some weeks of orders.
    Seed {
        /// 300 products, 200 members, 600 orders of ninety days.
        #[arg(long, conflicts_with = "orders")]
        large: bool,
        /// Add this many orders to an existing demonstration.
        #[arg(long)]
        orders: Option<usize>,
    },
    /// Starts everything for a demonstration: database, demo data, payment sandbox, shop.
    Demo {
        /// Fill an empty shop with the large demonstration: 300 products, 200 members, 600 orders of ninety days.
        #[arg(long)]
        large: bool,
    },
    /// Verifies that the log is unchanged, that every read model agrees with it and that the books balance; exits with code 1 if not.
    Verify {
        /// Verify the state at this position of the log.
        #[arg(long)]
        at: Option<i64>,
        /// A checkpoint of the chain kept elsewhere, which must still be in it; may be repeated.
        #[arg(long = "checkpoint", value_name = "MARK")]
        checkpoints: Vec<ChainCheckpoint>,
        /// Resume an interrupted verification, without repeating the verified parts.
        #[arg(long)]
        resume: bool,
        /// Also query the payment gateway for the order and the amount of every transaction.
        #[arg(long)]
        ask_payments: bool,
        /// Maximum queries to the payment gateway per second.
        #[arg(
            long,
            requires = "ask_payments",
            default_value = "5",
            value_name = "QUESTIONS"
        )]
        a_second: NonZeroU32,
    },
    /// Seals the settled part of the log into the chain, as the worker does every minute, and prints the newest checkpoint.
    Seal {
        /// Only print the public key that verifies the chain.
        #[arg(long)]
        public_key: bool,
        /// Continue a chain that is not the one seen before, after an older backup was restored.
        #[arg(long)]
        accept: bool,
    },
    /// Rebuilds a read model (or all, or the search index) beside the live one, while the shop is running.
    Rebuild {
        /// Its name; `all`; `search` for the search index.
        name: String,
        /// Number of segments built in parallel; default: the number of cores, at most four.
        #[arg(long, conflicts_with_all = ["back", "drop"])]
        segments: Option<u32>,
        /// Return to the state before the last rebuild, which is kept until the next one.
        #[arg(long, conflicts_with = "drop")]
        back: bool,
        /// Drop the kept state.
        #[arg(long)]
        drop: bool,
    },
    /// Resumes a read model or policy that stopped or holds streams back, once the cause is fixed.
    Resume {
        /// Its name.
        name: String,
    },
    /// Backs up the whole shop except the keys of personal data into a new file, while the shop is running.
    Backup {
        /// The file to create.
        file: PathBuf,
    },
    /// Restores a backup into an empty database and this data folder, and rebuilds the read models.
    Restore {
        /// The file of the backup.
        file: PathBuf,
    },
    /// Manages the keys of personal data.
    Keys {
        #[command(subcommand)]
        what: KeyWork,
    },
    /// Erases a member's personal data permanently; the records of their orders are kept for the statutory period.
    Forget {
        /// Id or sign-in name.
        member: String,
    },
    /// Adds or removes scopes of a member: `console` for the back office, `company` for selling. Without either, prints their scopes.
    Staff {
        /// Id or sign-in name.
        #[arg(required_unless_present = "list")]
        member: Option<String>,
        /// A scope to add, `console` or `company`; may be repeated.
        #[arg(long = "scope", value_name = "SCOPE", value_parser = staff::scope)]
        give: Vec<Scope>,
        /// A scope to remove; may be repeated.
        #[arg(long, value_name = "SCOPE", value_parser = staff::scope)]
        take: Vec<Scope>,
        /// The reason, for the history.
        #[arg(long)]
        reason: Option<String>,
        /// List all members with a scope.
        #[arg(long, conflicts_with_all = ["member", "give", "take", "reason"])]
        list: bool,
    },
    /// Lists automatic commands that were refused.
    Refusals,
    /// Prints the history of an entity from the log (who, when, why) and its state.
    History {
        /// Kind of entity.
        of: Subject,
        /// Id of the entity; for an order also its number, for a member also the sign-in name.
        id: String,
        /// Up to a position of the log, a time (RFC 3339) or the end of a day in Seoul (YYYY-MM-DD).
        #[arg(long)]
        at: Option<String>,
        /// The differences between two such points in time.
        #[arg(long, num_args = 2, value_names = ["A", "B"], conflicts_with = "at")]
        diff: Option<Vec<String>>,
        /// Print the causation tree instead.
        #[arg(long, conflicts_with = "diff")]
        causes: bool,
        /// For an entity that is part of many orders: skip this many orders, newest first.
        #[arg(long, requires = "causes", default_value_t = 0, value_name = "ORDERS")]
        skip: i64,
    },
    /// Explains an amount: the events and rules it results from.
    Explain {
        /// Kind of entity.
        of: Explainable,
        /// Id of the entity; for an order also its number, for a member's points also the sign-in name.
        id: String,
        /// Name of the amount, e.g. `payable`; without it they are listed.
        amount: Option<String>,
    },
    /// Writes a range of the log to the standard output, personal data masked.
    Export {
        /// After this position.
        #[arg(long, default_value_t = 0)]
        from: i64,
        /// Up to and including this position; default: all that has settled.
        #[arg(long)]
        to: Option<i64>,
        /// Only streams of this kind, e.g. `order`.
        #[arg(long)]
        kind: Option<String>,
        /// Output format.
        #[arg(long, value_enum, default_value = "jsonl")]
        format: Format,
    },
    /// Creates or replaces the views and the role for analysts (docs/analyst.md).
    Analyst,
    /// Runs the embedded Postgres and prints its connection URL, for psql and tests.
    #[command(hide = true)]
    Postgres,
}

#[derive(Debug, Subcommand)]
enum KeyWork {
    /// Wraps all keys with a new master key. Stop `serve` and `worker` before, start them again after.
    Rotate,
    /// Backs up all keys, wrapped with the master key, into a new file.
    Backup {
        /// The file to create.
        file: PathBuf,
    },
    /// Restores keys from a backup, except those of erased members. The shop may keep running.
    Restore {
        /// The file of the backup.
        file: PathBuf,
        /// The secrets.toml of the time of the backup, if the master key has changed since.
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

/// Opens the configured database, runs the work on a runtime, and stops the embedded database if it was started here. The database is
/// opened before the runtime starts and stopped after the runtime has ended, so that no work loses its connection.
///
/// # Errors
/// The database does not open; errors of the work.
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

/// The embedded search index belongs to the process that serves requests, so a worker has none.
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
    let mail = listen(settings.sandbox.smtp_address).await?;
    let (url, mail_url) = (listener.local_addr()?, mail.local_addr()?);
    let told = format!(
        "{} at http://{url}\nmail at smtp://{mail_url}\n",
        sandbox::NAME
    );
    // In one write: who reads the first line only may close the pipe after it.
    std::io::stdout().write_all(told.as_bytes())?;
    sandbox.take_mail(mail);
    sandbox.serve(listener, stop).await?;
    Ok(())
}

/// Returns at the end of the standard input. It is read on a separate thread: the runtime would wait for its own threads at shutdown.
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

/// Waits for Ctrl-C or a termination signal.
///
/// # Errors
/// Signal handlers cannot be installed.
pub(crate) async fn told_to_stop() -> anyhow::Result<()> {
    stop_signal()?.await;
    Ok(())
}

/// Listens for Ctrl-C and termination signals from now on; completes at the first one.
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
    // Postgres' notices ("already exists, skipping") are not useful.
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
