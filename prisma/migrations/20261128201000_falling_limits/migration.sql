-- Limits on the remaining amount of an account, and amounts that are shares of other numbers.
ALTER TYPE "LimitMeasure" ADD VALUE 'remaining';
ALTER TYPE "LimitCrossingKind" ADD VALUE 'resolved';
ALTER TABLE "Limit" ADD COLUMN "share" JSONB;
ALTER TABLE "Limit" ADD COLUMN "notifyResolved" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Limit" ALTER COLUMN "notifyResolved" DROP DEFAULT;
