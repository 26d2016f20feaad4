-- Sums are made again from their entries, by scope and span.
DELETE FROM "MrrRollup";
DELETE FROM "MrrCustomer";
DELETE FROM "MrrCustomerDay";
DELETE FROM "MrrMonth";
DELETE FROM "MrrRetention";
DELETE FROM "MrrCohort";
UPDATE "MetricsCursor" SET seq = 0, "day" = NULL, "closedMonth" = NULL, "closesAt" = NULL;

-- DropIndex
DROP INDEX "MrrRollup_environmentId_scope_day_idx";

-- AlterTable
ALTER TABLE "MrrRollup" ADD COLUMN     "span" TEXT NOT NULL;

-- CreateIndex
CREATE INDEX "MrrRollup_environmentId_scope_span_day_idx" ON "MrrRollup"("environmentId", "scope", "span", "day");
