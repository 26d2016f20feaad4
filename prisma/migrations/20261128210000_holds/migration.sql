-- Holds: reserved usage whose cost is known only afterward.
CREATE TYPE "UsageHoldStatus" AS ENUM ('open', 'settled', 'released', 'expired');
CREATE TYPE "HoldExcess" AS ENUM ('fit', 'accept', 'drop');

ALTER TABLE "UsageCounter" ADD COLUMN "held" JSONB;
ALTER TABLE "UsageEvent" ADD COLUMN "hold" JSONB;

CREATE TABLE "UsageHold" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "holdId" TEXT,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "budgetId" TEXT,
    "status" "UsageHoldStatus" NOT NULL,
    "onExcess" "HoldExcess" NOT NULL,
    "estimate" JSONB NOT NULL,
    "units" BIGINT NOT NULL,
    "price" TEXT,
    "gauges" JSONB NOT NULL,
    "properties" JSONB NOT NULL,
    "settled" BIGINT NOT NULL,
    "lastEventId" TEXT,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "dueAt" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "UsageHold_pkey" PRIMARY KEY ("environmentId","id")
) WITH (fillfactor = 50);

CREATE UNIQUE INDEX "UsageHold_environmentId_holdId_key" ON "UsageHold"("environmentId", "holdId");
CREATE INDEX "UsageHold_environmentId_dueAt_idx" ON "UsageHold"("environmentId", "dueAt");
CREATE INDEX "UsageHold_environmentId_customerId_seq_idx" ON "UsageHold"("environmentId", "customerId", "seq");
CREATE INDEX "UsageHold_environmentId_createdAt_seq_idx" ON "UsageHold"("environmentId", "createdAt", "seq");

ALTER TABLE "UsageHold" ADD CONSTRAINT "UsageHold_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "UsageHold" ADD CONSTRAINT "UsageHold_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "UsageHold" ADD CONSTRAINT "UsageHold_environmentId_featureId_fkey" FOREIGN KEY ("environmentId", "featureId") REFERENCES "Feature"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
