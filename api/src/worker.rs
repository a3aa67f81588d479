//! `jangbu worker`: the background work. Read models follow the log, policies react to it, deadlines are executed, the log is sealed, and
//! expired data is removed.
//!
//! Any number of processes may run this: leases determine which one advances a read model or a policy, and a deadline is executed once
//! however often it is attempted.

use application::members::{closing, registration_documents};
use application::messages::outbox;
use application::orders::claim_pictures;
use application::policies;
use application::resources::import_runs as runs;
use application::revoked_sign_ins::REMEMBERED;
use std::time::Duration;

use domain::business_day;
use event_store::Runner;
use projections::state::{
    account_mail, credentials, import_parts, import_runs, ordered_lines, password_tries,
    search_terms, unpaid_guests,
};
use tokio_util::sync::CancellationToken;

use crate::app::AppState;
use crate::audit::seal;
use crate::rebuild;
use crate::tokens::REFRESH_LIFE;

/// Interval between removals of expired data.
const TIDY: Duration = Duration::from_secs(60);
/// How long snapshots of another build are kept: two builds may run side by side for a while.
const FOREIGN_SNAPSHOT_LIFE: time::Duration = time::Duration::days(1);
/// Polling interval for tables that are being created.
const UNTIL_TABLES: Duration = Duration::from_secs(5);
/// Command ids removed per statement.
const FORGOTTEN_AT_ONCE: i64 = 10_000;

/// Runs the background work until cancelled; on a standby, from its promotion on.
///
/// # Errors
/// A read model or a policy is declared incorrectly.
pub async fn work(app: AppState, stopping: CancellationToken) -> anyhow::Result<()> {
    match stopping.run_until_cancelled(app.promoted()).await {
        Some(promoted) => promoted?,
        None => return Ok(()),
    }
    let runner = Runner::new(app.store.clone(), policies::followers(&app.application()));
    let working = stopping.child_token();
    let following = async {
        let _stop_all = working.clone().drop_guard();
        runner.run(working.clone().cancelled_owned()).await
    };
    let (followed, (), (), (), (), (), (), (), (), ()) = tokio::join!(
        following,
        policies::deadlines::watch(app.application(), working.clone()),
        policies::gateway::watch(app.application(), working.clone()),
        outbox::watch(app.application(), working.clone()),
        policies::coupon_days::watch(app.application(), working.clone()),
        runs::watch(app.application(), working.clone()),
        rebuild::watch(app.clone(), working.clone()),
        index(&app, working.clone()),
        tidy(app.clone(), working.clone()),
        seal::watch(app.clone(), working.clone()),
    );
    match followed {
        // Requests that need no newer event can still be served.
        Err(error) if error.is_newer() => {
            tracing::error!(%error, "nothing more is done in the background: leave it to the newer version, and upgrade this one");
            stopping.cancelled().await;
        }
        followed => followed?,
    }
    stopping.cancel();
    Ok(())
}

/// Creates the indexes of the console's lists, as soon as their tables exist.
async fn index(app: &AppState, stopping: CancellationToken) {
    loop {
        match application::resources::create_indexes(app).await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => tracing::warn!(error = format!("{error:?}"), "lists have no indexes yet"),
        }
        if stopping
            .run_until_cancelled(tokio::time::sleep(UNTIL_TABLES))
            .await
            .is_none()
        {
            return;
        }
    }
}

async fn tidy(app: AppState, stopping: CancellationToken) {
    while stopping
        .run_until_cancelled(tokio::time::sleep(TIDY))
        .await
        .is_some()
    {
        // Used tokens are kept for their lifetime again, so that a stolen one is still recognised.
        let before = app.clock.now() - REFRESH_LIFE;
        let tokens = credentials::forget_expired(app.pool(), before)
            .await
            .map_err(anyhow::Error::from);
        let revoked = credentials::forget_revoked(app.pool(), app.clock.now() - REMEMBERED)
            .await
            .map_err(anyhow::Error::from);
        let tries = password_tries::forget_old(app.pool(), app.clock.now())
            .await
            .map_err(anyhow::Error::from);
        let links = account_mail::forget_old(app.pool(), app.clock.now())
            .await
            .map_err(anyhow::Error::from);
        let commands = app
            .store
            .forget_expired_commands(FORGOTTEN_AT_ONCE)
            .await
            .map_err(anyhow::Error::from);
        let terms = search_terms::forget_old(app.pool(), business_day::day(app.clock.now()))
            .await
            .map_err(anyhow::Error::from);
        let tables = import_parts::forget_old(app.pool(), app.clock.now())
            .await
            .map_err(anyhow::Error::from);
        let imports = import_runs::forget_old(app.pool(), app.clock.now())
            .await
            .map_err(anyhow::Error::from);
        let lines = ordered_lines::forget_old(app.pool(), app.clock.now())
            .await
            .map_err(anyhow::Error::from);
        let guests = unpaid_guests::drop_settled(app.pool())
            .await
            .map_err(anyhow::Error::from);
        let documents = registration_documents::sweep(&app)
            .await
            .map_err(anyhow::Error::from);
        let pictures = claim_pictures::sweep(&app)
            .await
            .map_err(anyhow::Error::from);
        let members = closing::sweep(&app).await.map_err(anyhow::Error::from);
        let snapshots = app
            .store
            .forget_foreign_snapshots(app.clock.now() - FOREIGN_SNAPSHOT_LIFE)
            .await
            .map_err(anyhow::Error::from);
        for error in [
            tokens.err(),
            revoked.err(),
            tries.err(),
            links.err(),
            commands.err(),
            terms.err(),
            tables.err(),
            imports.err(),
            lines.err(),
            guests.err(),
            documents.err(),
            pictures.err(),
            members.err(),
            snapshots.err(),
        ]
        .into_iter()
        .flatten()
        {
            tracing::warn!(
                error = format!("{error:#}"),
                "old tokens, ended sign-ins, tries of passwords, links of mails, command ids, search terms, imported tables, ordered lines, settled orders of guests, unclaimed documents, members who left and foreign snapshots are not forgotten"
            );
        }
    }
}
