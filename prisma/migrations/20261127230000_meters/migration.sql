-- Meters of features: the versions of their definitions, the meter of each usage window, and counts of unique values.
ALTER TABLE "Feature" ADD COLUMN "meters" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "Feature" ALTER COLUMN "meters" DROP DEFAULT;

ALTER TABLE "UsageCounter" ADD COLUMN "meter" JSONB;
ALTER TABLE "UsageCounter" ADD COLUMN "latestAt" TIMESTAMPTZ(3);

ALTER TABLE "UsageEvent" ADD COLUMN "quantity" TEXT;
ALTER TABLE "UsageEvent" ADD COLUMN "units" BIGINT;

ALTER TABLE "UsageAdjustment" ADD COLUMN "units" BIGINT;

ALTER TABLE "InvoiceLine" ADD COLUMN "exactQuantity" TEXT;

CREATE TABLE "UsageValue" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "UsageValue_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "UsageValue_environmentId_subscriptionId_idx" ON "UsageValue"("environmentId", "subscriptionId");
ALTER TABLE "UsageValue" ADD CONSTRAINT "UsageValue_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
