-- What members keep of the shop: products they like and looked at, what they were told. No personal data but whose it is.

CREATE TABLE likes
(
    id         uuid PRIMARY KEY,
    member     uuid        NOT NULL,
    product    uuid        NOT NULL,
    created_at timestamptz NOT NULL,
    UNIQUE (member, product)
);
CREATE INDEX likes_latest ON likes (member, created_at DESC, id);
CREATE INDEX likes_product ON likes (product);

-- Products looked at lately; only the newest of each member are kept.
CREATE TABLE watches
(
    member  uuid        NOT NULL,
    product uuid        NOT NULL,
    seen_at timestamptz NOT NULL,
    PRIMARY KEY (member, product)
);
CREATE INDEX watches_latest ON watches (member, seen_at DESC, product);

-- What members are told. The id is made of the event it tells of, and a removed one stays as a mark: telling again changes nothing.
CREATE TABLE alarms
(
    id         uuid PRIMARY KEY,
    member     uuid        NOT NULL,
    category   text        NOT NULL,
    type       text        NOT NULL,
    title      text        NOT NULL,
    content    text        NOT NULL,
    url        text        NOT NULL,
    shows      boolean     NOT NULL, -- unread
    removed    boolean     NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL
);
CREATE INDEX alarms_latest ON alarms (member, created_at DESC, id) WHERE NOT removed;
CREATE INDEX alarms_unread ON alarms (member) WHERE shows AND NOT removed;

-- What members want to be told; a member without a row wants everything.
CREATE TABLE alarm_settings
(
    member              uuid PRIMARY KEY,
    is_show             boolean NOT NULL,
    disabled_categories text[]  NOT NULL
);

-- Facts: somebody followed a banner. Nothing about who.
CREATE TABLE banner_logs
(
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subject text        NOT NULL, -- _popup | _slide | _tagBanner | _storyCard
    target  uuid        NOT NULL,
    at      timestamptz NOT NULL
);
CREATE INDEX banner_logs_at ON banner_logs (at, subject, target);
