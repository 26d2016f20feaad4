-- CreateEnum
CREATE TYPE "AddonConsumptionModel" AS ENUM ('boolean', 'metered', 'credits', 'balance');

-- CreateEnum
CREATE TYPE "SubscriptionAddonStatus" AS ENUM ('active', 'inactive');

-- CreateTable
CREATE TABLE "Addon" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "consumptionModel" "AddonConsumptionModel" NOT NULL,
    "basePriceMinor" BIGINT NOT NULL,
    "includedUnits" BIGINT,
    "overageRate" BIGINT,
    "creditCost" BIGINT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Addon_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "AddonVersion" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "addonId" TEXT NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "basePriceMinor" BIGINT NOT NULL,
    "includedUnits" BIGINT,
    "overageRate" BIGINT,

    CONSTRAINT "AddonVersion_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "AddonActivation" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "addonId" TEXT NOT NULL,
    "status" "SubscriptionAddonStatus" NOT NULL,
    "proratedMinor" BIGINT NOT NULL,
    "invoiceId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "deactivatedAt" TIMESTAMPTZ(3),

    CONSTRAINT "AddonActivation_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "Addon_environmentId_featureId_idx" ON "Addon"("environmentId", "featureId");

-- CreateIndex
CREATE INDEX "Addon_environmentId_createdAt_seq_idx" ON "Addon"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "AddonVersion_environmentId_addonId_validFrom_idx" ON "AddonVersion"("environmentId", "addonId", "validFrom");

-- CreateIndex
CREATE INDEX "AddonActivation_environmentId_subscriptionId_createdAt_seq_idx" ON "AddonActivation"("environmentId", "subscriptionId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "AddonActivation_environmentId_addonId_idx" ON "AddonActivation"("environmentId", "addonId");

-- CreateIndex
CREATE INDEX "AddonActivation_environmentId_invoiceId_idx" ON "AddonActivation"("environmentId", "invoiceId");

-- AddForeignKey
ALTER TABLE "Addon" ADD CONSTRAINT "Addon_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "AddonVersion" ADD CONSTRAINT "AddonVersion_environmentId_addonId_fkey" FOREIGN KEY ("environmentId", "addonId") REFERENCES "Addon"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "AddonActivation" ADD CONSTRAINT "AddonActivation_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "AddonActivation" ADD CONSTRAINT "AddonActivation_environmentId_addonId_fkey" FOREIGN KEY ("environmentId", "addonId") REFERENCES "Addon"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "AddonActivation" ADD CONSTRAINT "AddonActivation_environmentId_invoiceId_fkey" FOREIGN KEY ("environmentId", "invoiceId") REFERENCES "Invoice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Add-ons that were not deleted: a slug once, and one per feature (CAT-42).
CREATE UNIQUE INDEX "Addon_living_slug" ON "Addon" ("environmentId", slug) WHERE "deletedAt" IS NULL;
CREATE UNIQUE INDEX "Addon_living_feature" ON "Addon" ("environmentId", "featureId") WHERE "deletedAt" IS NULL;

-- An add-on is active once on a subscription (protocols A2).
CREATE UNIQUE INDEX "AddonActivation_one_active" ON "AddonActivation" ("environmentId", "subscriptionId", "addonId") WHERE status = 'active';
