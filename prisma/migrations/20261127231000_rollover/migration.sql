-- Unused amounts of plans that roll over to later usage windows.
ALTER TYPE "LotSource" ADD VALUE 'rollover' BEFORE 'promotion';
ALTER TYPE "ConsumptionEntryType" ADD VALUE 'rollover';
ALTER TABLE "Plan" ADD COLUMN "rollover" JSONB;
