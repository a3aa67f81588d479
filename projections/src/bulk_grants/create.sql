-- Bulk grants: what staff ordered for many members, and how far it has come. Receivers are counted from the start of the list.
CREATE TABLE p_bulk_grants_v2
(
    id         uuid PRIMARY KEY,
    benefit    jsonb       NOT NULL, -- what each receiver gets
    memo       text        NOT NULL, -- as they read it
    note       text        NOT NULL, -- the shop's own
    members    bigint      NOT NULL, -- receivers in all
    served     bigint      NOT NULL, -- of the list
    left_out   bigint      NOT NULL, -- of those: had left and got nothing
    refused    bigint      NOT NULL, -- of those: were refused and got nothing
    stopped    boolean     NOT NULL,
    cleared    bigint      NOT NULL, -- of those served, once it is stopped: taken back from
    open       boolean     NOT NULL, -- something is left to give or to take back
    created_at timestamptz NOT NULL,
    created_by uuid,
    position   bigint      NOT NULL  -- of its last event
);
CREATE INDEX p_bulk_grants_v2_created ON p_bulk_grants_v2 (created_at DESC, id);
CREATE INDEX p_bulk_grants_v2_open ON p_bulk_grants_v2 (created_at) WHERE open;
COMMENT ON TABLE p_bulk_grants_v2 IS 'what staff ordered for many members at once, and how far it has come';
