-- CreateTable
CREATE TABLE "OrganizationClaim" (
    "organizationId" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "claimedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OrganizationClaim_pkey" PRIMARY KEY ("organizationId")
);

-- CreateTable
CREATE TABLE "OpenIdempotencyKey" (
    "operation" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "fingerprint" TEXT NOT NULL,
    "state" "IdempotencyState" NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3) NOT NULL,
    "progress" JSONB NOT NULL,
    "status" INTEGER,
    "body" TEXT,
    "isEncrypted" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OpenIdempotencyKey_pkey" PRIMARY KEY ("operation","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "OrganizationClaim_tokenHash_key" ON "OrganizationClaim"("tokenHash");

-- CreateIndex
CREATE INDEX "OpenIdempotencyKey_expiresAt_idx" ON "OpenIdempotencyKey"("expiresAt");

-- AddForeignKey
ALTER TABLE "OrganizationClaim" ADD CONSTRAINT "OrganizationClaim_organizationId_fkey" FOREIGN KEY ("organizationId") REFERENCES "Organization"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;
