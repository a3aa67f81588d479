-- Batches of coupon codes, and the codes that were redeemed. Codes themselves are stored nowhere.
CREATE TABLE p_coupon_codes_v1
(
    id         uuid PRIMARY KEY,
    coupon     uuid        NOT NULL,
    handle     text        NOT NULL, -- the first characters of each code
    count      bigint      NOT NULL, -- how many, numbered from 1
    memo       text        NOT NULL, -- what they are for
    redeemed   bigint      NOT NULL,
    stopped_at timestamptz,
    stop_memo  text,
    created_at timestamptz NOT NULL,
    created_by uuid,
    position   bigint      NOT NULL  -- of its last event
);
CREATE INDEX p_coupon_codes_v1_created ON p_coupon_codes_v1 (created_at DESC, id);
CREATE INDEX p_coupon_codes_v1_coupon ON p_coupon_codes_v1 (coupon, created_at DESC);

CREATE TABLE p_coupon_codes_v1_redeemed
(
    batch       uuid        NOT NULL,
    number      bigint      NOT NULL,
    member      uuid        NOT NULL,
    issued      uuid        NOT NULL, -- the coupon in the member's box
    redeemed_at timestamptz NOT NULL,
    position    bigint      NOT NULL, -- of its event
    PRIMARY KEY (batch, number)
);
COMMENT ON TABLE p_coupon_codes_v1 IS 'batches of coupon codes that staff made';
COMMENT ON TABLE p_coupon_codes_v1_redeemed IS 'one row a redeemed coupon code';
