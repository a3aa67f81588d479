-- The log, and what has to be committed together with it.

-- postgres-es' seven columns, unchanged, so that a stock postgres-es can read and write this table,
-- plus columns with defaults. No trigger, and nobody calls nextval on its sequence but an INSERT here:
-- the settled horizon rests on that.
CREATE TABLE events
(
    aggregate_type  text                         NOT NULL,
    aggregate_id    text                         NOT NULL,
    sequence        bigint CHECK (sequence >= 0) NOT NULL,
    event_type      text                         NOT NULL,
    event_version   text                         NOT NULL,
    payload         json                         NOT NULL,
    metadata        json                         NOT NULL,
    global_position bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) NOT NULL,
    transaction_id  xid8        DEFAULT pg_current_xact_id() NOT NULL,
    recorded_at     timestamptz DEFAULT clock_timestamp()    NOT NULL,
    event_id        uuid,
    correlation_id  uuid,
    causation_id    uuid,
    occurred_at     timestamptz DEFAULT clock_timestamp(),
    PRIMARY KEY (aggregate_type, aggregate_id, sequence)
);
CREATE UNIQUE INDEX events_global_position_key ON events (global_position);
CREATE INDEX events_occurred_at_idx ON events (occurred_at, global_position);
COMMENT ON COLUMN events.metadata IS 'a map of strings (postgres-es reads nothing else)';
COMMENT ON COLUMN events.transaction_id IS 'for audits; never order by it';

-- A command is done at most once: its answer is written in the transaction of its events.
CREATE TABLE command_dedup
(
    scope          text        NOT NULL,
    key            text        NOT NULL,
    body_hash      bytea       NOT NULL,
    result         json,
    first_position bigint      NOT NULL,
    last_position  bigint      NOT NULL,
    created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    expires_at     timestamptz,
    PRIMARY KEY (scope, key)
);
CREATE INDEX command_dedup_expires_at_idx ON command_dedup (expires_at) WHERE expires_at IS NOT NULL;

-- Names only one owner may hold (username, nickname, code), by a keyed hash.
CREATE TABLE reservations
(
    scope       text        NOT NULL,
    key_hash    bytea       NOT NULL,
    owner       text        NOT NULL,
    reserved_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (scope, key_hash)
);

-- How far each version of each projection is, who may move it (lease_epoch), which version readers see (active).
CREATE TABLE projection_checkpoint
(
    name          text        NOT NULL,
    version       integer     NOT NULL,
    position      bigint      NOT NULL DEFAULT 0,
    lease_epoch   bigint      NOT NULL DEFAULT 0,
    active        boolean     NOT NULL DEFAULT false,
    last_error    text,
    failing_since timestamptz,
    updated_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, version)
) WITH (fillfactor = 50);
CREATE UNIQUE INDEX projection_checkpoint_active_key ON projection_checkpoint (name) WHERE active;

-- Data keys live apart, so that a backup of the log can leave them out.
CREATE SCHEMA keys;
CREATE TABLE keys.data_key
(
    subject      uuid        NOT NULL,
    purpose      text        NOT NULL,
    wrapped      bytea,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    destroyed_at timestamptz,
    PRIMARY KEY (subject, purpose),
    CHECK ((wrapped IS NULL) = (destroyed_at IS NOT NULL))
);
COMMENT ON TABLE keys.data_key IS 'a destroyed key stays as a row without its bytes, so that it is never made again';
