-- Credits and balances become lots. Each account gets one lot per earlier pool, with the pool's entries.
CREATE TYPE "LotSource" AS ENUM ('plan', 'purchase', 'topup', 'adjustment', 'overdraft');
ALTER TYPE "ConsumptionEntryType" ADD VALUE 'return' BEFORE 'purchase';
ALTER TYPE "ConsumptionEntryType" ADD VALUE 'applied';

CREATE TABLE "Lot" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "asset" TEXT NOT NULL,
    "source" "LotSource" NOT NULL,
    "sourceId" TEXT,
    "description" TEXT,
    "priority" INTEGER NOT NULL,
    "amount" BIGINT NOT NULL,
    "remaining" BIGINT NOT NULL,
    "isOpen" BOOLEAN NOT NULL,
    "endsWithWindow" BOOLEAN NOT NULL,
    "effectiveAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "drawnWindow" TIMESTAMPTZ(3),
    "drawnInWindow" BIGINT NOT NULL,

    CONSTRAINT "Lot_pkey" PRIMARY KEY ("environmentId","id")
);
ALTER TABLE "Lot" SET (fillfactor=50);
ALTER TABLE "Lot" SET (autovacuum_vacuum_scale_factor=0.01);
CREATE INDEX "Lot_environmentId_subscriptionId_seq_idx" ON "Lot"("environmentId", "subscriptionId", "seq");
CREATE INDEX "Lot_open" ON "Lot" ("environmentId", "subscriptionId") WHERE "isOpen";
ALTER TABLE "Lot" ADD CONSTRAINT "Lot_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

INSERT INTO "Lot" ("environmentId", "id", "seq", "customerId", "subscriptionId", "asset", "source", "priority", "amount", "remaining",
  "isOpen", "endsWithWindow", "effectiveAt", "expiresAt", "drawnInWindow")
SELECT a."environmentId", 'lot_' || substr(a."id", 5) || 'P', e."seq", a."customerId", a."id", 'credits', 'plan', 0,
  greatest(a."planCredits", a."grantedCredits"), a."planCredits", true, true, e."occurredAt", s."windowEnd", 0
FROM "ConsumptionAccount" a
JOIN "Subscription" s ON s."environmentId" = a."environmentId" AND s."id" = a."id"
JOIN (
  SELECT "environmentId", "subscriptionId", min("seq") AS "seq", min("occurredAt") AS "occurredAt"
  FROM "ConsumptionEntry" WHERE "pool" = 'plan_credits' GROUP BY "environmentId", "subscriptionId"
) e ON e."environmentId" = a."environmentId" AND e."subscriptionId" = a."id";

INSERT INTO "Lot" ("environmentId", "id", "seq", "customerId", "subscriptionId", "asset", "source", "priority", "amount", "remaining",
  "isOpen", "endsWithWindow", "effectiveAt", "drawnInWindow")
SELECT a."environmentId", 'lot_' || substr(a."id", 5) || 'Q', e."seq", a."customerId", a."id", 'credits', 'purchase', 10,
  e."amount", a."purchasedCredits", a."purchasedCredits" > 0, false, e."occurredAt", 0
FROM "ConsumptionAccount" a
JOIN (
  SELECT "environmentId", "subscriptionId", min("seq") AS "seq", min("occurredAt") AS "occurredAt",
    coalesce(sum("amount") FILTER (WHERE "amount" > 0), 0)::bigint AS "amount"
  FROM "ConsumptionEntry" WHERE "pool" = 'purchased_credits' GROUP BY "environmentId", "subscriptionId"
) e ON e."environmentId" = a."environmentId" AND e."subscriptionId" = a."id";

INSERT INTO "Lot" ("environmentId", "id", "seq", "customerId", "subscriptionId", "asset", "source", "priority", "amount", "remaining",
  "isOpen", "endsWithWindow", "effectiveAt", "expiresAt", "drawnInWindow")
SELECT a."environmentId", 'lot_' || substr(a."id", 5) || 'M', e."seq", a."customerId", a."id", s."currency",
  CASE WHEN a."balanceRate" < 0 THEN 'overdraft'::"LotSource" ELSE 'plan'::"LotSource" END,
  CASE WHEN a."balanceRate" < 0 THEN 100 ELSE 0 END,
  CASE WHEN a."balanceRate" < 0 THEN 0 ELSE greatest(a."balanceRate", a."grantedRate") END, a."balanceRate",
  true, a."balanceRate" >= 0, e."occurredAt", CASE WHEN a."balanceRate" < 0 THEN NULL ELSE s."windowEnd" END, 0
FROM "ConsumptionAccount" a
JOIN "Subscription" s ON s."environmentId" = a."environmentId" AND s."id" = a."id"
JOIN (
  SELECT "environmentId", "subscriptionId", min("seq") AS "seq", min("occurredAt") AS "occurredAt"
  FROM "ConsumptionEntry" WHERE "pool" = 'money_balance' GROUP BY "environmentId", "subscriptionId"
) e ON e."environmentId" = a."environmentId" AND e."subscriptionId" = a."id";

ALTER TABLE "ConsumptionEntry" ADD COLUMN "lotId" TEXT;
ALTER TABLE "ConsumptionEntry" ADD COLUMN "asset" TEXT;
UPDATE "ConsumptionEntry" e SET
  "lotId" = 'lot_' || substr(e."subscriptionId", 5)
    || CASE e."pool" WHEN 'plan_credits' THEN 'P' WHEN 'purchased_credits' THEN 'Q' ELSE 'M' END,
  "asset" = CASE WHEN e."pool" = 'money_balance' THEN s."currency" ELSE 'credits' END
FROM "Subscription" s WHERE s."environmentId" = e."environmentId" AND s."id" = e."subscriptionId";

-- Entries contain the amount of the account after the entry, no longer the amount of the pool.
UPDATE "ConsumptionEntry" e SET "resulting" = r."resulting"
FROM (
  SELECT "environmentId", "id",
    sum("amount") OVER (PARTITION BY "environmentId", "subscriptionId" ORDER BY "seq")::bigint AS "resulting"
  FROM "ConsumptionEntry" WHERE "asset" = 'credits'
) r WHERE r."environmentId" = e."environmentId" AND r."id" = e."id" AND r."resulting" <> e."resulting";

ALTER TABLE "ConsumptionEntry" ALTER COLUMN "lotId" SET NOT NULL;
ALTER TABLE "ConsumptionEntry" ALTER COLUMN "asset" SET NOT NULL;
ALTER TABLE "ConsumptionEntry" DROP COLUMN "pool";
DROP TYPE "ConsumptionPool";
CREATE INDEX "ConsumptionEntry_environmentId_lotId_seq_idx" ON "ConsumptionEntry"("environmentId", "lotId", "seq");

ALTER TABLE "ConsumptionAccount" ADD COLUMN "credits" BIGINT;
UPDATE "ConsumptionAccount" SET "credits" = "planCredits" + "purchasedCredits";
ALTER TABLE "ConsumptionAccount" ALTER COLUMN "credits" SET NOT NULL;
ALTER TABLE "ConsumptionAccount" DROP COLUMN "planCredits";
ALTER TABLE "ConsumptionAccount" DROP COLUMN "purchasedCredits";
