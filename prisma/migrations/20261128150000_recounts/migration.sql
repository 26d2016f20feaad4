-- Features whose open usage windows are counted again after dimensions were added to a meter.
CREATE TABLE "MeterRecount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "requestedAt" TIMESTAMPTZ(3) NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "MeterRecount_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "MeterRecount_requestedAt_idx" ON "MeterRecount"("requestedAt");

DROP INDEX "UsageCounter_environmentId_featureId_idx";
CREATE INDEX "UsageCounter_environmentId_featureId_id_idx" ON "UsageCounter"("environmentId", "featureId", "id");

CREATE INDEX "UsageCell_windowStart_idx" ON "UsageCell"("windowStart");
