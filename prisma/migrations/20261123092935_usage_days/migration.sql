-- CreateTable
CREATE TABLE "UsageDayCursor" (
    "environmentId" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,
    "seq" BIGINT NOT NULL,
    "nextAt" TIMESTAMPTZ(3) NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "UsageDayCursor_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "UsageDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "featureId" TEXT NOT NULL,
    "model" TEXT,
    "events" BIGINT NOT NULL,
    "units" BIGINT NOT NULL,
    "lateUnits" BIGINT NOT NULL,
    "credits" BIGINT NOT NULL,

    CONSTRAINT "UsageDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "UsageDay_environmentId_day_idx" ON "UsageDay"("environmentId", "day");

-- Sums of environments that exist begin with their first event.
INSERT INTO "UsageDayCursor" ("environmentId", "until", "seq", "nextAt") SELECT "environmentId", 'epoch', 0, 'epoch' FROM "EnvironmentCounter";
