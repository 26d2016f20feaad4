-- CreateTable
CREATE TABLE "ChargeAttempt" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "request" JSONB NOT NULL,
    "isBatch" BOOLEAN NOT NULL,
    "asks" INTEGER NOT NULL,
    "askAt" TIMESTAMPTZ(3),
    "result" JSONB,
    "outcome" JSONB,
    "answeredAt" TIMESTAMPTZ(3),
    "repeats" INTEGER NOT NULL,
    "contradiction" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "ChargeAttempt_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "ChargeAttempt_environmentId_askAt_idx" ON "ChargeAttempt"("environmentId", "askAt");

-- CreateIndex
CREATE INDEX "ChargeAttempt_environmentId_customerId_idx" ON "ChargeAttempt"("environmentId", "customerId");

-- AddForeignKey
ALTER TABLE "ChargeAttempt" ADD CONSTRAINT "ChargeAttempt_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
