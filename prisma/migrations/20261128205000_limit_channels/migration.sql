-- Channels of limits, and combined emails about limits.
ALTER TABLE "Limit" ADD COLUMN "channels" TEXT[] NOT NULL DEFAULT ARRAY['webhook']::TEXT[];
ALTER TABLE "Limit" ALTER COLUMN "channels" DROP DEFAULT;
ALTER TABLE "Limit" ADD COLUMN "recipients" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "Limit" ALTER COLUMN "recipients" DROP DEFAULT;
ALTER TYPE "EmailKind" ADD VALUE 'usage_limit';
ALTER TABLE "EmailNotification" ADD COLUMN "combineKey" TEXT;
CREATE INDEX "EmailNotification_environmentId_combineKey_createdAt_idx" ON "EmailNotification"("environmentId", "combineKey", "createdAt");
