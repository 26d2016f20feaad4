-- AlterTable
ALTER TABLE "Invoice" ADD COLUMN     "tax" JSONB;

-- CreateTable
CREATE TABLE "TaxRegistration" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "country" TEXT NOT NULL,
    "region" TEXT NOT NULL,
    "rateBps" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "TaxRegistration_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "TaxRegistration_environmentId_createdAt_seq_idx" ON "TaxRegistration"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "TaxRegistration_environmentId_country_region_key" ON "TaxRegistration"("environmentId", "country", "region");
