-- AlterTable
ALTER TABLE "Subscription" ADD COLUMN     "listBaseMinor" BIGINT,
ADD COLUMN     "recurring" JSONB;

-- Periods that run already were printed at their base less its discount, as far as is known.
UPDATE "Subscription" SET "listBaseMinor" = "effectiveBaseMinor";

-- AlterTable
ALTER TABLE "Subscription" ALTER COLUMN "listBaseMinor" SET NOT NULL;

-- CreateTable
CREATE TABLE "MrrEntry" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "before" JSONB,
    "after" JSONB,
    "occurredAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "MrrEntry_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "MrrEntry_environmentId_seq_idx" ON "MrrEntry"("environmentId", "seq");

-- CreateIndex
CREATE INDEX "MrrEntry_environmentId_customerId_seq_idx" ON "MrrEntry"("environmentId", "customerId", "seq");

-- CreateIndex
CREATE INDEX "MrrEntry_environmentId_subscriptionId_seq_idx" ON "MrrEntry"("environmentId", "subscriptionId", "seq");
