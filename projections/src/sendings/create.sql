-- Sendings: alarms, mails and texts to many members, and how far they have come. Receivers are counted from the start of the list.
CREATE TABLE p_sendings_v2
(
    id          uuid PRIMARY KEY,
    channel     text        NOT NULL, -- ALARM | MAIL | SMS
    advertising boolean     NOT NULL,
    title       text        NOT NULL, -- without the mark of advertising
    content     text        NOT NULL,
    url         text        NOT NULL, -- path within the shop; empty: none
    target      text        NOT NULL, -- how the receivers were named
    members     bigint      NOT NULL, -- receivers in all; of a crowd, when it was ordered
    per_minute  bigint      NOT NULL,
    served      bigint      NOT NULL, -- of the list
    skipped     bigint      NOT NULL, -- of those: got nothing
    due_at      timestamptz,          -- of the next part; null: nothing is left to send
    stopped     boolean     NOT NULL,
    withdrawn   boolean     NOT NULL, -- its alarms were taken out of the drawers
    created_at  timestamptz NOT NULL,
    created_by  uuid,
    position    bigint      NOT NULL  -- of its last event
);
CREATE INDEX p_sendings_v2_created ON p_sendings_v2 (created_at DESC, id DESC);
CREATE INDEX p_sendings_v2_due ON p_sendings_v2 (due_at) WHERE due_at IS NOT NULL;
COMMENT ON TABLE p_sendings_v2 IS 'alarms, mails and texts staff sent to many members, and how far they have come';

-- Receivers who got nothing, and why.
CREATE TABLE p_sendings_v2_skipped
(
    sending uuid        NOT NULL,
    member  uuid        NOT NULL,
    reason  text        NOT NULL, -- ACCOUNT_CLOSED | NO_CONSENT | SWITCHED_OFF | NO_MOBILE
    at      timestamptz NOT NULL, -- when their turn came
    PRIMARY KEY (sending, member)
);
COMMENT ON TABLE p_sendings_v2_skipped IS 'receivers of sendings who got nothing, and why';
