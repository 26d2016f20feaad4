-- Gauges of limits on all customers of an organization or a plan.
CREATE TABLE "SharedGauge" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "nodeId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "start" BIGINT NOT NULL,
    "end" BIGINT,
    "used" DECIMAL NOT NULL,
    "held" DECIMAL NOT NULL,
    "peak" DECIMAL NOT NULL,
    "heldPeak" DECIMAL NOT NULL,
    "sentPeak" DECIMAL NOT NULL,
    "sentHeldPeak" DECIMAL NOT NULL,
    "rejected" JSONB NOT NULL,
    "reached" JSONB NOT NULL,
    "ended" JSONB NOT NULL,
    "crossedAt" TIMESTAMPTZ(3),
    "isCounting" BOOLEAN NOT NULL,

    CONSTRAINT "SharedGauge_pkey" PRIMARY KEY ("environmentId","id")
) WITH (fillfactor = 70);

-- Crossings and raises of limits of the organization or a plan belong to no customer.
ALTER TABLE "LimitCrossing" ALTER COLUMN "customerId" DROP NOT NULL;
ALTER TABLE "LimitRaise" ALTER COLUMN "customerId" DROP NOT NULL;
