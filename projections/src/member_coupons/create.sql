-- Coupons in members' boxes, what happened to each, and how far limited campaigns are used up.
CREATE TABLE p_coupon_box_v4
(
    id        uuid PRIMARY KEY,
    coupon    uuid        NOT NULL,
    member    uuid        NOT NULL,
    terms     jsonb       NOT NULL, -- frozen at issue; the end is the one that counts
    round     bigint,               -- the member's round of the issue rule; null: not recorded
    occasion  text,                 -- what it was issued for, at most once
    memo      text,                 -- what staff said last: who gave, took or changed it
    grant_id  uuid,                 -- the bulk grant it belongs to
    taken     boolean     NOT NULL, -- staff took it back
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
CREATE INDEX p_coupon_box_v4_member ON p_coupon_box_v4 (member, used, issued_at DESC);
CREATE INDEX p_coupon_box_v4_coupon ON p_coupon_box_v4 (coupon, member);
CREATE INDEX p_coupon_box_v4_grant ON p_coupon_box_v4 (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX p_coupon_box_v4_latest ON p_coupon_box_v4 (issued_at DESC, id DESC);
CREATE INDEX p_coupon_box_v4_order ON p_coupon_box_v4 (order_id) WHERE order_id IS NOT NULL;

CREATE TABLE p_coupon_box_v4_entries
(
    position bigint PRIMARY KEY,   -- of the event
    id       uuid        NOT NULL, -- the coupon in the box
    coupon   uuid        NOT NULL,
    kind     text        NOT NULL, -- ISSUED | USED | RETURNED | TAKEN | BROUGHT_BACK
    order_id uuid,
    amount   bigint      NOT NULL, -- what it takes off; what is given back is negative, hundredths
    at       timestamptz NOT NULL
);
CREATE INDEX p_coupon_box_v4_entries_coupon ON p_coupon_box_v4_entries (coupon, at);

CREATE TABLE p_coupon_box_v4_campaigns
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
COMMENT ON TABLE p_coupon_box_v4 IS 'one row a coupon in a member''s box';
COMMENT ON TABLE p_coupon_box_v4_entries IS 'everything that happened to coupons in boxes, for their statistics; amounts in hundredths';
COMMENT ON TABLE p_coupon_box_v4_campaigns IS 'limits of coupon campaigns and how far they are used up';
