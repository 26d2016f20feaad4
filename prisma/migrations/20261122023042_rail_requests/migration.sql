-- CreateEnum
CREATE TYPE "RailSubject" AS ENUM ('payout', 'verification');

-- CreateTable
CREATE TABLE "RailRequest" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "subject" "RailSubject" NOT NULL,
    "asks" INTEGER NOT NULL,
    "askedAt" TIMESTAMPTZ(3),
    "askAt" TIMESTAMPTZ(3),
    "isWithdrawn" BOOLEAN NOT NULL,
    "result" JSONB,
    "answeredAt" TIMESTAMPTZ(3),
    "repeats" INTEGER NOT NULL,
    "contradiction" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RailRequest_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "RailRequest_environmentId_askAt_idx" ON "RailRequest"("environmentId", "askAt");
