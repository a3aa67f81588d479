-- Messages to members and guests. Receivers and texts are not here: they stay sealed in the log.
CREATE TABLE p_messages_v3
(
    id          uuid PRIMARY KEY,
    channel     text        NOT NULL, -- MAIL | SMS | TALK
    template    text        NOT NULL,
    state       text        NOT NULL, -- REQUESTED | SENDING | SENT | DELIVERED | DEFERRED | BOUNCED | UNCERTAIN | GIVEN_UP
    cause_kind  text        NOT NULL, -- member | order | contact | inquiry
    cause       uuid        NOT NULL, -- id of that stream
    cause_event uuid,                 -- the event that led to it
    attempts    bigint      NOT NULL,
    reason      text,                 -- why the last attempt failed, or why it was given up
    code        bigint,               -- the server's reply code then
    queue_id    text,                 -- the server's id of it, once sent
    text_record text,                 -- the template record the last attempt was written from; none: the built-in text
    text_version bigint,              -- its version
    due_at      timestamptz,          -- when the worker has to look at it next
    created_at  timestamptz NOT NULL,
    changed_at  timestamptz NOT NULL,
    position    bigint      NOT NULL  -- of its last event
);
CREATE INDEX p_messages_v3_due ON p_messages_v3 (due_at, id) WHERE due_at IS NOT NULL;
CREATE INDEX p_messages_v3_created ON p_messages_v3 (created_at DESC, id DESC);
CREATE INDEX p_messages_v3_cause ON p_messages_v3 (cause);
COMMENT ON TABLE p_messages_v3 IS 'messages to members and guests, and what became of them; without receivers and texts';
