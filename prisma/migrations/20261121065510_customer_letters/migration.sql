-- CreateEnum
CREATE TYPE "LetterKind" AS ENUM ('checkout', 'receipt', 'invoice', 'payment_failed', 'trial_ending', 'subscription_canceled', 'refund');

-- CreateEnum
CREATE TYPE "LetterStatus" AS ENUM ('pending', 'sending', 'sent', 'failed', 'unconfirmed', 'canceled');

-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "logoUrl" TEXT,
ADD COLUMN     "mutedLetters" TEXT[],
ADD COLUMN     "replyTo" TEXT;

-- CreateTable
CREATE TABLE "LetterCursor" (
    "environmentId" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "leaseOwner" TEXT,
    "leaseUntil" TIMESTAMPTZ(3),

    CONSTRAINT "LetterCursor_pkey" PRIMARY KEY ("environmentId")
);

-- CreateTable
CREATE TABLE "Letter" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "kind" "LetterKind" NOT NULL,
    "eventId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "subject" TEXT,
    "status" "LetterStatus" NOT NULL,
    "attempts" INTEGER NOT NULL,
    "nextAttemptAt" TIMESTAMPTZ(3),
    "error" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "sentAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Letter_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "Letter_environmentId_status_nextAttemptAt_idx" ON "Letter"("environmentId", "status", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "Letter_environmentId_customerId_createdAt_seq_idx" ON "Letter"("environmentId", "customerId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "Letter_environmentId_createdAt_seq_idx" ON "Letter"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "Letter_environmentId_eventId_key" ON "Letter"("environmentId", "eventId");

-- AddForeignKey
ALTER TABLE "Letter" ADD CONSTRAINT "Letter_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- Nobody is written to about what happened before.
INSERT INTO "LetterCursor" ("environmentId", "position") SELECT "environmentId", "eventPosition" FROM "EnvironmentCounter";
