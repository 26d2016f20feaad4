-- CreateEnum
CREATE TYPE "PayoutAccountStatus" AS ENUM ('none', 'pending', 'verified', 'rejected');

-- CreateEnum
CREATE TYPE "BankAccountType" AS ENUM ('checking', 'savings');

-- CreateEnum
CREATE TYPE "BankAccountStatus" AS ENUM ('active', 'errored');

-- CreateEnum
CREATE TYPE "PayoutStatus" AS ENUM ('pending', 'in_transit', 'paid', 'failed', 'canceled');

-- CreateTable
CREATE TABLE "PayoutAccount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "status" "PayoutAccountStatus" NOT NULL,
    "country" TEXT,
    "releasedUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PayoutAccount_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PayoutBankAccount" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "holderName" TEXT NOT NULL,
    "sealedNumber" TEXT NOT NULL,
    "sealedRoutingNumber" TEXT,
    "last4" TEXT NOT NULL,
    "bankName" TEXT,
    "country" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "accountType" "BankAccountType",
    "isDefault" BOOLEAN NOT NULL,
    "status" "BankAccountStatus" NOT NULL,
    "providerExternalAccountId" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PayoutBankAccount_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "Payout" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "status" "PayoutStatus" NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "feeMinor" BIGINT NOT NULL,
    "description" TEXT,
    "bankAccountId" TEXT,
    "providerTransferId" TEXT NOT NULL,
    "nextStepAt" TIMESTAMPTZ(3),
    "failureCode" TEXT,
    "failureMessage" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Payout_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "PayoutAccount_environmentId_key" ON "PayoutAccount"("environmentId");

-- CreateIndex
CREATE INDEX "PayoutBankAccount_environmentId_createdAt_seq_idx" ON "PayoutBankAccount"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Payout_environmentId_createdAt_seq_idx" ON "Payout"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Payout_environmentId_bankAccountId_idx" ON "Payout"("environmentId", "bankAccountId");

-- AddForeignKey
ALTER TABLE "Payout" ADD CONSTRAINT "Payout_environmentId_bankAccountId_fkey" FOREIGN KEY ("environmentId", "bankAccountId") REFERENCES "PayoutBankAccount"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Few payouts are under way, and few of them move on by themselves.
CREATE INDEX "Payout_under_way_idx" ON "Payout"("environmentId") WHERE status IN ('pending', 'in_transit');
CREATE INDEX "Payout_next_step_idx" ON "Payout"("environmentId", "nextStepAt") WHERE "nextStepAt" IS NOT NULL;

-- One bank account is the default.
CREATE UNIQUE INDEX "PayoutBankAccount_default_key" ON "PayoutBankAccount"("environmentId") WHERE "isDefault";

-- What is held until a later day, and what moved the available balance: neither grows with the number of charges of long ago.
CREATE INDEX "Transaction_environmentId_availableAt_idx" ON "Transaction"("environmentId", "availableAt") WHERE "availableAt" IS NOT NULL;
CREATE INDEX "LedgerTransfer_available_idx" ON "LedgerTransfer"("environmentId")
  WHERE "debitAccount" = 'merchant_available' OR "creditAccount" = 'merchant_available';
