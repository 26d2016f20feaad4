-- Request log: requests of API keys and members, with masked bodies.
CREATE TYPE "RequestTransport" AS ENUM ('rest', 'graphql', 'mcp');
CREATE TYPE "RequestCallerKind" AS ENUM ('key', 'member');

CREATE TABLE "RequestRecord" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "transport" "RequestTransport" NOT NULL,
    "method" TEXT NOT NULL,
    "route" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "code" TEXT,
    "callerKind" "RequestCallerKind" NOT NULL,
    "callerId" TEXT NOT NULL,
    "customerId" TEXT,
    "idempotencyKey" TEXT,
    "isDryRun" BOOLEAN NOT NULL,
    "replayOf" TEXT,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "apiVersion" TEXT NOT NULL,
    "milliseconds" INTEGER NOT NULL,
    "requestBytes" INTEGER NOT NULL,
    "responseBytes" INTEGER NOT NULL,
    "count" INTEGER NOT NULL,
    "slowestRequestId" TEXT NOT NULL,
    "blockId" TEXT,
    "slot" INTEGER,

    CONSTRAINT "RequestRecord_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE TABLE "RequestBlock" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "RequestBlock_pkey" PRIMARY KEY ("environmentId","id")
);

CREATE INDEX "RequestRecord_environmentId_createdAt_seq_idx" ON "RequestRecord"("environmentId", "createdAt", "seq");
CREATE INDEX "RequestRecord_environmentId_callerId_createdAt_seq_idx" ON "RequestRecord"("environmentId", "callerId", "createdAt", "seq");
CREATE INDEX "RequestRecord_createdAt_idx" ON "RequestRecord"("createdAt");
CREATE INDEX "RequestBlock_environmentId_createdAt_idx" ON "RequestBlock"("environmentId", "createdAt");
CREATE INDEX "RequestBlock_createdAt_idx" ON "RequestBlock"("createdAt");
