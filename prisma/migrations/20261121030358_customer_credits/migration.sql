-- CreateEnum
CREATE TYPE "CustomerCreditSource" AS ENUM ('dashboard', 'api', 'plan_change', 'migration');

-- AlterTable
ALTER TABLE "InvoiceLine" ADD COLUMN     "creditId" TEXT;

-- CreateTable
CREATE TABLE "CustomerCredit" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "customerId" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "source" "CustomerCreditSource" NOT NULL,
    "reason" TEXT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "appliedMinor" BIGINT NOT NULL,
    "reversedMinor" BIGINT NOT NULL,
    "revokedMinor" BIGINT NOT NULL,
    "remainingMinor" BIGINT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "CustomerCredit_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "CustomerCredit_environmentId_customerId_createdAt_seq_idx" ON "CustomerCredit"("environmentId", "customerId", "createdAt", "seq");

-- AddForeignKey
ALTER TABLE "CustomerCredit" ADD CONSTRAINT "CustomerCredit_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "InvoiceLine" ADD CONSTRAINT "InvoiceLine_environmentId_creditId_fkey" FOREIGN KEY ("environmentId", "creditId") REFERENCES "CustomerCredit"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- What remains is what the movements leave, and never less than nothing (BIL-19).
ALTER TABLE "CustomerCredit" ADD CONSTRAINT "CustomerCredit_parts" CHECK (
  "remainingMinor" = "amountMinor" - "appliedMinor" + "reversedMinor" - "revokedMinor" AND "remainingMinor" >= 0
  AND "amountMinor" > 0 AND "reversedMinor" BETWEEN 0 AND "appliedMinor" AND "revokedMinor" >= 0);

-- What every invoice of a customer asks for, and the few lines that draw on a credit.
CREATE INDEX "CustomerCredit_usable" ON "CustomerCredit" ("environmentId", "customerId") WHERE "remainingMinor" > 0;
CREATE INDEX "InvoiceLine_credit" ON "InvoiceLine" ("environmentId", "creditId") WHERE "creditId" IS NOT NULL;
