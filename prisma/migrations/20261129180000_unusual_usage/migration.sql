-- Unusual values of a day that a limit reports.
ALTER TABLE "Limit" ADD COLUMN "anomaly" JSONB;
ALTER TYPE "LimitCrossingKind" ADD VALUE 'anomaly';
