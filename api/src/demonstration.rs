//! `jangbu demo`: starts everything for a demonstration. The database, products and orders if there are none, the payment sandbox as a
//! separate process, the shop and its background work; all of them end with this process.

use std::cell::OnceCell;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use demo::people::ACCOUNTS;
use demo::{Progress, SeedOutcome, Size};
use indicatif::{ProgressBar, ProgressStyle};
use tokio::process::{Child, Command};
use tokio_util::sync::CancellationToken;

use crate::app::AppBuilder;
use crate::metrics;
use crate::seed;
use crate::serve::{Duty, listen, serve};
use crate::settings::{Settings, is_local};

/// Maximum wait for the sandbox to respond.
const PATIENCE: Duration = Duration::from_secs(10);
/// Polling interval.
const AGAIN: Duration = Duration::from_millis(50);

/// The payment sandbox as a child process; it ends when this is dropped. None if one was running already.
pub struct SandboxProcess(Option<Child>);

impl SandboxProcess {
    /// Starts it, unless one responds already.
    ///
    /// # Errors
    /// Another payment gateway is configured, or it does not respond in time.
    pub async fn start(settings: &Settings, config: Option<&Path>) -> anyhow::Result<Self> {
        if !is_local(&settings.payment.base_url) {
            bail!(
                "payment.base_url is {}, not the sandbox of this machine",
                settings.payment.base_url
            );
        }
        if answers(settings).await? {
            return Ok(Self(None));
        }
        let mut command = Command::new(std::env::current_exe()?);
        if let Some(config) = config {
            command.arg("--config").arg(config);
        }
        // In its own process group: Ctrl-C goes to the shop, which stops the sandbox at its own end.
        command.process_group(0);
        let child = command
            .args(["sandbox", "--with-parent"])
            // Never written to: the child ends when this process does, even if it is killed.
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn();
        let mut child = child.context("the payment sandbox")?;
        let started = tokio::time::Instant::now();
        while !answers(settings).await? {
            if let Some(status) = child.try_wait()? {
                bail!("the payment sandbox ended at once ({status})");
            }
            if started.elapsed() > PATIENCE {
                bail!(
                    "the payment sandbox does not answer at {}",
                    settings.payment.base_url
                );
            }
            tokio::time::sleep(AGAIN).await;
        }
        Ok(Self(Some(child)))
    }

    /// Configures it to send notices of deposits and refunds, and reports on texts, to this shop, unless it was started by another process or a notice URL is
    /// configured.
    async fn notify(&self, shop: SocketAddr, settings: &Settings) -> anyhow::Result<()> {
        if self.0.is_none() || settings.sandbox.notice_url.is_some() {
            return Ok(());
        }
        let url = format!("http://{shop}/api/plugins/nicepayments/notice");
        let reports = format!("http://{shop}/api/plugins/solapi/report");
        for (path, body) in [
            ("settings", serde_json::json!({ "noticeUrl": url })),
            ("texts/webhook", serde_json::json!({ "reportUrl": reports })),
        ] {
            reqwest::Client::new()
                .post(format!("{}/sandbox/{path}", settings.payment.base_url))
                .json(&body)
                .send()
                .await?
                .error_for_status()?;
        }
        Ok(())
    }
}

/// Whether a sandbox responds; another service at its address is an error.
async fn answers(settings: &Settings) -> anyhow::Result<bool> {
    let Ok(answer) = reqwest::get(format!("{}/", settings.payment.base_url)).await else {
        return Ok(false);
    };
    match answer.headers().get(reqwest::header::SERVER) {
        Some(name) if name == sandbox::NAME => Ok(true),
        _ => bail!(
            "something that is not the payment sandbox answers at {}",
            settings.payment.base_url
        ),
    }
}

/// Seeds while a payment sandbox is running.
///
/// # Errors
/// As [`seed::seed`].
pub(crate) async fn seed_with_sandbox(
    size: Size,
    settings: &Settings,
    config: Option<&Path>,
    database: &str,
) -> anyhow::Result<SeedOutcome> {
    let _sandbox = SandboxProcess::start(settings, config).await?;
    let line = ProgressLine::default();
    seed::seed(size, settings, database, |progress| line.show(progress)).await
}

/// Creates more orders while a payment sandbox is running.
///
/// # Errors
/// As [`seed::more_orders`].
pub(crate) async fn orders_with_sandbox(
    count: usize,
    settings: &Settings,
    config: Option<&Path>,
    database: &str,
) -> anyhow::Result<()> {
    let _sandbox = SandboxProcess::start(settings, config).await?;
    let line = ProgressLine::default();
    seed::more_orders(count, settings, database, |progress| line.show(progress)).await
}

/// Shows the progress: a line for each step, and a bar for the orders if the output is a terminal.
#[derive(Default)]
struct ProgressLine(OnceCell<ProgressBar>);

impl ProgressLine {
    fn show(&self, progress: Progress<'_>) {
        match progress {
            Progress::Part(part) => {
                if let Some(bar) = self.0.get() {
                    bar.finish();
                }
                println!("데모 데이터: {part}");
            }
            Progress::Order { number, total } => {
                let bar = self.0.get_or_init(|| bar_of(total));
                bar.set_position(u64::try_from(number).unwrap_or_default());
            }
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let Some(bar) = self.0.get() {
            bar.finish();
        }
    }
}

fn bar_of(orders: usize) -> ProgressBar {
    println!("데모 데이터: 주문 {orders}건");
    let style = ProgressStyle::with_template(
        "  {bar:40} {pos}/{len}  {per_sec}  {elapsed} 지남, {eta} 남음",
    );
    let bar = ProgressBar::new(u64::try_from(orders).unwrap_or_default());
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// Runs the demonstration until the stop signal; an empty shop is first filled with data of this size.
///
/// # Errors
/// The first component that does not start.
pub(crate) async fn demo(
    size: Size,
    settings: &Settings,
    config: Option<&Path>,
    database: &str,
    stop: impl Future<Output = ()> + Send,
) -> anyhow::Result<()> {
    let listener = listen(settings.server.address).await?;
    let sandbox = SandboxProcess::start(settings, config).await?;
    // Interrupted seeding could not be resumed, so a Ctrl-C in these seconds waits for its end.
    let line = ProgressLine::default();
    seed::seed(size, settings, database, |progress| line.show(progress)).await?;
    let app = AppBuilder::new(settings.demonstrating(), database)
        .build()
        .await?;
    if !projections::state::demo::is_one(app.pool()).await? {
        println!("{}", not_a_demo(settings));
    }
    sandbox.notify(listener.local_addr()?, settings).await?;
    println!(
        "{}",
        sign(listener.local_addr()?, &settings.payment.base_url)
    );
    let stopping = CancellationToken::new();
    let _stop_at_end = stopping.clone().drop_guard();
    metrics::listen(app.clone(), metrics::Search::Here, stopping).await?;
    serve(app, listener, Duty::RequestsAndWork, stop).await
}

/// The message for a shop with its own log.
fn not_a_demo(settings: &Settings) -> String {
    let folder = settings.data_folder.display();
    format!(
        "기록이 이미 있어 데모 데이터를 넣지 않았습니다. 데모로 시작하려면 {folder} 폴더를 비우고 다시 실행해 주세요."
    )
}

/// The message when the demonstration is ready.
fn sign(shop: SocketAddr, sandbox: &str) -> String {
    let rule = "─".repeat(58);
    let mut lines = vec![
        rule.clone(),
        "  장부 Jangbu 데모가 준비되었습니다".to_owned(),
        String::new(),
        format!("  쇼핑몰      http://{shop}/"),
        format!("  관리자      http://{shop}/console"),
        format!("  API 문서    http://{shop}/api/docs"),
        format!("  결제 모의   {sandbox}/ (실제로 결제되지 않습니다)"),
        format!("  받은 메일   {sandbox}/mails (실제로 보내지 않습니다)"),
        format!("  받은 문자   {sandbox}/texts (실제로 보내지 않습니다)"),
        String::new(),
        "  데모 계정 (아이디 / 비밀번호)".to_owned(),
    ];
    lines.extend(ACCOUNTS.iter().map(|account| {
        format!(
            "    {} / {}   {}",
            account.username, account.password, account.role
        )
    }));
    lines.extend(
        [
            "",
            "  더 큰 데모(상품 300개, 회원 200명, 90일 동안의 주문 600건)는 빈 상점에서",
            "  make run LARGE=1 (또는 jangbu demo --large)",
            "",
            "  Ctrl-C로 모두 끝냅니다",
            rule.as_str(),
        ]
        .map(str::to_owned),
    );
    lines.join("\n")
}
