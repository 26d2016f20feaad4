-- CreateTable
CREATE TABLE "MetricsCursor" (
    "environmentId" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "day" TEXT,
    "closesAt" TIMESTAMPTZ(3),
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "MetricsCursor_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "MrrCustomer" (
    "environmentId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "opening" JSONB NOT NULL,
    "current" JSONB NOT NULL,
    "reasons" JSONB NOT NULL,
    "paidBefore" TEXT,
    "firstPaidDay" TEXT,

    CONSTRAINT "MrrCustomer_pkey" PRIMARY KEY ("environmentId","customerId")
);

-- CreateTable
CREATE TABLE "MrrCustomerDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "day" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "before" BIGINT NOT NULL,
    "after" BIGINT NOT NULL,
    "planIds" TEXT[],

    CONSTRAINT "MrrCustomerDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "MrrRollup" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "day" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "groupKey" TEXT NOT NULL,
    "otherKey" TEXT NOT NULL,
    "amount" BIGINT NOT NULL,
    "customers" BIGINT NOT NULL,
    "base" BIGINT NOT NULL,
    "discount" BIGINT NOT NULL,
    "seats" BIGINT NOT NULL,
    "quota" BIGINT NOT NULL,
    "addons" BIGINT NOT NULL,
    "atRisk" BIGINT NOT NULL,
    "paying" BIGINT NOT NULL,

    CONSTRAINT "MrrRollup_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "MrrMonth" (
    "environmentId" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "mrr" BIGINT NOT NULL,

    CONSTRAINT "MrrMonth_pkey" PRIMARY KEY ("environmentId","month","currency","customerId")
);

-- CreateTable
CREATE TABLE "MrrRetention" (
    "environmentId" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "months" INTEGER NOT NULL,
    "currency" TEXT NOT NULL,
    "customers" BIGINT NOT NULL,
    "left" BIGINT NOT NULL,
    "opening" BIGINT NOT NULL,
    "closing" BIGINT NOT NULL,
    "retained" BIGINT NOT NULL,

    CONSTRAINT "MrrRetention_pkey" PRIMARY KEY ("environmentId","month","months","currency")
);

-- CreateTable
CREATE TABLE "MrrCohort" (
    "environmentId" TEXT NOT NULL,
    "cohort" TEXT NOT NULL,
    "month" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "customers" BIGINT NOT NULL,
    "mrr" BIGINT NOT NULL,

    CONSTRAINT "MrrCohort_pkey" PRIMARY KEY ("environmentId","cohort","month","currency")
);

-- CreateIndex
CREATE INDEX "MrrCustomerDay_environmentId_day_seq_idx" ON "MrrCustomerDay"("environmentId", "day", "seq");

-- CreateIndex
CREATE INDEX "MrrCustomerDay_environmentId_customerId_day_seq_idx" ON "MrrCustomerDay"("environmentId", "customerId", "day", "seq");

-- CreateIndex
CREATE INDEX "MrrRollup_environmentId_scope_day_idx" ON "MrrRollup"("environmentId", "scope", "day");

-- Environments that exist already.
INSERT INTO "MetricsCursor" ("environmentId", "seq") SELECT id, 0 FROM "Environment";
