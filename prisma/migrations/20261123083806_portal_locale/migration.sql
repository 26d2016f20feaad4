-- AlterTable
ALTER TABLE "PortalSession" ADD COLUMN     "locale" "Language";
