-- Places of events that replace other events of a level.
ALTER TABLE "UsageEvent" ADD COLUMN "levelSeq" BIGINT;
