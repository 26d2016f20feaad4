-- AlterTable
ALTER TABLE "Subscription" ADD COLUMN     "pendingCheckout" JSONB;
