-- Limits on usage, budgets of customers, and their gauges.
CREATE TYPE "LimitMeasure" AS ENUM ('units', 'spend', 'value', 'drawn', 'calls');
CREATE TYPE "LimitAction" AS ENUM ('block', 'notify');
CREATE TYPE "LimitSetter" AS ENUM ('merchant', 'customer');
CREATE TYPE "LimitCrossingKind" AS ENUM ('threshold', 'reached');

ALTER TABLE "EnvironmentCounter" ADD COLUMN "limitVersion" TEXT NOT NULL DEFAULT '';
ALTER TABLE "EnvironmentCounter" ALTER COLUMN "limitVersion" DROP DEFAULT;
ALTER TABLE "UsageEvent" ADD COLUMN "budgetId" TEXT;

CREATE TABLE "Limit" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT,
    "customerId" TEXT,
    "budgetKey" TEXT,
    "each" TEXT,
    "planId" TEXT,
    "measure" "LimitMeasure" NOT NULL,
    "currency" TEXT,
    "asset" TEXT,
    "filter" JSONB NOT NULL,
    "window" JSONB NOT NULL,
    "amount" BIGINT,
    "action" "LimitAction" NOT NULL,
    "thresholds" JSONB NOT NULL,
    "replaces" TEXT,
    "setBy" "LimitSetter" NOT NULL,
    "validFrom" TIMESTAMPTZ(3) NOT NULL,
    "validUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Limit_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE TABLE "Budget" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "parentId" TEXT,
    "name" TEXT,
    "metadata" JSONB NOT NULL,
    "archivedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Budget_pkey" PRIMARY KEY ("environmentId","id")
);

-- Updated rows stay on their page, because no index changes.
CREATE TABLE "LimitState" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "gauges" JSONB NOT NULL,
    "reached" JSONB NOT NULL,

    CONSTRAINT "LimitState_pkey" PRIMARY KEY ("environmentId","id")
) WITH (fillfactor = 70);

CREATE TABLE "LimitRaise" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "limitId" TEXT NOT NULL,
    "nodeId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "budgetKey" TEXT,
    "amount" BIGINT NOT NULL,
    "reason" TEXT,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LimitRaise_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE TABLE "LimitCrossing" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "limitId" TEXT NOT NULL,
    "nodeId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "kind" "LimitCrossingKind" NOT NULL,
    "threshold" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "windowStart" TIMESTAMPTZ(3),
    "windowEnd" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "LimitCrossing_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "Limit_environmentId_customerId_seq_idx" ON "Limit"("environmentId", "customerId", "seq");
CREATE INDEX "Limit_environmentId_createdAt_seq_idx" ON "Limit"("environmentId", "createdAt", "seq");
CREATE INDEX "Limit_environmentId_planId_idx" ON "Limit"("environmentId", "planId");
CREATE INDEX "Budget_environmentId_customerId_seq_idx" ON "Budget"("environmentId", "customerId", "seq");
CREATE INDEX "Budget_environmentId_parentId_idx" ON "Budget"("environmentId", "parentId");
CREATE UNIQUE INDEX "Budget_environmentId_customerId_key_key" ON "Budget"("environmentId", "customerId", "key");
CREATE INDEX "LimitState_environmentId_customerId_idx" ON "LimitState"("environmentId", "customerId");
CREATE INDEX "LimitRaise_environmentId_limitId_seq_idx" ON "LimitRaise"("environmentId", "limitId", "seq");
CREATE INDEX "LimitRaise_environmentId_nodeId_until_idx" ON "LimitRaise"("environmentId", "nodeId", "until");
CREATE INDEX "LimitCrossing_environmentId_seq_idx" ON "LimitCrossing"("environmentId", "seq");
CREATE INDEX "LimitCrossing_environmentId_customerId_seq_idx" ON "LimitCrossing"("environmentId", "customerId", "seq");
CREATE INDEX "LimitCrossing_environmentId_limitId_seq_idx" ON "LimitCrossing"("environmentId", "limitId", "seq");

ALTER TABLE "Limit" ADD CONSTRAINT "Limit_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "Limit" ADD CONSTRAINT "Limit_environmentId_planId_fkey" FOREIGN KEY ("environmentId", "planId") REFERENCES "Plan"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "Budget" ADD CONSTRAINT "Budget_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "Budget" ADD CONSTRAINT "Budget_environmentId_parentId_fkey" FOREIGN KEY ("environmentId", "parentId") REFERENCES "Budget"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "LimitState" ADD CONSTRAINT "LimitState_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "LimitRaise" ADD CONSTRAINT "LimitRaise_environmentId_limitId_fkey" FOREIGN KEY ("environmentId", "limitId") REFERENCES "Limit"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "LimitCrossing" ADD CONSTRAINT "LimitCrossing_environmentId_limitId_fkey" FOREIGN KEY ("environmentId", "limitId") REFERENCES "Limit"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "LimitCrossing" ADD CONSTRAINT "LimitCrossing_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
