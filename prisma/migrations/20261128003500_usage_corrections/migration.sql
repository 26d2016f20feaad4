-- Corrections of usage events, and the exact price of events whose price depends on a cost.
ALTER TABLE "UsageEvent" ADD COLUMN "price" TEXT;

CREATE TYPE "UsageCorrectionKind" AS ENUM ('void', 'replace');

CREATE TABLE "UsageCorrection" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "kind" "UsageCorrectionKind" NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "usageEventId" TEXT NOT NULL,
    "replacementId" TEXT,
    "units" BIGINT NOT NULL,
    "difference" BIGINT NOT NULL,
    "deducted" BIGINT,
    "waived" BIGINT,
    "reason" TEXT,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UsageCorrection_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE UNIQUE INDEX "UsageCorrection_environmentId_usageEventId_key" ON "UsageCorrection"("environmentId", "usageEventId");
CREATE INDEX "UsageCorrection_environmentId_seq_idx" ON "UsageCorrection"("environmentId", "seq");
CREATE INDEX "UsageCorrection_environmentId_customerId_seq_idx" ON "UsageCorrection"("environmentId", "customerId", "seq");
CREATE INDEX "UsageCorrection_environmentId_subscriptionId_featureId_idx" ON "UsageCorrection"("environmentId", "subscriptionId", "featureId");
CREATE INDEX "UsageCorrection_environmentId_featureId_idx" ON "UsageCorrection"("environmentId", "featureId");
ALTER TABLE "UsageCorrection" ADD CONSTRAINT "UsageCorrection_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "UsageCorrection" ADD CONSTRAINT "UsageCorrection_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
