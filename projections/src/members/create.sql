-- Members. What they tell about themselves stays sealed here too.
CREATE TABLE p_members_v1
(
    id               uuid PRIMARY KEY,
    member_type      text        NOT NULL, -- PERSON | COMPANY | OPERATOR
    level            text        NOT NULL, -- access level, not the membership level
    scopes           text[]      NOT NULL,
    membership_level text,                 -- code of a level record
    profile          jsonb       NOT NULL, -- sealed
    joined_at        timestamptz NOT NULL,
    version          bigint      NOT NULL,
    position         bigint      NOT NULL
);
CREATE INDEX p_members_v1_joined ON p_members_v1 (joined_at DESC, id);
COMMENT ON TABLE p_members_v1 IS 'members; profile is sealed with the member''s key';
