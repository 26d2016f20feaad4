CREATE TYPE "LimitCrossingCause" AS ENUM ('amount', 'rejected');
ALTER TABLE "LimitCrossing" ADD COLUMN "cause" "LimitCrossingCause";
CREATE INDEX "LimitCrossing_environmentId_windowEnd_idx" ON "LimitCrossing"("environmentId", "windowEnd");
CREATE INDEX "AutoTopUp_environmentId_status_idx" ON "AutoTopUp"("environmentId", "status");
