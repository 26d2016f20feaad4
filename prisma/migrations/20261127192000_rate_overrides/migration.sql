-- A feature can have a rate of its own in a market. At most one current rate per currency and per market.
ALTER TABLE "PlanFeatureRate" ADD COLUMN "marketId" TEXT;
ALTER TABLE "PlanFeatureRate" ADD CONSTRAINT "PlanFeatureRate_environmentId_marketId_fkey" FOREIGN KEY ("environmentId", "marketId") REFERENCES "Market"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
CREATE INDEX "PlanFeatureRate_environmentId_marketId_idx" ON "PlanFeatureRate"("environmentId", "marketId");
DROP INDEX "PlanFeatureRate_one_per_currency";
CREATE UNIQUE INDEX "PlanFeatureRate_one_per_currency" ON "PlanFeatureRate" ("environmentId", "planId", "featureId", currency) WHERE (("validTo" IS NULL) AND ("marketId" IS NULL));
CREATE UNIQUE INDEX "PlanFeatureRate_one_per_market" ON "PlanFeatureRate" ("environmentId", "planId", "featureId", "marketId") WHERE (("validTo" IS NULL) AND ("marketId" IS NOT NULL));
