-- Points: the lots a member holds, and every movement as the member reads it.
CREATE TABLE p_points_book_v3_lots
(
    id         uuid PRIMARY KEY,
    member     uuid        NOT NULL,
    amount     bigint      NOT NULL, -- hundredths granted
    "left"     bigint      NOT NULL, -- hundredths: amount = left + spent + expired + taken
    spent      bigint      NOT NULL, -- by orders, less what was given back
    expired    bigint      NOT NULL,
    taken      bigint      NOT NULL, -- back, by a return or by staff
    by_staff   boolean     NOT NULL,
    reason     text        NOT NULL,
    order_id   uuid,
    grant_id   uuid,                 -- the bulk grant it belongs to
    granted_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    notice_at  timestamptz NOT NULL, -- when its expiry is announced; the same for all with the same last day
    position   bigint      NOT NULL
);
CREATE INDEX p_points_book_v3_lots_member ON p_points_book_v3_lots (member, expires_at);
CREATE INDEX p_points_book_v3_lots_granted ON p_points_book_v3_lots (granted_at DESC, id);
CREATE INDEX p_points_book_v3_lots_grant ON p_points_book_v3_lots (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX p_points_book_v3_lots_notice ON p_points_book_v3_lots (notice_at) WHERE "left" > 0;
CREATE INDEX p_points_book_v3_lots_expiring ON p_points_book_v3_lots (expires_at) WHERE "left" > 0;

CREATE TABLE p_points_book_v3
(
    position   bigint      NOT NULL,
    part       integer     NOT NULL, -- 0; more only where one stored event became several
    id         uuid        NOT NULL, -- of the event
    member     uuid        NOT NULL,
    kind       text        NOT NULL, -- INCREASE | DECREASE
    amounts    bigint      NOT NULL, -- hundredths, never negative
    reason     text        NOT NULL,
    lot        uuid,                 -- where it is about one
    order_id   uuid,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,          -- for a grant or a changed life
    PRIMARY KEY (position, part)
);
CREATE INDEX p_points_book_v3_member ON p_points_book_v3 (member, position DESC);
COMMENT ON TABLE p_points_book_v3_lots IS 'grants of points and what is left of each, hundredths';
COMMENT ON TABLE p_points_book_v3 IS 'every movement of points, hundredths';

CREATE TABLE p_points_book_v3_notices
(
    member    uuid        NOT NULL,
    notice_at timestamptz NOT NULL, -- of the lots that expire on the same day
    position  bigint      NOT NULL, -- of the event
    PRIMARY KEY (member, notice_at)
);
COMMENT ON TABLE p_points_book_v3_notices IS 'which members were told that points of theirs expire, by day';
