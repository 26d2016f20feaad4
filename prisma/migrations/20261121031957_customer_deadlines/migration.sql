-- AlterTable
ALTER TABLE "Deadline" ALTER COLUMN "subscriptionId" DROP NOT NULL;

-- Duties of customers themselves are few; they are found by their customer, and the others need no entry.
CREATE INDEX "Deadline_of_customer" ON "Deadline" ("environmentId", "customerId") WHERE "subscriptionId" IS NULL;
