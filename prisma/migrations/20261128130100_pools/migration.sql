-- Replaces ad360a5c3f5ffec7038edc3d3b1192362958b8ff8da71507b30518066a752bb3, whose updates Citus rejects.
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
UPDATE "Plan" SET "pools" = ('[{"pool": "credits", "rollover": ' || "rollover"::text || '}]')::jsonb
WHERE "rollover" IS NOT NULL AND "consumptionModel" = 'credits';
UPDATE "Plan" SET "pools" = ('[{"pool": "balance", "rollover": ' || "rollover"::text || '}]')::jsonb
WHERE "rollover" IS NOT NULL AND "consumptionModel" = 'balance';
ALTER TABLE "Plan" DROP COLUMN "rollover";

-- The columns of each account become one entry per pool, with amounts as text.
ALTER TABLE "ConsumptionAccount" ADD COLUMN "pools" JSONB NOT NULL DEFAULT '{}';
ALTER TABLE "ConsumptionAccount" ALTER COLUMN "pools" DROP DEFAULT;
UPDATE "ConsumptionAccount" SET "pools" = ('{"credits": {"amount": "' || "credits"::text || '", "granted": "' || "grantedCredits"::text
  || '", "lastRefill": "0", "isLowSent": ' || "isLowSent"::text || '}}')::jsonb
WHERE "credits" <> 0 OR "grantedCredits" <> 0 OR "isLowSent";
UPDATE "ConsumptionAccount" SET "pools" = "pools" || ('{"balance": {"amount": "' || "balanceRate"::text || '", "granted": "' || "grantedRate"::text
  || '", "lastRefill": "' || "lastRefillRate"::text || '", "isLowSent": false}}')::jsonb
WHERE "balanceRate" <> 0 OR "grantedRate" <> 0 OR "lastRefillRate" <> 0;
ALTER TABLE "ConsumptionAccount" DROP COLUMN "credits";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "balanceRate";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "grantedCredits";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "grantedRate";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "isLowSent";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "lastRefillRate";
