-- CreateEnum
CREATE TYPE "PaymentKind" AS ENUM ('link', 'charge');

-- CreateEnum
CREATE TYPE "PaymentStatus" AS ENUM ('pending', 'processing', 'requires_action', 'failed', 'succeeded', 'canceled');

-- AlterTable
ALTER TABLE "Transaction" ADD COLUMN     "paymentId" TEXT;

-- CreateTable
CREATE TABLE "Payment" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT,
    "payerId" TEXT,
    "kind" "PaymentKind" NOT NULL,
    "status" "PaymentStatus" NOT NULL,
    "provider" "PaymentProvider" NOT NULL,
    "currency" TEXT NOT NULL,
    "subtotalMinor" BIGINT NOT NULL,
    "taxMinor" BIGINT NOT NULL,
    "totalMinor" BIGINT NOT NULL,
    "description" TEXT NOT NULL,
    "metadata" JSONB,
    "successUrl" TEXT,
    "attempt" JSONB,
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "invoiceId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Payment_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "Payment_environmentId_createdAt_seq_idx" ON "Payment"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Payment_environmentId_customerId_createdAt_seq_idx" ON "Payment"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Payment_environmentId_payerId_idx" ON "Payment"("environmentId", "payerId");

-- CreateIndex
CREATE INDEX "Payment_environmentId_invoiceId_idx" ON "Payment"("environmentId", "invoiceId");

-- CreateIndex
-- Partial, since renewals write most transactions and none of them has a payment.
CREATE INDEX "Transaction_environmentId_paymentId_idx" ON "Transaction"("environmentId", "paymentId") WHERE "paymentId" IS NOT NULL;

-- AddForeignKey
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_environmentId_paymentId_fkey" FOREIGN KEY ("environmentId", "paymentId") REFERENCES "Payment"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_environmentId_payerId_fkey" FOREIGN KEY ("environmentId", "payerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Payment" ADD CONSTRAINT "Payment_environmentId_invoiceId_fkey" FOREIGN KEY ("environmentId", "invoiceId") REFERENCES "Invoice"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
