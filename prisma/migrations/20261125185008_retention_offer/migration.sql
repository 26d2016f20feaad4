-- AlterEnum
ALTER TYPE "OfferApplicationSource" ADD VALUE 'retention';

-- CreateTable
CREATE TABLE "RetentionOffer" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "offerId" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "RetentionOffer_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "RetentionOffer_environmentId_offerId_idx" ON "RetentionOffer"("environmentId", "offerId");

-- AddForeignKey
ALTER TABLE "RetentionOffer" ADD CONSTRAINT "RetentionOffer_environmentId_offerId_fkey" FOREIGN KEY ("environmentId", "offerId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
