-- Amounts of limits per currency.
ALTER TABLE "Limit" ADD COLUMN "amounts" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "Limit" ALTER COLUMN "amounts" DROP DEFAULT;
ALTER TABLE "LimitCrossing" ADD COLUMN "currency" TEXT;
