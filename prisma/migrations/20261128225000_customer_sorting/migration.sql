-- Columns that the list of customers is sorted by. Existing customers get their values from the stored billing rows.
ALTER TABLE "Customer" ADD COLUMN "sortMrr" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "Customer" ADD COLUMN "sortOutstanding" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "Customer" ADD COLUMN "sortPaid" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "Customer" ADD COLUMN "sortStatus" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "Customer" ADD COLUMN "sortPlan" TEXT NOT NULL DEFAULT '';

UPDATE "Customer" c SET "sortMrr" = v.mrr
FROM (
  SELECT e."environmentId", e."customerId",
    sum((e.after->>'base')::numeric + (e.after->>'discount')::numeric + (e.after->>'seats')::numeric
      + (e.after->>'quota')::numeric + (e.after->>'addons')::numeric)::bigint AS mrr
  FROM (
    SELECT DISTINCT ON (m."environmentId", m."subscriptionId") m."environmentId", m."customerId", m.after
    FROM "MrrEntry" m ORDER BY m."environmentId", m."subscriptionId", m.seq DESC
  ) AS e WHERE e.after IS NOT NULL GROUP BY e."environmentId", e."customerId"
) AS v WHERE c."environmentId" = v."environmentId" AND c.id = v."customerId";

UPDATE "Customer" c SET "sortOutstanding" = v.amount
FROM (
  SELECT i."environmentId", i."customerId", sum((i.total - i."creditedAmount")::numeric * CASE WHEN i.currency IN ('clp', 'pyg', 'jpy', 'krw') THEN 10000 ELSE 100 END)::bigint AS amount
  FROM "Invoice" i WHERE i.status = 'outstanding' AND i."finalizedAt" IS NOT NULL GROUP BY i."environmentId", i."customerId"
) AS v WHERE c."environmentId" = v."environmentId" AND c.id = v."customerId";

UPDATE "Customer" c SET "sortPaid" = v.amount
FROM (
  SELECT t."environmentId", t."customerId", sum(t."amountMinor"::numeric * CASE WHEN t.currency IN ('clp', 'pyg', 'jpy', 'krw') THEN 10000 ELSE 100 END)::bigint AS amount
  FROM "Transaction" t WHERE t."paidAt" IS NOT NULL GROUP BY t."environmentId", t."customerId"
) AS v WHERE c."environmentId" = v."environmentId" AND c.id = v."customerId";

UPDATE "Customer" c SET "sortStatus" = v.rank, "sortPlan" = v."planId"
FROM (
  SELECT DISTINCT ON (s."environmentId", s."customerId") s."environmentId", s."customerId", coalesce(s."planId", '') AS "planId",
    CASE s.status WHEN 'draft' THEN 1 WHEN 'pending_payment' THEN 2 WHEN 'trialing' THEN 3 WHEN 'active' THEN 4 ELSE 5 END AS rank
  FROM "Subscription" s WHERE s.status <> 'canceled'
  ORDER BY s."environmentId", s."customerId", s.status = 'pending_payment', s.seq DESC
) AS v WHERE c."environmentId" = v."environmentId" AND c.id = v."customerId";

ALTER TABLE "Customer" ALTER COLUMN "sortMrr" DROP DEFAULT;
ALTER TABLE "Customer" ALTER COLUMN "sortOutstanding" DROP DEFAULT;
ALTER TABLE "Customer" ALTER COLUMN "sortPaid" DROP DEFAULT;
ALTER TABLE "Customer" ALTER COLUMN "sortStatus" DROP DEFAULT;
ALTER TABLE "Customer" ALTER COLUMN "sortPlan" DROP DEFAULT;

CREATE INDEX "Customer_environmentId_sortMrr_seq_idx" ON "Customer"("environmentId", "sortMrr", "seq");
CREATE INDEX "Customer_environmentId_sortOutstanding_seq_idx" ON "Customer"("environmentId", "sortOutstanding", "seq");
CREATE INDEX "Customer_environmentId_sortPaid_seq_idx" ON "Customer"("environmentId", "sortPaid", "seq");
CREATE INDEX "Customer_environmentId_sortStatus_seq_idx" ON "Customer"("environmentId", "sortStatus", "seq");
CREATE INDEX "Customer_by_country" ON "Customer" ("environmentId", (coalesce(country, '') COLLATE "C"), seq);
CREATE INDEX "Customer_by_plan" ON "Customer" ("environmentId", ("sortPlan" COLLATE "C"), seq);
