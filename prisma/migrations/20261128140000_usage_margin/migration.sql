-- Exact price and cost of usage events, changes of both after the events, and their sums by month.
ALTER TABLE "UsageEvent" ADD COLUMN "cost" TEXT;
ALTER TABLE "UsageEvent" ADD COLUMN "exchangeRateE8" BIGINT;
ALTER TABLE "UsageCounter" ADD COLUMN "recorded" TEXT NOT NULL DEFAULT '0';
ALTER TABLE "UsageCounter" ALTER COLUMN "recorded" DROP DEFAULT;

CREATE TYPE "UsagePriceChangeKind" AS ENUM ('window_end', 'correction', 'set');

CREATE TABLE "UsagePriceChange" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "kind" "UsagePriceChangeKind" NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "planId" TEXT NOT NULL,
    "model" TEXT,
    "currency" TEXT NOT NULL,
    "price" TEXT,
    "cost" TEXT,
    "exchangeRateE8" BIGINT,
    "ts" TIMESTAMPTZ(3) NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UsagePriceChange_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "UsagePriceChange_environmentId_seq_idx" ON "UsagePriceChange"("environmentId", "seq");
CREATE INDEX "UsagePriceChange_environmentId_customerId_idx" ON "UsagePriceChange"("environmentId", "customerId");
CREATE INDEX "UsagePriceChange_environmentId_featureId_idx" ON "UsagePriceChange"("environmentId", "featureId");
ALTER TABLE "UsagePriceChange" ADD CONSTRAINT "UsagePriceChange_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "UsagePriceChange" ADD CONSTRAINT "UsagePriceChange_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

CREATE TABLE "MarginDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "scope" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "groupKey" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "price" DECIMAL(65,0) NOT NULL,
    "cost" DECIMAL(65,0) NOT NULL,
    "priceUsd" DECIMAL(65,0) NOT NULL,
    "costUsd" DECIMAL(65,0) NOT NULL,
    "missingCost" DECIMAL(65,0) NOT NULL,
    "missingUsd" DECIMAL(65,0) NOT NULL,
    "days" SMALLINT[],
    "priceDays" DECIMAL(65,0)[],
    "costDays" DECIMAL(65,0)[],
    "priceUsdDays" DECIMAL(65,0)[],
    "costUsdDays" DECIMAL(65,0)[],
    "missingCostDays" DECIMAL(65,0)[],
    "missingUsdDays" DECIMAL(65,0)[],

    CONSTRAINT "MarginDay_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "MarginDay_environmentId_scope_featureId_month_idx" ON "MarginDay"("environmentId", "scope", "featureId", "month");

CREATE TABLE "MarginCustomerDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "month" TIMESTAMPTZ(3) NOT NULL,
    "featureId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "price" DECIMAL(65,0) NOT NULL,
    "cost" DECIMAL(65,0) NOT NULL,
    "priceUsd" DECIMAL(65,0) NOT NULL,
    "costUsd" DECIMAL(65,0) NOT NULL,
    "missingCost" DECIMAL(65,0) NOT NULL,
    "missingUsd" DECIMAL(65,0) NOT NULL,
    "days" SMALLINT[],
    "priceDays" DECIMAL(65,0)[],
    "costDays" DECIMAL(65,0)[],
    "priceUsdDays" DECIMAL(65,0)[],
    "costUsdDays" DECIMAL(65,0)[],
    "missingCostDays" DECIMAL(65,0)[],
    "missingUsdDays" DECIMAL(65,0)[],

    CONSTRAINT "MarginCustomerDay_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "MarginCustomerDay_environmentId_month_idx" ON "MarginCustomerDay"("environmentId", "month");

-- The sums contain prices and costs from this version on.
INSERT INTO "SumCursor" ("environmentId", "source", "seq", "until", "nextAt")
SELECT "environmentId", 'margin', 0, 'epoch'::timestamptz, 'epoch'::timestamptz FROM "SumCursor" WHERE "source" = 'usage';
