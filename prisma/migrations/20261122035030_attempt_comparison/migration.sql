-- AlterTable
ALTER TABLE "ChargeAttempt" ADD COLUMN     "compareAt" TIMESTAMPTZ(3);

-- Few attempts ever have a reason to be compared; Prisma's models cannot say it, and a schema diff leaves such indexes alone.
CREATE INDEX "ChargeAttempt_to_compare" ON "ChargeAttempt" ("environmentId", "compareAt") WHERE "compareAt" IS NOT NULL;
