-- Members. What they tell about themselves stays sealed here too.
CREATE TABLE p_members_v2
(
    id               uuid PRIMARY KEY,
    member_type      text        NOT NULL, -- PERSON | COMPANY | OPERATOR
    level            text        NOT NULL, -- access level, not the membership level
    scopes           text[]      NOT NULL,
    membership_level text,                 -- code of a level record
    profile          jsonb,                -- sealed; null once they left
    joined_at        timestamptz NOT NULL,
    left_at          timestamptz,
    leaving_reason   text,                 -- SELDOM_USED | GOODS | SERVICE | PRIVACY | OTHER
    version          bigint      NOT NULL,
    position         bigint      NOT NULL
);
CREATE INDEX p_members_v2_left ON p_members_v2 (left_at DESC, id) WHERE left_at IS NOT NULL;
CREATE INDEX p_members_v2_joined ON p_members_v2 (joined_at DESC, id);
COMMENT ON TABLE p_members_v2 IS 'members; profile is sealed with the member''s key';
