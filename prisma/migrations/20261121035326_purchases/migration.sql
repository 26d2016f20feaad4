-- AlterTable
ALTER TABLE "Invoice" ADD COLUMN     "purchase" JSONB;
