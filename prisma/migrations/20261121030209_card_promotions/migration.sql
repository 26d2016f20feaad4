-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "cardPromotions" BOOLEAN NOT NULL DEFAULT false;

-- The default is for organizations that exist already; new ones say what they want.
ALTER TABLE "Organization" ALTER COLUMN "cardPromotions" DROP DEFAULT;

-- CreateTable
CREATE TABLE "CardPromotion" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "offerId" TEXT NOT NULL,
    "billingInterval" "BillingInterval",
    "autoDiscovered" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "CardPromotion_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "CardPromotionBin" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "cardPromotionId" TEXT NOT NULL,

    CONSTRAINT "CardPromotionBin_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "CardPromotion_environmentId_offerId_idx" ON "CardPromotion"("environmentId", "offerId");

-- CreateIndex
CREATE INDEX "CardPromotion_environmentId_createdAt_seq_idx" ON "CardPromotion"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "CardPromotionBin_environmentId_cardPromotionId_idx" ON "CardPromotionBin"("environmentId", "cardPromotionId");

-- AddForeignKey
ALTER TABLE "CardPromotion" ADD CONSTRAINT "CardPromotion_environmentId_offerId_fkey" FOREIGN KEY ("environmentId", "offerId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "CardPromotionBin" ADD CONSTRAINT "CardPromotionBin_environmentId_cardPromotionId_fkey" FOREIGN KEY ("environmentId", "cardPromotionId") REFERENCES "CardPromotion"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
