-- Raffles of events, and their entries. The seed is here once it is published by the draw.
CREATE TABLE p_raffles_v1
(
    id         uuid PRIMARY KEY,     -- the event
    winners    bigint      NOT NULL, -- how many
    ends_at    timestamptz NOT NULL, -- end of the entries (exclusive)
    prize      uuid,                 -- the coupon that winners get
    commitment text        NOT NULL, -- SHA-256 of the seed
    entries    bigint      NOT NULL,
    chain      text        NOT NULL, -- its end
    due_at     timestamptz,          -- when winners are drawn; null once they are
    draw       jsonb,                -- seed, winning numbers and passed ones; null before the draw
    drawn_at   timestamptz,
    opened_at  timestamptz NOT NULL,
    position   bigint      NOT NULL  -- of its last event
);
CREATE INDEX p_raffles_v1_due ON p_raffles_v1 (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE p_raffles_v1_entries
(
    id         uuid PRIMARY KEY,
    raffle     uuid        NOT NULL,
    number     bigint      NOT NULL,
    member     uuid        NOT NULL,
    mark       text        NOT NULL, -- published, names no member
    won        boolean     NOT NULL,
    entered_at timestamptz NOT NULL,
    position   bigint      NOT NULL  -- of its last event
);
CREATE UNIQUE INDEX p_raffles_v1_entries_number ON p_raffles_v1_entries (raffle, number);
COMMENT ON TABLE p_raffles_v1 IS 'raffles of events';
COMMENT ON TABLE p_raffles_v1_entries IS 'one row an entry of a member in a raffle';
