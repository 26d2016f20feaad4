-- AlterTable
ALTER TABLE "OfferApplication" ADD COLUMN     "endedAt" TIMESTAMPTZ(3);
