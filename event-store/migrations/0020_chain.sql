-- The chain over the log: blocks of settled events, each with the hash of the one before, each signed.
CREATE TABLE log_blocks
(
    number        bigint PRIMARY KEY CHECK (number > 0), -- from 1 without gaps
    after         bigint      NOT NULL, -- every event after this position ...
    up_to         bigint      NOT NULL CHECK (up_to > after), -- ... up to this one is in the block
    leaves        bytea       NOT NULL, -- of each event its position (8 bytes) and its SHA-256 (32 bytes)
    previous      bytea       NOT NULL, -- hash of the block before; zeros before the first
    hash          bytea       NOT NULL, -- SHA-256 of all of the above
    public_key    bytea       NOT NULL, -- Ed25519: whose signature it is
    signature     bytea       NOT NULL, -- of the hash
    sealed_at     timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE log_blocks IS 'signed hashes of the log, so that a change of the past is found; nothing here is needed to run the shop';
