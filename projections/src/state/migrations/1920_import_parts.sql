-- Tables people import, a part a row, until a day is over: a long one is sent once and done part by part.
CREATE TABLE import_parts
(
    id      uuid        NOT NULL, -- the table, in the order of their coming
    after   integer     NOT NULL, -- the row of the file behind which the part begins
    owner   uuid        NOT NULL,
    kind    text        NOT NULL, -- of the records
    part    jsonb       NOT NULL, -- columns and rows
    kept_at timestamptz NOT NULL,
    PRIMARY KEY (id, after)
);
CREATE INDEX import_parts_owner ON import_parts (owner);
