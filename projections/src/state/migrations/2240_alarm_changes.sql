-- Changes of each member's alarms are numbered, so that an open page can ask for what is new. The number of a change is taken under the
-- lock of the member's row, so a higher number is never visible before a lower one.
CREATE TABLE alarm_changes
(
    member uuid PRIMARY KEY,
    last   bigint NOT NULL
);

-- The change that stored the alarm; 0: from before this table.
ALTER TABLE alarms ADD COLUMN number bigint NOT NULL DEFAULT 0;
CREATE INDEX alarms_number ON alarms (member, number) WHERE NOT removed;
