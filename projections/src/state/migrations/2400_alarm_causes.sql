-- What an alarm reports, so that staff can follow it and a sending's alarms can be taken back; none for alarms from before.
ALTER TABLE alarms ADD COLUMN cause_kind text, ADD COLUMN cause text;
-- Staff took it out of the member's drawer.
ALTER TABLE alarms ADD COLUMN withdrawn boolean NOT NULL DEFAULT false;
CREATE INDEX alarms_created ON alarms (created_at DESC, id);
CREATE INDEX alarms_cause ON alarms (cause) WHERE cause IS NOT NULL;
