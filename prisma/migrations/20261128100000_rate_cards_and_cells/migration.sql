-- Rates by dimension: saved rate cards, and totals of usage windows by dimension values.
CREATE TABLE "RateCard" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "searchText" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "card" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "RateCard_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "RateCard_environmentId_createdAt_seq_idx" ON "RateCard"("environmentId", "createdAt", "seq");
CREATE UNIQUE INDEX "RateCard_living_code" ON "RateCard"("environmentId", "code") WHERE "deletedAt" IS NULL;

CREATE TABLE "UsageCell" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "featureId" TEXT NOT NULL,
    "windowStart" TIMESTAMPTZ(3) NOT NULL,
    "values" JSONB NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "UsageCell_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "UsageCell_environmentId_subscriptionId_featureId_idx" ON "UsageCell"("environmentId", "subscriptionId", "featureId");
ALTER TABLE "UsageCell" ADD CONSTRAINT "UsageCell_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
