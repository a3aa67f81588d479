-- What shoppers ask about products. The question stays sealed here too.
CREATE TABLE p_inquires_v1
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
CREATE INDEX p_inquires_v1_product ON p_inquires_v1 (product, created_at DESC, id) WHERE NOT removed;
CREATE INDEX p_inquires_v1_author ON p_inquires_v1 (author, created_at DESC, id) WHERE NOT removed;
CREATE INDEX p_inquires_v1_seller ON p_inquires_v1 (seller, created_at DESC, id) WHERE NOT removed;
CREATE INDEX p_inquires_v1_latest ON p_inquires_v1 (created_at DESC, id) WHERE NOT removed;
COMMENT ON TABLE p_inquires_v1 IS 'inquiries about products; questions are sealed with the asker''s key';
