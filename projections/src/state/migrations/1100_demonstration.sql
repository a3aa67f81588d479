-- One row if the shop was seeded as a demonstration.
CREATE TABLE demonstration (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    begun_at timestamptz NOT NULL
);
