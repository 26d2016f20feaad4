-- Sums have months beside days, and billed amounts and usage those of each dimension. They follow from transfers, events and entries, and are
-- emptied here: the workers make them again from the first on.
DELETE FROM "LedgerDay";
DELETE FROM "ReceivableDay";
DELETE FROM "BilledDay";
DELETE FROM "SettledDay";
UPDATE "LedgerDayCursor" SET seq = 0;
DELETE FROM "UsageDay";
DELETE FROM "UsageCustomerDay";
UPDATE "UsageDayCursor" SET until = 'epoch', seq = 0, "nextAt" = 'epoch';
DELETE FROM "TrialCase";
DELETE FROM "TrialDay";
DELETE FROM "RecoveryCase";
DELETE FROM "RecoveryDay";
DELETE FROM "MrrRollup";
DELETE FROM "MrrCustomer";
DELETE FROM "MrrCustomerDay";
DELETE FROM "MrrMonth";
DELETE FROM "MrrRetention";
DELETE FROM "MrrCohort";
UPDATE "MetricsCursor" SET seq = 0, position = 0, day = NULL, "closedMonth" = NULL, "closesAt" = NULL;

-- AlterEnum
ALTER TYPE "ExportStatus" ADD VALUE 'delivering';

-- DropIndex
DROP INDEX "BilledDay_environmentId_day_idx";

-- DropIndex
DROP INDEX "LedgerDay_environmentId_day_idx";

-- DropIndex
DROP INDEX "ReceivableDay_environmentId_day_idx";

-- DropIndex
DROP INDEX "RecoveryDay_environmentId_day_idx";

-- DropIndex
DROP INDEX "SettledDay_environmentId_day_idx";

-- DropIndex
DROP INDEX "TrialDay_environmentId_day_idx";

-- DropIndex
DROP INDEX "UsageCustomerDay_environmentId_day_idx";

-- DropIndex
DROP INDEX "UsageDay_environmentId_day_idx";

-- AlterTable
ALTER TABLE "BilledDay" DROP COLUMN "invoiceType",
DROP COLUMN "lineType",
DROP COLUMN "planName",
ADD COLUMN     "groupKey" TEXT NOT NULL,
ADD COLUMN     "scope" TEXT NOT NULL,
ADD COLUMN     "span" TEXT NOT NULL;

-- AlterTable
ALTER TABLE "Export" ADD COLUMN     "deliveredAt" TIMESTAMPTZ(3),
ADD COLUMN     "isForDelivery" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "nextAttemptAt" TIMESTAMPTZ(3);
ALTER TABLE "Export" ALTER COLUMN "isForDelivery" DROP DEFAULT;

-- AlterTable
ALTER TABLE "ExportSchedule" ADD COLUMN     "deliveryError" TEXT,
ADD COLUMN     "failedInRow" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "sealedUrl" TEXT;
ALTER TABLE "ExportSchedule" ALTER COLUMN "failedInRow" DROP DEFAULT;

-- AlterTable
ALTER TABLE "LedgerDay" ADD COLUMN     "span" TEXT NOT NULL;

-- AlterTable
ALTER TABLE "ReceivableDay" ADD COLUMN     "span" TEXT NOT NULL;

-- AlterTable
ALTER TABLE "RecoveryDay" ADD COLUMN     "span" TEXT NOT NULL;

-- AlterTable
ALTER TABLE "SettledDay" ADD COLUMN     "span" TEXT NOT NULL;

-- AlterTable
ALTER TABLE "TrialDay" ADD COLUMN     "span" TEXT NOT NULL;

-- AlterTable
ALTER TABLE "UsageCustomerDay" ADD COLUMN     "span" TEXT NOT NULL;

-- AlterTable
ALTER TABLE "UsageDay" DROP COLUMN "model",
DROP COLUMN "planId",
ADD COLUMN     "groupKey" TEXT NOT NULL,
ADD COLUMN     "scope" TEXT NOT NULL,
ADD COLUMN     "span" TEXT NOT NULL;

-- CreateIndex
CREATE INDEX "BilledDay_environmentId_scope_span_day_idx" ON "BilledDay"("environmentId", "scope", "span", "day");

-- CreateIndex
CREATE INDEX "Export_status_nextAttemptAt_idx" ON "Export"("status", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "LedgerDay_environmentId_span_day_idx" ON "LedgerDay"("environmentId", "span", "day");

-- CreateIndex
CREATE INDEX "ReceivableDay_environmentId_span_day_idx" ON "ReceivableDay"("environmentId", "span", "day");

-- CreateIndex
CREATE INDEX "RecoveryDay_environmentId_span_day_idx" ON "RecoveryDay"("environmentId", "span", "day");

-- CreateIndex
CREATE INDEX "SettledDay_environmentId_span_day_idx" ON "SettledDay"("environmentId", "span", "day");

-- CreateIndex
CREATE INDEX "Subscription_environmentId_canceledAt_idx" ON "Subscription"("environmentId", "canceledAt");

-- CreateIndex
CREATE INDEX "TrialDay_environmentId_span_day_idx" ON "TrialDay"("environmentId", "span", "day");

-- CreateIndex
CREATE INDEX "UsageCustomerDay_environmentId_span_day_idx" ON "UsageCustomerDay"("environmentId", "span", "day");

-- CreateIndex
CREATE INDEX "UsageDay_environmentId_scope_featureId_span_day_idx" ON "UsageDay"("environmentId", "scope", "featureId", "span", "day");
