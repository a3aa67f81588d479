-- What a deadline asked for and was refused. People look at it; it is asked again when something happens to its ledger.
CREATE TABLE deadline_refusals (
    kind text NOT NULL,
    id text NOT NULL,
    position bigint NOT NULL,
    stream text NOT NULL,
    seen bigint NOT NULL,
    code text NOT NULL,
    message text NOT NULL,
    refused_at timestamptz NOT NULL,
    PRIMARY KEY (kind, id)
);
COMMENT ON COLUMN deadline_refusals.position IS 'of the event that set the deadline';
COMMENT ON COLUMN deadline_refusals.seen IS 'position of the last event of its ledger when it was refused';
