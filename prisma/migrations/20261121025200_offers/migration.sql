-- AlterTable
ALTER TABLE "OfferApplication" ADD COLUMN     "promoCodeId" TEXT;

-- AlterTable
ALTER TABLE "PlanPrice" ADD COLUMN     "introductoryOfferId" TEXT;

-- CreateTable
CREATE TABLE "Offer" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "name" TEXT NOT NULL,
    "phases" JSONB NOT NULL,
    "metadata" JSONB NOT NULL,
    "startsAt" TIMESTAMPTZ(3),
    "endsAt" TIMESTAMPTZ(3),
    "active" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Offer_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PromoCode" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "code" TEXT NOT NULL,
    "offerId" TEXT NOT NULL,
    "billingInterval" "BillingInterval",
    "planIds" JSONB NOT NULL,
    "maxRedemptions" BIGINT,
    "redemptionCount" BIGINT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "isActive" BOOLEAN NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PromoCode_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateTable
CREATE TABLE "PromoRedemption" (
    "environmentId" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "promoCodeId" TEXT NOT NULL,
    "customerId" TEXT NOT NULL,
    "subscriptionId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "value" BIGINT NOT NULL,
    "amountMinor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "PromoRedemption_pkey" PRIMARY KEY ("environmentId","id")
);

-- CreateIndex
CREATE INDEX "Offer_environmentId_createdAt_seq_idx" ON "Offer"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE INDEX "PromoCode_environmentId_offerId_idx" ON "PromoCode"("environmentId", "offerId");

-- CreateIndex
CREATE INDEX "PromoCode_environmentId_createdAt_seq_idx" ON "PromoCode"("environmentId", "createdAt", "seq");

-- CreateIndex
CREATE UNIQUE INDEX "PromoCode_environmentId_code_key" ON "PromoCode"("environmentId", "code");

-- CreateIndex
CREATE INDEX "PromoRedemption_environmentId_customerId_idx" ON "PromoRedemption"("environmentId", "customerId");

-- CreateIndex
CREATE INDEX "PromoRedemption_environmentId_subscriptionId_idx" ON "PromoRedemption"("environmentId", "subscriptionId");

-- CreateIndex
CREATE UNIQUE INDEX "PromoRedemption_environmentId_promoCodeId_customerId_key" ON "PromoRedemption"("environmentId", "promoCodeId", "customerId");

-- CreateIndex
CREATE INDEX "OfferApplication_environmentId_offerId_idx" ON "OfferApplication"("environmentId", "offerId");

-- CreateIndex
CREATE INDEX "OfferApplication_environmentId_promoCodeId_idx" ON "OfferApplication"("environmentId", "promoCodeId");

-- CreateIndex
CREATE INDEX "PlanPrice_environmentId_introductoryOfferId_idx" ON "PlanPrice"("environmentId", "introductoryOfferId");

-- AddForeignKey
ALTER TABLE "PlanPrice" ADD CONSTRAINT "PlanPrice_environmentId_introductoryOfferId_fkey" FOREIGN KEY ("environmentId", "introductoryOfferId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PromoCode" ADD CONSTRAINT "PromoCode_environmentId_offerId_fkey" FOREIGN KEY ("environmentId", "offerId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PromoRedemption" ADD CONSTRAINT "PromoRedemption_environmentId_promoCodeId_fkey" FOREIGN KEY ("environmentId", "promoCodeId") REFERENCES "PromoCode"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PromoRedemption" ADD CONSTRAINT "PromoRedemption_environmentId_customerId_fkey" FOREIGN KEY ("environmentId", "customerId") REFERENCES "Customer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "PromoRedemption" ADD CONSTRAINT "PromoRedemption_environmentId_subscriptionId_fkey" FOREIGN KEY ("environmentId", "subscriptionId") REFERENCES "Subscription"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "OfferApplication" ADD CONSTRAINT "OfferApplication_environmentId_offerId_fkey" FOREIGN KEY ("environmentId", "offerId") REFERENCES "Offer"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "OfferApplication" ADD CONSTRAINT "OfferApplication_environmentId_promoCodeId_fkey" FOREIGN KEY ("environmentId", "promoCodeId") REFERENCES "PromoCode"("environmentId", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;
