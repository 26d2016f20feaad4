-- Receipts: money that payers send without a charge. Parts of invoices that were paid, and money on account.
CREATE TYPE "ReceiptStatus" AS ENUM ('unmatched', 'on_account', 'applied', 'returned');
CREATE TYPE "ReceiptSource" AS ENUM ('manual', 'simulation', 'statement', 'late_payment');

ALTER TABLE "Customer" ADD COLUMN "hasMoneyOnAccount" BOOLEAN NOT NULL DEFAULT false;
ALTER TABLE "Customer" ALTER COLUMN "hasMoneyOnAccount" DROP DEFAULT;
ALTER TABLE "Invoice" ADD COLUMN "paidInParts" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "Invoice" ALTER COLUMN "paidInParts" DROP DEFAULT;
ALTER TABLE "Transaction" ADD COLUMN "receiptId" TEXT;

CREATE TABLE "Receipt" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT,
    "invoiceId" TEXT,
    "status" "ReceiptStatus" NOT NULL,
    "source" "ReceiptSource" NOT NULL,
    "instrument" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "appliedMinor" BIGINT NOT NULL,
    "returnedMinor" BIGINT NOT NULL,
    "reference" TEXT,
    "payerName" TEXT,
    "bankReference" TEXT NOT NULL,
    "lateOf" TEXT,
    "receivedAt" TIMESTAMPTZ(3) NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Receipt_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE UNIQUE INDEX "Receipt_environmentId_bankReference_key" ON "Receipt"("environmentId", "bankReference");
CREATE INDEX "Receipt_environmentId_customerId_createdAt_seq_idx" ON "Receipt"("environmentId", "customerId", "createdAt", "seq");
CREATE INDEX "Receipt_environmentId_createdAt_seq_idx" ON "Receipt"("environmentId", "createdAt", "seq");
CREATE INDEX "Receipt_environmentId_status_createdAt_seq_idx" ON "Receipt"("environmentId", "status", "createdAt", "seq");
CREATE INDEX "Receipt_environmentId_invoiceId_idx" ON "Receipt"("environmentId", "invoiceId");
CREATE INDEX "Transaction_environmentId_receiptId_idx" ON "Transaction"("environmentId", "receiptId");

ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "Receipt" ADD CONSTRAINT "Receipt_environmentId_invoiceId_fkey" FOREIGN KEY ("environmentId", "invoiceId") REFERENCES "Invoice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_receiptId_fkey" FOREIGN KEY ("environmentId", "receiptId") REFERENCES "Receipt"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
