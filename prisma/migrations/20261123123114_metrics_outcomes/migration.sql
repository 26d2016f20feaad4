-- AlterTable
ALTER TABLE "MetricsCursor" ADD COLUMN     "position" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "MetricsCursor" ALTER COLUMN "position" DROP DEFAULT;

-- Usage is added up again, now with its plans and customers.
DELETE FROM "UsageDay";
UPDATE "UsageDayCursor" SET "until" = 'epoch', "seq" = 0, "nextAt" = 'epoch';

-- AlterTable
ALTER TABLE "UsageDay" ADD COLUMN     "planId" TEXT NOT NULL;

-- CreateTable
CREATE TABLE "TrialCase" (
    "environmentId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "endedOn" TIMESTAMPTZ(3),
    "outcome" TEXT NOT NULL,

    CONSTRAINT "TrialCase_pkey" PRIMARY KEY ("environmentId","subscriptionId")
);

-- CreateTable
CREATE TABLE "TrialDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "started" BIGINT NOT NULL,
    "ended" BIGINT NOT NULL,
    "converted" BIGINT NOT NULL,
    "lost" BIGINT NOT NULL,

    CONSTRAINT "TrialDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "RecoveryCase" (
    "environmentId" TEXT NOT NULL,
    "invoiceId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "failedAt" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "outcome" TEXT NOT NULL,

    CONSTRAINT "RecoveryCase_pkey" PRIMARY KEY ("environmentId","invoiceId")
);

-- CreateTable
CREATE TABLE "RecoveryDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "maker" TEXT,
    "attempts" INTEGER,
    "count" BIGINT NOT NULL,
    "amountMinor" BIGINT NOT NULL,

    CONSTRAINT "RecoveryDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "UsageCustomerDay" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "day" TIMESTAMPTZ(3) NOT NULL,
    "featureId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "events" BIGINT NOT NULL,
    "units" BIGINT NOT NULL,
    "lateUnits" BIGINT NOT NULL,
    "credits" BIGINT NOT NULL,

    CONSTRAINT "UsageCustomerDay_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "TrialDay_environmentId_day_idx" ON "TrialDay"("environmentId", "day");

-- CreateIndex
CREATE INDEX "RecoveryDay_environmentId_day_idx" ON "RecoveryDay"("environmentId", "day");

-- CreateIndex
CREATE INDEX "UsageCustomerDay_environmentId_day_idx" ON "UsageCustomerDay"("environmentId", "day");
