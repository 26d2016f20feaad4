-- Renewals that customers pay themselves, because no stored payment method can be charged for them.
ALTER TABLE "Organization" ADD COLUMN "collectByPayer" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN "collectionDueDays" INTEGER NOT NULL DEFAULT 3;
ALTER TABLE "Organization" ALTER COLUMN "collectByPayer" DROP DEFAULT;
ALTER TABLE "Organization" ALTER COLUMN "collectionDueDays" DROP DEFAULT;
ALTER TABLE "Invoice" ADD COLUMN "payableUntil" TIMESTAMPTZ(3);

-- The end of a collection runs before the dunning retries of the same instant.
UPDATE "Deadline" SET "rank" = "rank" + 1 WHERE "rank" >= 3;
