-- CreateEnum
CREATE TYPE "ConsumptionPool" AS ENUM ('plan_credits', 'purchased_credits', 'money_balance');

-- CreateEnum
CREATE TYPE "ConsumptionEntryType" AS ENUM ('grant', 'reset', 'expiry', 'consumption', 'purchase', 'topup', 'adjustment');

-- CreateTable
CREATE TABLE "AiModel" (
    "id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "inputRate" BIGINT NOT NULL,
    "outputRate" BIGINT NOT NULL,
    "cacheReadRate" BIGINT,
    "cacheWriteRate" BIGINT,
    "isActive" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "AiModel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AiModelPrice" (
    "id" TEXT NOT NULL,
    "modelId" TEXT NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "inputRate" BIGINT NOT NULL,
    "outputRate" BIGINT NOT NULL,
    "cacheReadRate" BIGINT,
    "cacheWriteRate" BIGINT,

    CONSTRAINT "AiModelPrice_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ConsumptionAccount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "planCredits" BIGINT NOT NULL,
    "purchasedCredits" BIGINT NOT NULL,
    "balanceRate" BIGINT NOT NULL,
    "grantedCredits" BIGINT NOT NULL,
    "grantedRate" BIGINT NOT NULL,
    "isLowSent" BOOLEAN NOT NULL,
    "lastRefillRate" BIGINT NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ConsumptionAccount_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "ConsumptionEntry" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "pool" "ConsumptionPool" NOT NULL,
    "type" "ConsumptionEntryType" NOT NULL,
    "amount" BIGINT NOT NULL,
    "resulting" BIGINT NOT NULL,
    "featureId" TEXT,
    "sourceId" TEXT,
    "description" TEXT,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ConsumptionEntry_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "UsageCounter" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "total" BIGINT NOT NULL,
    "consumed" BIGINT NOT NULL,
    "alertLevel" INTEGER NOT NULL,

    CONSTRAINT "UsageCounter_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "UsageEvent" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "eventId" TEXT,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "value" BIGINT NOT NULL,
    "model" TEXT,
    "tokenCost" JSONB,
    "consumptionModel" "ConsumptionModel" NOT NULL,
    "deducted" BIGINT,
    "remaining" BIGINT,
    "isBlocked" BOOLEAN,
    "properties" JSONB NOT NULL,
    "ts" TIMESTAMPTZ(3) NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UsageEvent_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "UsageAdjustment" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "previousValue" BIGINT NOT NULL,
    "value" BIGINT NOT NULL,
    "reason" TEXT,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UsageAdjustment_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "FeatureCount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "pendingRemovals" BIGINT NOT NULL,
    "openingCount" BIGINT NOT NULL,
    "steps" JSONB NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "FeatureCount_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "CountEvent" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "previousBalance" BIGINT NOT NULL,
    "newBalance" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CountEvent_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "AiModel_name_idx" ON "AiModel"("name");

-- CreateIndex
CREATE INDEX "AiModelPrice_modelId_validFrom_idx" ON "AiModelPrice"("modelId", "validFrom");

-- CreateIndex
CREATE INDEX "ConsumptionEntry_environmentId_subscriptionId_seq_idx" ON "ConsumptionEntry"("environmentId", "subscriptionId", "seq");

-- CreateIndex
CREATE INDEX "UsageCounter_environmentId_subscriptionId_idx" ON "UsageCounter"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "UsageCounter_environmentId_featureId_idx" ON "UsageCounter"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "UsageEvent_environmentId_customerId_featureId_ts_idx" ON "UsageEvent"("environmentId", "customerId", "featureId", "ts");

-- CreateIndex
CREATE INDEX "UsageEvent_environmentId_featureId_idx" ON "UsageEvent"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "UsageEvent_environmentId_createdAt_seq_idx" ON "UsageEvent"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "UsageEvent_environmentId_eventId_key" ON "UsageEvent"("environmentId", "eventId");

-- CreateIndex
CREATE INDEX "UsageAdjustment_environmentId_customerId_featureId_createdA_idx" ON "UsageAdjustment"("environmentId", "customerId", "featureId", "createdAt");

-- CreateIndex
CREATE INDEX "UsageAdjustment_environmentId_featureId_idx" ON "UsageAdjustment"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "FeatureCount_environmentId_customerId_idx" ON "FeatureCount"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "FeatureCount_environmentId_featureId_idx" ON "FeatureCount"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "CountEvent_environmentId_customerId_featureId_createdAt_idx" ON "CountEvent"("environmentId", "customerId", "featureId", "createdAt");

-- CreateIndex
CREATE INDEX "CountEvent_environmentId_featureId_idx" ON "CountEvent"("environmentId", "featureId");

-- AddForeignKey
ALTER TABLE "AiModelPrice" ADD CONSTRAINT "AiModelPrice_modelId_fkey" FOREIGN KEY ("modelId") REFERENCES "AiModel"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ConsumptionAccount" ADD CONSTRAINT "ConsumptionAccount_environmentId_id_fkey" FOREIGN KEY ("environmentId", "id") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ConsumptionEntry" ADD CONSTRAINT "ConsumptionEntry_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageCounter" ADD CONSTRAINT "UsageCounter_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageCounter" ADD CONSTRAINT "UsageCounter_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageEvent" ADD CONSTRAINT "UsageEvent_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageEvent" ADD CONSTRAINT "UsageEvent_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageAdjustment" ADD CONSTRAINT "UsageAdjustment_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "UsageAdjustment" ADD CONSTRAINT "UsageAdjustment_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "FeatureCount" ADD CONSTRAINT "FeatureCount_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "FeatureCount" ADD CONSTRAINT "FeatureCount_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CountEvent" ADD CONSTRAINT "CountEvent_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CountEvent" ADD CONSTRAINT "CountEvent_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Subscriptions that exist already get their account.
INSERT INTO "ConsumptionAccount" ("environmentId", id, seq, "customerId", "planCredits", "purchasedCredits", "balanceRate", "grantedCredits", "grantedRate", "isLowSent", "lastRefillRate", "updatedAt")
SELECT "environmentId", id, seq, "customerId", 0, 0, 0, 0, 0, false, 0, "updatedAt" FROM "Subscription";
