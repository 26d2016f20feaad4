-- AlterTable
ALTER TABLE "MetricsCursor" ADD COLUMN     "closedMonth" TEXT;

-- AlterTable
ALTER TABLE "MrrEntry" ADD COLUMN     "countedOn" TEXT,
ADD COLUMN     "firstEvent" BIGINT,
ADD COLUMN     "lastEvent" BIGINT;

-- All months before the one that was reached are closed.
UPDATE "MetricsCursor" SET "closedMonth" = to_char(to_date(left("day", 7), 'YYYY-MM') - interval '1 month', 'YYYY-MM') WHERE "day" IS NOT NULL;
