-- AlterTable
ALTER TABLE "UsageCounter" ADD COLUMN     "covered" BIGINT NOT NULL DEFAULT 0;
