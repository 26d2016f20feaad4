-- AlterTable
ALTER TABLE "OfferApplication" ADD COLUMN     "cardPromotionId" TEXT;

-- AlterTable
ALTER TABLE "PaymentMethod" ADD COLUMN     "bin" TEXT;

-- CreateIndex
CREATE INDEX "OfferApplication_environmentId_cardPromotionId_idx" ON "OfferApplication"("environmentId", "cardPromotionId");

-- AddForeignKey
ALTER TABLE "OfferApplication" ADD CONSTRAINT "OfferApplication_environmentId_cardPromotionId_fkey" FOREIGN KEY ("environmentId", "cardPromotionId") REFERENCES "CardPromotion"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
