-- Crossed thresholds of system limits are counted. Events that were sent are not sent again.
ALTER TABLE "UsageCounter" RENAME COLUMN "alertLevel" TO "crossed";
UPDATE "ConsumptionAccount" SET "pools" = replace(replace("pools"::text, '"isLowSent": true', '"crossed": 1'), '"isLowSent": false', '"crossed": 0')::jsonb
WHERE "pools" <> '{}';
