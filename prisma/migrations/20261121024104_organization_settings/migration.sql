-- CreateEnum
CREATE TYPE "Language" AS ENUM ('en', 'es');

-- AlterTable
ALTER TABLE "Organization" ADD COLUMN     "accentColor" TEXT,
ADD COLUMN     "customerEmails" BOOLEAN NOT NULL DEFAULT true,
ADD COLUMN     "issuerAddress" TEXT,
ADD COLUMN     "issuerName" TEXT,
ADD COLUMN     "issuerTaxId" TEXT,
ADD COLUMN     "language" "Language" NOT NULL DEFAULT 'en',
ADD COLUMN     "notificationEmail" TEXT;

-- The defaults are for organizations that exist already; new ones say what they want.
ALTER TABLE "Organization" ALTER COLUMN "customerEmails" DROP DEFAULT,
ALTER COLUMN "language" DROP DEFAULT;
