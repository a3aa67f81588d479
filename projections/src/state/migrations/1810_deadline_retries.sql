-- Refused deadlines somebody had tried again: what was refused then, who asked for it, and when.
CREATE TABLE deadline_retries (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL,
    id text NOT NULL,
    position bigint NOT NULL,
    stream text NOT NULL,
    code text NOT NULL,
    message text NOT NULL,
    refused_at timestamptz NOT NULL,
    retried_at timestamptz NOT NULL,
    retried_by uuid NOT NULL
);
CREATE INDEX deadline_retries_of ON deadline_retries (kind, id);
