-- What decides whether a sending reaches a member, besides their settings of alarms and stopped addresses, so that a crowd is counted in one
-- statement. A policy keeps this table beside the log, and the rows go with the member. The address of mail is in member_mails.
CREATE TABLE member_reach
(
    member   uuid PRIMARY KEY,
    consents text[] NOT NULL, -- codes of the terms agreed to
    number   bytea            -- keyed hash of the mobile number, as in stopped_addresses; null: without one
);
