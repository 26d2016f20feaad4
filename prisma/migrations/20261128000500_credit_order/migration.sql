-- Order in which invoices use customer credits.
CREATE TYPE "CreditOrder" AS ENUM ('oldest', 'soonest_expiry');
ALTER TABLE "Organization" ADD COLUMN "creditOrder" "CreditOrder" NOT NULL DEFAULT 'oldest';
ALTER TABLE "Organization" ALTER COLUMN "creditOrder" DROP DEFAULT;
