-- Files people gave the shop. What is in them is on disk, once for all rows of the same hash.
CREATE TABLE files
(
    id           uuid PRIMARY KEY,
    hash         text        NOT NULL,
    name         jsonb       NOT NULL,
    content_type text        NOT NULL,
    size         bigint      NOT NULL,
    width        integer,
    height       integer,
    owner        uuid        NOT NULL,
    shown        boolean     NOT NULL,
    place        integer     NOT NULL,
    owners       jsonb       NOT NULL,
    uploaded_at  timestamptz NOT NULL
);
CREATE INDEX files_hash ON files (hash);
CREATE INDEX files_owner ON files (owner, uploaded_at);
