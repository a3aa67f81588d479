//! `jangbu export`: a range of the log as JSON lines or CSV, personal data masked, for analysis elsewhere.

use std::io::Write;

use anyhow::Context;
use event_store::{Store, StoredEvent};
use projections::mask::masked;
use serde_json::json;
use time::format_description::well_known::Rfc3339;

/// Events per read.
const PAGE: i64 = 1_000;

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    /// One JSON object per line.
    Jsonl,
    /// Comma-separated, with a line of titles; payload and metadata as JSON.
    Csv,
}

/// The events to export.
#[derive(Clone, Debug)]
pub struct Range {
    /// After this position.
    pub after: i64,
    /// Up to and including this one.
    pub up_to: i64,
    /// Only streams of this kind.
    pub kind: Option<String>,
}

/// Writes the events; returns their number.
///
/// # Errors
/// Database errors; errors of `out`.
pub async fn run(
    store: &Store,
    range: &Range,
    format: Format,
    out: impl Write,
) -> anyhow::Result<u64> {
    let up_to = range.up_to.min(store.settle().await?);
    let mut writer = Writer::new(format, out)?;
    let kinds: Vec<&str> = range.kind.iter().map(String::as_str).collect();
    let (mut at, mut count) = (range.after, 0_u64);
    while at < up_to {
        let page = store.read_kinds(&kinds, at, up_to, PAGE).await?;
        let Some(last) = page.last() else { break };
        at = last.position;
        for event in &page {
            writer.write(event)?;
            count = count.saturating_add(1);
        }
    }
    writer.end()?;
    Ok(count)
}

const TITLES: [&str; 16] = [
    "position",
    "streamKind",
    "streamId",
    "version",
    "type",
    "typeVersion",
    "occurredAt",
    "recordedAt",
    "eventId",
    "correlationId",
    "causationId",
    "command",
    "commandId",
    "trace",
    "actor",
    "payload",
];

enum Writer<W: Write> {
    Jsonl(W),
    Csv(Box<csv::Writer<W>>),
}

impl<W: Write> Writer<W> {
    fn new(format: Format, out: W) -> anyhow::Result<Self> {
        Ok(match format {
            Format::Jsonl => Self::Jsonl(out),
            Format::Csv => {
                let mut writer = csv::Writer::from_writer(out);
                writer.write_record(TITLES)?;
                Self::Csv(Box::new(writer))
            }
        })
    }

    fn write(&mut self, event: &StoredEvent) -> anyhow::Result<()> {
        let meta = &event.metadata;
        let moment = |at: time::OffsetDateTime| at.format(&Rfc3339).context("a moment");
        let payload = masked(&event.value()?);
        let (occurred, recorded) = (moment(meta.occurred_at)?, moment(event.recorded_at)?);
        match self {
            Self::Jsonl(out) => {
                let line = json!({
                    "position": event.position, "streamKind": event.stream.kind, "streamId": event.stream.id,
                    "version": event.version, "type": event.event_type, "typeVersion": event.event_version,
                    "occurredAt": occurred, "recordedAt": recorded, "eventId": event.event_id,
                    "correlationId": meta.correlation_id, "causationId": meta.causation_id, "command": meta.command,
                    "commandId": meta.command_id, "trace": meta.trace, "actor": meta.actor, "payload": payload,
                });
                writeln!(out, "{line}")?;
            }
            Self::Csv(out) => {
                let text = |id: Option<uuid::Uuid>| id.map(|id| id.to_string()).unwrap_or_default();
                out.write_record([
                    event.position.to_string(),
                    event.stream.kind.clone(),
                    event.stream.id.clone(),
                    event.version.to_string(),
                    event.event_type.clone(),
                    event.event_version.clone(),
                    occurred,
                    recorded,
                    event.event_id.to_string(),
                    meta.correlation_id.to_string(),
                    text(meta.causation_id),
                    meta.command.clone().unwrap_or_default(),
                    meta.command_id.map(|id| id.to_string()).unwrap_or_default(),
                    meta.trace.clone().unwrap_or_default(),
                    meta.actor.to_string(),
                    payload.to_string(),
                ])?;
            }
        }
        Ok(())
    }

    fn end(self) -> anyhow::Result<()> {
        match self {
            Self::Jsonl(mut out) => out.flush()?,
            Self::Csv(mut out) => out.flush()?,
        }
        Ok(())
    }
}
