-- Rows that every usage event writes over keep room beside them, so that a new version lands on the same page and no index is touched.
ALTER TABLE "UsageCounter" SET (fillfactor = 50);
ALTER TABLE "ConsumptionAccount" SET (fillfactor = 50);
