-- Coupons in members' boxes, and how far limited campaigns are used up.
CREATE TABLE p_coupon_box_v2
(
    id        uuid PRIMARY KEY,
    coupon    uuid        NOT NULL,
    member    uuid        NOT NULL,
    terms     jsonb       NOT NULL, -- frozen at issue
    used      boolean     NOT NULL,
    uses      bigint      NOT NULL, -- how often it was used, ever
    returns   bigint      NOT NULL, -- how often it came back, ever
    order_id  uuid,                 -- where it is used now
    amount    bigint,               -- what it takes off there, hundredths
    used_at   timestamptz,
    issued_at timestamptz NOT NULL,
    ends_at   timestamptz,
    position  bigint      NOT NULL
);
CREATE INDEX p_coupon_box_v2_member ON p_coupon_box_v2 (member, used, issued_at DESC);
CREATE INDEX p_coupon_box_v2_coupon ON p_coupon_box_v2 (coupon, member);
CREATE INDEX p_coupon_box_v2_order ON p_coupon_box_v2 (order_id) WHERE order_id IS NOT NULL;

CREATE TABLE p_coupon_box_v2_campaigns
(
    coupon   uuid PRIMARY KEY,
    draws    bigint,          -- how many may be drawn; null = any number
    uses     bigint,          -- how many may be used; null = any number
    amount   bigint,          -- how much all uses may take off, hundredths; null = any amount
    face_value bigint,        -- how much all draws may be worth, hundredths; null = any amount
    handed_out bigint NOT NULL, -- what all draws are worth, hundredths
    drawn    bigint NOT NULL,
    counted  bigint NOT NULL, -- uses counted, ever
    returned bigint NOT NULL, -- uses given back, ever
    used     bigint NOT NULL, -- counted - returned
    position bigint NOT NULL
);
COMMENT ON TABLE p_coupon_box_v2 IS 'one row a coupon in a member''s box';
COMMENT ON TABLE p_coupon_box_v2_campaigns IS 'limits of coupon campaigns and how far they are used up';
