-- Aggregates as their first events left them, so that a long stream is not folded from its beginning at every decision.
-- Only time is lost with them: the log is the truth, and they are made again as streams are read.
CREATE TABLE snapshots
(
    aggregate_type text        NOT NULL,
    aggregate_id   text        NOT NULL,
    rules          text        NOT NULL, -- whose fold it is; nobody else reads it
    version        bigint      NOT NULL, -- of the last event in it
    position       bigint      NOT NULL, -- of that event
    state          json        NOT NULL,
    written_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (aggregate_type, aggregate_id, rules)
);
