-- Levels of meters that last across usage windows.
ALTER TABLE "UsageCounter" ADD COLUMN "level" BIGINT;
ALTER TABLE "UsageEvent" ADD COLUMN "levelKind" TEXT;
ALTER TABLE "UsageEvent" ADD COLUMN "levelChange" BIGINT;
ALTER TABLE "UsageEvent" ADD COLUMN "level" BIGINT;
