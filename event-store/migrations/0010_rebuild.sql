-- Building read models anew beside the live ones, and what becomes of events one of them cannot take.

-- A read model's tables are in one of three places, under the same names: being made (next), read by people (where the
-- log is), kept for an instant return (previous).
CREATE SCHEMA projection_next;
CREATE SCHEMA projection_previous;

-- It does not go on before somebody says so.
ALTER TABLE projection_checkpoint ADD COLUMN stopped_at timestamptz;

-- Streams a read model or policy holds back, because it cannot take one of their events. What is held is in the log.
CREATE TABLE projection_parked
(
    name        text        NOT NULL,
    version     integer     NOT NULL,
    place       text        NOT NULL CHECK (place IN ('next', 'live', 'previous')),
    stream_kind text        NOT NULL,
    stream_id   text        NOT NULL,
    position    bigint      NOT NULL, -- of the first event that is not applied
    event_type  text        NOT NULL,
    error       text        NOT NULL,
    parked_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, version, place, stream_kind, stream_id)
);

-- The read models that can be returned to, and how far each is.
CREATE TABLE projection_kept
(
    name     text        PRIMARY KEY,
    version  integer     NOT NULL,
    position bigint      NOT NULL,
    kept_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- The last rebuild of each read model, asked for, under way or over. Under way is only what somebody holds the lock of.
CREATE TABLE projection_rebuild
(
    name     text        PRIMARY KEY,
    act      text        NOT NULL CHECK (act IN ('rebuild', 'back')),
    phase    text        NOT NULL CHECK (phase IN ('asked', 'reading', 'keys', 'catching-up', 'switching', 'done', 'failed')),
    done     bigint      NOT NULL DEFAULT 0, -- events read
    total    bigint      NOT NULL DEFAULT 0, -- events to read
    asked_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    began_at timestamptz,
    read_at  timestamptz,                    -- when the last event was read
    ended_at timestamptz,
    error    text
);
