-- AlterTable
ALTER TABLE "Subscription" ADD COLUMN     "marketId" TEXT;

-- CreateTable
CREATE TABLE "Market" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "metadata" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Market_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "MarketCountry" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "marketId" TEXT NOT NULL,
    "countryCode" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "MarketCountry_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanPriceOverride" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "priceId" TEXT NOT NULL,
    "marketId" TEXT,
    "currency" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "includedBalanceRate" BIGINT,
    "autoSynced" BOOLEAN NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "validTo" TIMESTAMPTZ(3),

    CONSTRAINT "PlanPriceOverride_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanFeatureRate" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "planId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "unitPriceRate" BIGINT NOT NULL,
    "autoSynced" BOOLEAN NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "validTo" TIMESTAMPTZ(3),

    CONSTRAINT "PlanFeatureRate_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PlanExchangeRate" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "planId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "rateE8" BIGINT NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "validTo" TIMESTAMPTZ(3),

    CONSTRAINT "PlanExchangeRate_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "Market_environmentId_createdAt_seq_idx" ON "Market"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "MarketCountry_environmentId_marketId_idx" ON "MarketCountry"("environmentId", "marketId");

-- CreateIndex
CREATE UNIQUE INDEX "MarketCountry_environmentId_countryCode_key" ON "MarketCountry"("environmentId", "countryCode");

-- CreateIndex
CREATE INDEX "PlanPriceOverride_environmentId_priceId_validFrom_idx" ON "PlanPriceOverride"("environmentId", "priceId", "validFrom");

-- CreateIndex
CREATE INDEX "PlanPriceOverride_environmentId_marketId_idx" ON "PlanPriceOverride"("environmentId", "marketId");

-- CreateIndex
CREATE INDEX "PlanFeatureRate_environmentId_planId_featureId_validFrom_idx" ON "PlanFeatureRate"("environmentId", "planId", "featureId", "validFrom");

-- CreateIndex
CREATE INDEX "PlanFeatureRate_environmentId_featureId_idx" ON "PlanFeatureRate"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "PlanExchangeRate_environmentId_planId_validFrom_idx" ON "PlanExchangeRate"("environmentId", "planId", "validFrom");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_marketId_idx" ON "Subscription"("environmentId", "marketId");

-- AddForeignKey
ALTER TABLE "MarketCountry" ADD CONSTRAINT "MarketCountry_environmentId_marketId_fkey" FOREIGN KEY ("environmentId", "marketId") REFERENCES "Market"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanPriceOverride" ADD CONSTRAINT "PlanPriceOverride_environmentId_priceId_fkey" FOREIGN KEY ("environmentId", "priceId") REFERENCES "PlanPrice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanPriceOverride" ADD CONSTRAINT "PlanPriceOverride_environmentId_marketId_fkey" FOREIGN KEY ("environmentId", "marketId") REFERENCES "Market"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanFeatureRate" ADD CONSTRAINT "PlanFeatureRate_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanFeatureRate" ADD CONSTRAINT "PlanFeatureRate_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanExchangeRate" ADD CONSTRAINT "PlanExchangeRate_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_marketId_fkey" FOREIGN KEY ("environmentId", "marketId") REFERENCES "Market"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- A price has one amount at a time in a market and in a currency, a feature one unit price in a currency, a plan one rate (CAT-23, CAT-25).
CREATE UNIQUE INDEX "PlanPriceOverride_one_per_market" ON "PlanPriceOverride" ("environmentId", "priceId", "marketId") WHERE "validTo" IS NULL AND "marketId" IS NOT NULL;
CREATE UNIQUE INDEX "PlanPriceOverride_one_per_currency" ON "PlanPriceOverride" ("environmentId", "priceId", currency) WHERE "validTo" IS NULL AND "marketId" IS NULL;
CREATE UNIQUE INDEX "PlanFeatureRate_one_per_currency" ON "PlanFeatureRate" ("environmentId", "planId", "featureId", currency) WHERE "validTo" IS NULL;
CREATE UNIQUE INDEX "PlanExchangeRate_one_per_currency" ON "PlanExchangeRate" ("environmentId", "planId", currency) WHERE "validTo" IS NULL;
