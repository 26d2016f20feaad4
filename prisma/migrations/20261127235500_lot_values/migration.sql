-- Prices of lots, and the part of the price for each amount that leaves a lot.
ALTER TABLE "Lot" ADD COLUMN "paidMinor" BIGINT;
UPDATE "Lot" l SET "paidMinor" = i."subtotal" FROM "Invoice" i
WHERE i."environmentId" = l."environmentId" AND i."id" = l."sourceId" AND l."source" IN ('purchase', 'topup') AND l."amount" > 0;

ALTER TABLE "ConsumptionEntry" ADD COLUMN "valueMinor" BIGINT;
UPDATE "ConsumptionEntry" e SET "valueMinor" =
  round(v."paidMinor"::numeric * (v."amount" - v.after) / v."amount") - round(v."paidMinor"::numeric * (v."amount" - v.after + v.change) / v."amount")
FROM (
  SELECT x."environmentId", x."id", x."amount" AS change, l."amount", l."paidMinor",
    sum(x."amount") OVER (PARTITION BY x."environmentId", x."lotId" ORDER BY x."seq") AS after
  FROM "ConsumptionEntry" x JOIN "Lot" l ON l."environmentId" = x."environmentId" AND l."id" = x."lotId"
  WHERE l."paidMinor" IS NOT NULL
) v
WHERE e."environmentId" = v."environmentId" AND e."id" = v."id" AND e."type" NOT IN ('purchase', 'topup');
