-- Prices of billed overdrafts of custom units, so that corrections can price an overdraft again.
ALTER TABLE "EndedUsage" ADD COLUMN "deficitPrice" TEXT;
-- The balance that was billed applies to usage that was deducted from money.
UPDATE "EndedUsage" SET "deficitRate" = 0 WHERE "consumptionModel" <> 'balance';
