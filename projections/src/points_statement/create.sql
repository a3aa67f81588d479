-- Points: the lots a member holds, and every movement as the member reads it.
CREATE TABLE p_points_book_v1_lots
(
    id         uuid PRIMARY KEY,
    member     uuid        NOT NULL,
    amount     bigint      NOT NULL, -- hundredths granted
    "left"     bigint      NOT NULL, -- hundredths not spent and not expired
    reason     text        NOT NULL,
    order_id   uuid,
    granted_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    position   bigint      NOT NULL
);
CREATE INDEX p_points_book_v1_lots_member ON p_points_book_v1_lots (member, expires_at);
CREATE INDEX p_points_book_v1_lots_expiring ON p_points_book_v1_lots (expires_at) WHERE "left" > 0;

CREATE TABLE p_points_book_v1
(
    position   bigint      NOT NULL,
    part       integer     NOT NULL, -- 0; more only where one stored event became several
    id         uuid        NOT NULL, -- of the event
    member     uuid        NOT NULL,
    kind       text        NOT NULL, -- INCREASE | DECREASE
    amounts    bigint      NOT NULL, -- hundredths, never negative
    reason     text        NOT NULL,
    lot        uuid,                 -- for a grant or an expiry
    order_id   uuid,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,          -- for a grant
    PRIMARY KEY (position, part)
);
CREATE INDEX p_points_book_v1_member ON p_points_book_v1 (member, position DESC);
COMMENT ON TABLE p_points_book_v1_lots IS 'grants of points and what is left of each, hundredths';
COMMENT ON TABLE p_points_book_v1 IS 'every movement of points, hundredths';
