-- Documents people edit that need no table of their own, by kind.
CREATE TABLE p_records_v2
(
    kind       text        NOT NULL,
    id         text        NOT NULL,
    version    bigint      NOT NULL,
    data       jsonb       NOT NULL,
    removed    boolean     NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    position   bigint      NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX p_records_v2_latest ON p_records_v2 (kind, created_at DESC, id) WHERE NOT removed;
CREATE INDEX p_records_v2_name ON p_records_v2 (kind, (data ->> 'name') COLLATE "C") WHERE NOT removed;
CREATE TABLE p_records_v2_counts
(
    kind text PRIMARY KEY,
    live bigint NOT NULL -- records of the kind that are not removed
);
COMMENT ON TABLE p_records_v2 IS 'records by kind: what selling needs beside products, the front of the shop, the site';
COMMENT ON TABLE p_records_v2_counts IS 'how many records there are of each kind';
