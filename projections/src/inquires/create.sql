-- What shoppers ask about products. The question stays sealed here too.
CREATE TABLE p_inquires_v2
(
    id         uuid PRIMARY KEY,
    product    uuid        NOT NULL,
    seller     uuid        NOT NULL,
    author     uuid        NOT NULL,
    secret     boolean     NOT NULL,
    state      text        NOT NULL, -- ANSWER_AWAITING | ANSWER_COMPLETE
    removed    boolean     NOT NULL,
    barred     boolean     NOT NULL, -- staff removed it: it may not be brought back
    replied_at timestamptz,          -- when the answer that stands was given
    data       jsonb       NOT NULL, -- the whole record; the question is sealed with the asker's key
    version    bigint      NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    position   bigint      NOT NULL
);
CREATE INDEX p_inquires_v2_product ON p_inquires_v2 (product, created_at DESC, id) WHERE NOT removed;
CREATE INDEX p_inquires_v2_author ON p_inquires_v2 (author, created_at DESC, id) WHERE NOT removed;
CREATE INDEX p_inquires_v2_seller ON p_inquires_v2 (seller, created_at DESC, id) WHERE NOT removed;
CREATE INDEX p_inquires_v2_latest ON p_inquires_v2 (created_at DESC, id) WHERE NOT removed;
CREATE TABLE p_inquires_v2_counts
(
    kind text PRIMARY KEY,
    live bigint NOT NULL -- inquiries that are not removed
);
COMMENT ON TABLE p_inquires_v2 IS 'inquiries about products; questions are sealed with the asker''s key';
COMMENT ON TABLE p_inquires_v2_counts IS 'how many inquiries there are';
