-- CreateEnum
CREATE TYPE "PayoutVerificationStatus" AS ENUM ('pending', 'approved', 'rejected');

-- CreateEnum
CREATE TYPE "BusinessType" AS ENUM ('individual', 'company', 'nonprofit');

-- CreateEnum
CREATE TYPE "IdentityDocument" AS ENUM ('passport', 'national_id', 'driving_license', 'residence_permit');

-- CreateTable
CREATE TABLE "PayoutVerification" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "status" "PayoutVerificationStatus" NOT NULL,
    "country" TEXT NOT NULL,
    "businessName" TEXT NOT NULL,
    "businessType" "BusinessType" NOT NULL,
    "personName" TEXT NOT NULL,
    "documentKind" "IdentityDocument" NOT NULL,
    "documentLast4" TEXT NOT NULL,
    "bankAccountId" TEXT NOT NULL,
    "sealedDetails" TEXT,
    "reasons" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),

    CONSTRAINT "PayoutVerification_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "PayoutVerification_environmentId_createdAt_seq_idx" ON "PayoutVerification"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PayoutVerification_environmentId_bankAccountId_idx" ON "PayoutVerification"("environmentId", "bankAccountId");

-- AddForeignKey
ALTER TABLE "PayoutVerification" ADD CONSTRAINT "PayoutVerification_environmentId_bankAccountId_fkey" FOREIGN KEY ("environmentId", "bankAccountId") REFERENCES "PayoutBankAccount"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- One verification of an environment is undecided.
CREATE UNIQUE INDEX "PayoutVerification_one_pending" ON "PayoutVerification"("environmentId") WHERE status = 'pending';
