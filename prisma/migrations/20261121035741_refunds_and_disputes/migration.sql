-- CreateEnum
CREATE TYPE "DisputeOutcome" AS ENUM ('won', 'lost');

-- CreateEnum
CREATE TYPE "RefundStatus" AS ENUM ('pending', 'requires_action', 'succeeded', 'failed', 'canceled');

-- CreateEnum
CREATE TYPE "RefundReason" AS ENUM ('duplicate', 'fraudulent', 'requested_by_customer');

-- AlterTable
ALTER TABLE "Transaction" ADD COLUMN     "availableAt" TIMESTAMPTZ(3),
ADD COLUMN     "disputeOutcome" "DisputeOutcome",
ADD COLUMN     "disputeReason" TEXT,
ADD COLUMN     "disputedAt" TIMESTAMPTZ(3),
ADD COLUMN     "feeUsdMinor" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "grossUsdMinor" BIGINT,
ADD COLUMN     "refundedMinor" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "taxUsdMinor" BIGINT;

-- Attempts from before carried no fee, and only those in US dollars are known in US cents.
UPDATE "Transaction" SET "grossUsdMinor" = "amountMinor", "taxUsdMinor" = "taxMinor" WHERE currency = 'usd';
UPDATE "Transaction" SET "availableAt" = "paidAt" + interval '7 days' WHERE provider = 'platform';
ALTER TABLE "Transaction" ALTER COLUMN "feeUsdMinor" DROP DEFAULT, ALTER COLUMN "refundedMinor" DROP DEFAULT;
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_refunded" CHECK ("refundedMinor" BETWEEN 0 AND "amountMinor");
ALTER TABLE "Transaction" ADD CONSTRAINT "Transaction_dispute" CHECK (status <> 'disputed' OR "disputedAt" IS NOT NULL);

-- CreateTable
CREATE TABLE "Refund" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "transactionId" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" "RefundStatus" NOT NULL,
    "reason" "RefundReason",
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Refund_pkey" PRIMARY KEY ("environmentId","id")
);

ALTER TABLE "Refund" ADD CONSTRAINT "Refund_amount" CHECK ("amountMinor" > 0);

-- One refund of an attempt is under way at a time.
CREATE UNIQUE INDEX "Refund_underway" ON "Refund"("environmentId", "transactionId") WHERE status IN ('pending', 'requires_action');

-- CreateIndex
CREATE INDEX "Refund_environmentId_transactionId_idx" ON "Refund"("environmentId", "transactionId");

-- CreateIndex
CREATE INDEX "Refund_environmentId_customerId_idx" ON "Refund"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "Refund_environmentId_createdAt_seq_idx" ON "Refund"("environmentId", "createdAt", "seq");

-- AddForeignKey
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_environmentId_transactionId_fkey" FOREIGN KEY ("environmentId", "transactionId") REFERENCES "Transaction"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "Refund" ADD CONSTRAINT "Refund_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
