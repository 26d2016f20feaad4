-- Granted lots, lots for certain features, and credit packs that expire.
ALTER TYPE "LotSource" ADD VALUE 'promotion' BEFORE 'purchase';
ALTER TYPE "ConsumptionEntryType" ADD VALUE 'revoke' BEFORE 'applied';

ALTER TABLE "Lot" ADD COLUMN "features" JSONB;
UPDATE "Lot" SET "features" = '[]'::jsonb;
ALTER TABLE "Lot" ALTER COLUMN "features" SET NOT NULL;

ALTER TABLE "CreditPack" ADD COLUMN "validDays" INTEGER;

CREATE INDEX "Lot_environmentId_customerId_seq_idx" ON "Lot"("environmentId", "customerId", "seq");

-- Lots expire before daily notices.
UPDATE "Deadline" SET "rank" = 10 WHERE "kind" = 'daily_scan';
