-- Parties that ended mandates, and an index for payments that are confirmed later. Until now, only banks ended mandates.
CREATE TYPE "MandateEnder" AS ENUM ('customer', 'merchant', 'bank');

ALTER TABLE "Mandate" ADD COLUMN "endedBy" "MandateEnder";
UPDATE "Mandate" SET "endedBy" = 'bank' WHERE "status" = 'revoked';

-- Mandates of payment methods that were removed.
UPDATE "Mandate" t SET "status" = 'revoked', "endedBy" = 'merchant', "endedAt" = m."removedAt" FROM "PaymentMethod" m
WHERE t."status" = 'active' AND m."environmentId" = t."environmentId" AND m."id" = t."paymentMethodId" AND m."removedAt" IS NOT NULL;

CREATE INDEX "Transaction_confirmed_later" ON "Transaction" ("environmentId", "paidAt") WHERE "expectedOn" IS NOT NULL;
