-- What belongs to all data keys together: which master key wraps them, and the key that look-up hashes are made with, which
-- outlives every master key.
CREATE TABLE keys.ring
(
    single     boolean PRIMARY KEY DEFAULT true CHECK (single),
    generation bigint      NOT NULL DEFAULT 1, -- goes up with every change of the master key
    lookup     bytea       NOT NULL, -- wrapped by the master key
    rotated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
COMMENT ON TABLE keys.ring IS 'one row: tells a program with another master key that it has another one';
