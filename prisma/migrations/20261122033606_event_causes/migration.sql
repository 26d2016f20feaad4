-- DropIndex
DROP INDEX "Event_environmentId_cause_key";

-- Few events have a cause, and nobody looks for those without: they need no entry.
CREATE UNIQUE INDEX "Event_one_per_cause" ON "Event" ("environmentId", cause) WHERE cause IS NOT NULL;
