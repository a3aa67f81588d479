-- One row if the shop was seeded as a demonstration.
CREATE TABLE demonstration (
    only boolean PRIMARY KEY DEFAULT true CHECK (only),
    begun_at timestamptz NOT NULL
);
