-- AlterTable
ALTER TABLE "UsageCounter" ADD COLUMN     "covered" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "UsageCounter" ALTER COLUMN "covered" DROP DEFAULT;
