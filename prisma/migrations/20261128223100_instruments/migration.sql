-- Instruments of payment methods, stages of payment attempts, and mandates. All existing payment methods are cards.
CREATE TYPE "TransactionStage" AS ENUM ('scheduled', 'requested', 'awaiting_payer', 'processing', 'settled', 'declined', 'expired', 'canceled', 'returned');
CREATE TYPE "MandateStatus" AS ENUM ('active', 'revoked');

ALTER TABLE "PaymentMethod" ADD COLUMN "instrument" TEXT NOT NULL DEFAULT 'card';
ALTER TABLE "PaymentMethod" ALTER COLUMN "instrument" DROP DEFAULT;

ALTER TABLE "Transaction" ADD COLUMN "stage" "TransactionStage",
ADD COLUMN "instrument" TEXT NOT NULL DEFAULT 'card',
ADD COLUMN "collectionOn" TIMESTAMPTZ(3),
ADD COLUMN "expectedOn" TIMESTAMPTZ(3),
ADD COLUMN "latestOn" TIMESTAMPTZ(3),
ADD COLUMN "returnedAt" TIMESTAMPTZ(3),
ADD COLUMN "reports" JSONB;
ALTER TABLE "Transaction" ALTER COLUMN "instrument" DROP DEFAULT;

UPDATE "Transaction" t SET "stage" = CASE t."status"
  WHEN 'pending' THEN 'requested'::"TransactionStage"
  WHEN 'failed' THEN (CASE WHEN t."declineCode" IN ('canceled', 'authentication_abandoned') THEN 'canceled' ELSE 'declined' END)::"TransactionStage"
  ELSE 'settled'::"TransactionStage"
END;
ALTER TABLE "Transaction" ALTER COLUMN "stage" SET NOT NULL;

CREATE TABLE "Mandate" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "paymentMethodId" TEXT NOT NULL,
    "status" "MandateStatus" NOT NULL,
    "reference" TEXT NOT NULL,
    "acceptedAt" TIMESTAMPTZ(3) NOT NULL,
    "debits" INTEGER NOT NULL,
    "endedAt" TIMESTAMPTZ(3),
    "reason" TEXT,

    CONSTRAINT "Mandate_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE UNIQUE INDEX "Mandate_environmentId_reference_key" ON "Mandate"("environmentId", "reference");
CREATE INDEX "Mandate_environmentId_customerId_seq_idx" ON "Mandate"("environmentId", "customerId", "seq");
CREATE INDEX "Mandate_environmentId_paymentMethodId_idx" ON "Mandate"("environmentId", "paymentMethodId");

ALTER TABLE "Mandate" ADD CONSTRAINT "Mandate_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "Mandate" ADD CONSTRAINT "Mandate_environmentId_paymentMethodId_fkey" FOREIGN KEY ("environmentId", "paymentMethodId") REFERENCES "PaymentMethod"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
