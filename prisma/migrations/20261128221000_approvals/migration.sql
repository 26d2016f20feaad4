-- Policies of API keys, gauges of limits on operations, and approvals.
ALTER TYPE "LimitAction" ADD VALUE 'approve';
ALTER TABLE "ApiKey" ADD COLUMN "policy" JSONB;

CREATE TABLE "OperationGauges" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "gauges" JSONB NOT NULL,

    CONSTRAINT "OperationGauges_pkey" PRIMARY KEY ("environmentId","id")
) WITH (fillfactor = 70);

CREATE TYPE "ApprovalStatus" AS ENUM ('pending', 'approved', 'rejected', 'used');

CREATE TABLE "Approval" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "apiKeyId" TEXT,
    "customerId" TEXT,
    "limitId" TEXT,
    "budgetKey" TEXT,
    "raise" BIGINT,
    "operation" TEXT NOT NULL,
    "arguments" JSONB NOT NULL,
    "argumentsHash" TEXT NOT NULL,
    "previewHash" TEXT NOT NULL,
    "preview" JSONB NOT NULL,
    "role" TEXT NOT NULL,
    "status" "ApprovalStatus" NOT NULL,
    "decidedBy" TEXT,
    "note" TEXT,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "decidedAt" TIMESTAMPTZ(3),
    "usedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "Approval_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "Approval_environmentId_createdAt_seq_idx" ON "Approval"("environmentId", "createdAt", "seq");
CREATE INDEX "Approval_environmentId_argumentsHash_idx" ON "Approval"("environmentId", "argumentsHash");
CREATE INDEX "Approval_environmentId_status_expiresAt_idx" ON "Approval"("environmentId", "status", "expiresAt");

-- The counts of payment attempts in the portal are gauges now. Counts of the current day start again.
DROP TABLE "PortalRetryCount";
