-- CreateTable
CREATE TABLE "CreditPack" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "credits" BIGINT NOT NULL,
    "priceMinor" BIGINT NOT NULL,
    "isActive" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "CreditPack_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "CreditPack_environmentId_createdAt_seq_idx" ON "CreditPack"("environmentId", "createdAt", "seq");


-- A name among the packs that were not deleted, active or not (CAT-46).
CREATE UNIQUE INDEX "CreditPack_living_name" ON "CreditPack" ("environmentId", name) WHERE "deletedAt" IS NULL;
