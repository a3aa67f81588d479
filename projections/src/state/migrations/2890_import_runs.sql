-- Imported tables carried out in the background, a part at a time, and what they refused.
CREATE TABLE import_runs
(
    id            uuid PRIMARY KEY,     -- the table (import_parts)
    owner         uuid        NOT NULL,
    kind          text        NOT NULL, -- of the records
    own_rows      boolean     NOT NULL, -- a seller's: own records only
    file_name     text        NOT NULL,
    existing      text        NOT NULL, -- update or skip
    state         text        NOT NULL, -- running, stopped, done or failed
    total         integer     NOT NULL, -- rows of the table
    next          integer,              -- the row behind which the next part begins; null after the last
    creates       integer     NOT NULL DEFAULT 0,
    updates       integer     NOT NULL DEFAULT 0,
    unchanged     integer     NOT NULL DEFAULT 0,
    errors        integer     NOT NULL DEFAULT 0,
    reason        text,                 -- why it failed
    claimed_until timestamptz,          -- a process works on it
    started_at    timestamptz NOT NULL,
    changed_at    timestamptz NOT NULL
);
CREATE INDEX import_runs_owner ON import_runs (owner, kind, id);
CREATE INDEX import_runs_running ON import_runs (changed_at) WHERE state = 'running';
CREATE TABLE import_refusals
(
    run   uuid    NOT NULL REFERENCES import_runs ON DELETE CASCADE,
    after integer NOT NULL, -- the part
    rows  jsonb   NOT NULL, -- its refused rows with their reasons
    PRIMARY KEY (run, after)
);
