-- Custom units, and any number of pools per plan and account.
CREATE TABLE "Asset" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "symbol" TEXT,
    "decimals" INTEGER NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "archivedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Asset_pkey" PRIMARY KEY ("environmentId","id")
);
CREATE UNIQUE INDEX "Asset_living_code" ON "Asset"("environmentId", "code");

ALTER TABLE "CreditPack" ADD COLUMN "asset" TEXT NOT NULL DEFAULT 'credits';
ALTER TABLE "CreditPack" ALTER COLUMN "asset" DROP DEFAULT;

ALTER TABLE "PlanPrice" ADD COLUMN "includedUnits" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "PlanPrice" ALTER COLUMN "includedUnits" DROP DEFAULT;
ALTER TABLE "PlanPriceVersion" ADD COLUMN "includedUnits" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "PlanPriceVersion" ALTER COLUMN "includedUnits" DROP DEFAULT;

ALTER TABLE "PlanFeature" ADD COLUMN "settle" TEXT;
ALTER TABLE "PlanFeatureVersion" ADD COLUMN "settle" TEXT;
ALTER TABLE "UsageEvent" ADD COLUMN "asset" TEXT;
ALTER TABLE "UsageEvent" ADD COLUMN "decimals" INTEGER;
ALTER TABLE "EndedUsage" ADD COLUMN "asset" TEXT;
ALTER TABLE "EndedUsage" ADD COLUMN "decimals" INTEGER;

ALTER TABLE "Plan" ADD COLUMN "pools" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "Plan" ALTER COLUMN "pools" DROP DEFAULT;
UPDATE "Plan" SET "pools" = jsonb_build_array(jsonb_build_object('pool', "consumptionModel", 'rollover', "rollover"))
WHERE "rollover" IS NOT NULL AND "consumptionModel" <> 'metered';
ALTER TABLE "Plan" DROP COLUMN "rollover";

-- The columns of each account become one entry per pool, with amounts as text.
ALTER TABLE "ConsumptionAccount" ADD COLUMN "pools" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "ConsumptionAccount" ALTER COLUMN "pools" DROP DEFAULT;
UPDATE "ConsumptionAccount" SET "pools" =
  CASE WHEN "credits" = 0 AND "grantedCredits" = 0 AND NOT "isLowSent" THEN '{}'::jsonb ELSE jsonb_build_object('credits', jsonb_build_object(
    'amount', "credits"::text, 'granted', "grantedCredits"::text, 'lastRefill', '0', 'isLowSent', "isLowSent")) END
  || CASE WHEN "balanceRate" = 0 AND "grantedRate" = 0 AND "lastRefillRate" = 0 THEN '{}'::jsonb ELSE jsonb_build_object('balance', jsonb_build_object(
    'amount', "balanceRate"::text, 'granted', "grantedRate"::text, 'lastRefill', "lastRefillRate"::text, 'isLowSent', false)) END;
ALTER TABLE "ConsumptionAccount" DROP COLUMN "credits";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "balanceRate";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "grantedCredits";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "grantedRate";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "isLowSent";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "lastRefillRate";
