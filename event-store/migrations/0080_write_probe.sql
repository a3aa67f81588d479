-- Nothing of interest is in it: whoever wants to know whether the database takes writes empties it and writes one row. Emptying it
-- makes a new file, so a full disk shows.
CREATE TABLE write_probe
(
    written_at timestamptz NOT NULL
);
