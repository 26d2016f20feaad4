-- Events that features count from the events of other features.
ALTER TABLE "UsageEvent" ADD COLUMN "sourceEventId" TEXT;
CREATE INDEX "UsageEvent_sourced" ON "UsageEvent" ("environmentId", "sourceEventId") WHERE "sourceEventId" IS NOT NULL;
