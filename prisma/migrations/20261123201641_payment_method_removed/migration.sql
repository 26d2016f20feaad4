-- AlterTable
ALTER TABLE "PaymentMethod" ADD COLUMN     "removedAt" TIMESTAMPTZ(3);
