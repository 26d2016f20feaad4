-- Recurring revenue of each subscription, and indexes for sorting subscriptions, invoices, and transactions.
ALTER TABLE "Subscription" ADD COLUMN "mrr" BIGINT NOT NULL DEFAULT 0;

UPDATE "Subscription" s SET "mrr" = v.mrr
FROM (
  SELECT e."environmentId", e."subscriptionId",
    ((e.after->>'base')::numeric + (e.after->>'discount')::numeric + (e.after->>'seats')::numeric
      + (e.after->>'quota')::numeric + (e.after->>'addons')::numeric)::bigint AS mrr
  FROM (
    SELECT DISTINCT ON (m."environmentId", m."subscriptionId") m."environmentId", m."subscriptionId", m.after
    FROM "MrrEntry" m ORDER BY m."environmentId", m."subscriptionId", m.seq DESC
  ) AS e WHERE e.after IS NOT NULL
) AS v WHERE s."environmentId" = v."environmentId" AND s.id = v."subscriptionId";

ALTER TABLE "Subscription" ALTER COLUMN "mrr" DROP DEFAULT;

CREATE INDEX "Subscription_environmentId_status_seq_idx" ON "Subscription"("environmentId", "status", "seq");
CREATE INDEX "Subscription_environmentId_mrr_seq_idx" ON "Subscription"("environmentId", "mrr", "seq");
CREATE INDEX "Subscription_by_plan" ON "Subscription" ("environmentId", ("planId" COLLATE "C"), seq);
CREATE INDEX "Subscription_by_period_end" ON "Subscription" ("environmentId", (coalesce("periodEnd", 'infinity'::timestamptz)), seq);
CREATE INDEX "Invoice_environmentId_status_seq_idx" ON "Invoice"("environmentId", "status", "seq");
CREATE INDEX "Transaction_environmentId_status_seq_idx" ON "Transaction"("environmentId", "status", "seq");
