-- Refunds that remove unused credits and balance.
ALTER TYPE "ConsumptionEntryType" ADD VALUE 'refund';
ALTER TABLE "CreditPack" ADD COLUMN "refundTakesBack" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "CreditPack" ALTER COLUMN "refundTakesBack" DROP DEFAULT;
ALTER TABLE "Organization" ADD COLUMN "refundTakesBack" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Organization" ALTER COLUMN "refundTakesBack" DROP DEFAULT;
