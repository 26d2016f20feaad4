-- Limits that count usage from before their creation.
ALTER TABLE "Limit" ADD COLUMN "includesPastUsage" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Limit" ALTER COLUMN "includesPastUsage" DROP DEFAULT;
