-- Customer credits become lots. Each amount of a credit becomes entries: one per invoice that used the credit or was voided.
ALTER TABLE "Lot" ALTER COLUMN "subscriptionId" DROP NOT NULL;
ALTER TABLE "Lot" ADD COLUMN "creditSource" "CustomerCreditSource";
ALTER TABLE "ConsumptionEntry" ALTER COLUMN "subscriptionId" DROP NOT NULL;

ALTER TABLE "Lot" ADD CONSTRAINT "Lot_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

INSERT INTO "Lot" ("environmentId", "id", "seq", "customerId", "subscriptionId", "asset", "source", "creditSource", "sourceId", "description", "priority",
  "features", "amount", "remaining", "paidMinor", "isOpen", "endsWithWindow", "effectiveAt", "expiresAt", "drawnWindow", "drawnInWindow")
SELECT c."environmentId", c."id", c."seq", c."customerId", NULL, c."currency", 'customer_credit', c."source", c."leftByInvoiceId", c."reason", 50,
  '[]'::jsonb, c."amountMinor" * x.scale, c."remainingMinor" * x.scale, NULL, c."remainingMinor" > 0, false, c."createdAt", c."expiresAt", NULL,
  (c."appliedMinor" - c."reversedMinor") * x.scale
FROM "CustomerCredit" c
CROSS JOIN LATERAL (SELECT CASE WHEN c."currency" IN ('clp', 'pyg', 'jpy', 'krw') THEN 10000 ELSE 100 END::bigint AS scale) x;

INSERT INTO "ConsumptionEntry" ("environmentId", "id", "seq", "customerId", "subscriptionId", "lotId", "asset", "type", "amount", "resulting", "valueMinor",
  "featureId", "sourceId", "description", "windowStart", "occurredAt")
SELECT m."environmentId", m.id, m.seq, l."customerId", NULL, l."id", l."asset", m.type::"ConsumptionEntryType", m.amount * x.scale,
  sum(m.amount * x.scale) OVER (PARTITION BY m."environmentId", l."customerId", l."asset" ORDER BY m.seq, m.id)::bigint,
  NULL, NULL, m."sourceId", NULL, m.at, m.at
FROM (
  SELECT "environmentId", "id" AS "lotId", 'bal_' || substr("id", 5) || 'G' AS id, "seq", 'grant' AS type, "amountMinor" AS amount,
    coalesce("leftByInvoiceId", "id") AS "sourceId", "createdAt" AS at
  FROM "CustomerCredit"
  UNION ALL
  SELECT "environmentId", "id", 'bal_' || substr("id", 5) || 'V', "seq", 'revoke', -"revokedMinor", "id", "updatedAt"
  FROM "CustomerCredit" WHERE "revokedMinor" <> 0
  UNION ALL
  SELECT d."environmentId", d."creditId", 'bal_' || substr(d."id", 5) || 'A', i."seq", 'applied', d."amount", i."id", i."createdAt"
  FROM "InvoiceLine" d JOIN "Invoice" i ON i."environmentId" = d."environmentId" AND i."id" = d."invoiceId"
  WHERE d."creditId" IS NOT NULL
  UNION ALL
  SELECT d."environmentId", d."creditId", 'bal_' || substr(d."id", 5) || 'R', i."seq", 'reversed', -d."amount", i."id", i."updatedAt"
  FROM "InvoiceLine" d JOIN "Invoice" i ON i."environmentId" = d."environmentId" AND i."id" = d."invoiceId"
  WHERE d."creditId" IS NOT NULL AND i."status" = 'void'
) m
JOIN "Lot" l ON l."environmentId" = m."environmentId" AND l."id" = m."lotId"
CROSS JOIN LATERAL (SELECT CASE WHEN l."asset" IN ('clp', 'pyg', 'jpy', 'krw') THEN 10000 ELSE 100 END::bigint AS scale) x;

-- The deadline of a credit removes the remaining amount at the credit's end.
INSERT INTO "Deadline" ("environmentId", "id", "kind", "rank", "dueAt", "customerId", "subscriptionId", "subjectSeq", "state", "attempts", "notBefore", "data")
SELECT l."environmentId", 'lot_expiry:' || l."customerId" || ':' || l."id", 'lot_expiry', 9, l."expiresAt", l."customerId", NULL, c."seq", 'ready', 0, NULL,
  jsonb_build_object('lotId', l."id")
FROM "Lot" l JOIN "Customer" c ON c."environmentId" = l."environmentId" AND c."id" = l."customerId"
WHERE l."source" = 'customer_credit' AND l."isOpen" AND l."expiresAt" IS NOT NULL;

ALTER TABLE "InvoiceLine" DROP CONSTRAINT "InvoiceLine_environmentId_creditId_fkey";
ALTER TABLE "InvoiceLine" ADD CONSTRAINT "InvoiceLine_environmentId_creditId_fkey" FOREIGN KEY ("environmentId", "creditId") REFERENCES "Lot"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
DROP TABLE "CustomerCredit";

CREATE INDEX "Lot_credits" ON "Lot" ("environmentId", "customerId", "effectiveAt", "seq") WHERE "subscriptionId" IS NULL;
CREATE INDEX "Lot_open_credits" ON "Lot" ("environmentId", "customerId") WHERE "subscriptionId" IS NULL AND "isOpen";
ALTER TABLE "Lot" ADD CONSTRAINT "Lot_credit_parts" CHECK (("source" = 'customer_credit') = ("subscriptionId" IS NULL) AND ("source" <> 'customer_credit' OR ("remaining" >= 0 AND "remaining" <= "amount")));
