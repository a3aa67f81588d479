-- A demonstration is begun before its first event and finished after its last: what was cut off in between is told apart.
ALTER TABLE demonstration ADD COLUMN finished_at timestamptz;
UPDATE demonstration SET finished_at = begun_at;
