-- CreateEnum
CREATE TYPE "PlanGrantStatus" AS ENUM ('active', 'expired', 'revoked');

-- CreateEnum
CREATE TYPE "PlanGrantDuration" AS ENUM ('cycles', 'until_date', 'until_revoked');

-- CreateEnum
CREATE TYPE "PlanGrantSource" AS ENUM ('dashboard', 'api');

-- AlterTable
ALTER TABLE "Subscription" ADD COLUMN     "grantedPlanId" TEXT,
ADD COLUMN     "grantedReleaseSeq" BIGINT;

-- CreateTable
CREATE TABLE "PlanGrant" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "basePlanId" TEXT NOT NULL,
    "planId" TEXT NOT NULL,
    "planReleaseId" TEXT NOT NULL,
    "status" "PlanGrantStatus" NOT NULL,
    "duration" "PlanGrantDuration" NOT NULL,
    "durationCycles" INTEGER,
    "startsAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "reason" TEXT NOT NULL,
    "source" "PlanGrantSource" NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "timeline" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PlanGrant_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "PlanGrant_environmentId_customerId_createdAt_seq_idx" ON "PlanGrant"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PlanGrant_environmentId_subscriptionId_idx" ON "PlanGrant"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "PlanGrant_environmentId_basePlanId_idx" ON "PlanGrant"("environmentId", "basePlanId");

-- CreateIndex
CREATE INDEX "PlanGrant_environmentId_planId_idx" ON "PlanGrant"("environmentId", "planId");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_grantedPlanId_idx" ON "Subscription"("environmentId", "grantedPlanId");

-- AddForeignKey
ALTER TABLE "PlanGrant" ADD CONSTRAINT "PlanGrant_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanGrant" ADD CONSTRAINT "PlanGrant_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanGrant" ADD CONSTRAINT "PlanGrant_environmentId_basePlanId_fkey" FOREIGN KEY ("environmentId", "basePlanId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PlanGrant" ADD CONSTRAINT "PlanGrant_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Subscription" ADD CONSTRAINT "Subscription_environmentId_grantedPlanId_fkey" FOREIGN KEY ("environmentId", "grantedPlanId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- A subscription has one plan grant at a time (SUB-53).
CREATE UNIQUE INDEX "PlanGrant_one_active" ON "PlanGrant" ("environmentId", "subscriptionId") WHERE status = 'active';
