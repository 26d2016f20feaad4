-- AlterTable
ALTER TABLE "EnvironmentCounter" ADD COLUMN "catalogVersion" TEXT NOT NULL DEFAULT '';
ALTER TABLE "EnvironmentCounter" ALTER COLUMN "catalogVersion" DROP DEFAULT;
