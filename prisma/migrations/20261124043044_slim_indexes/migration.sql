-- DropIndex
DROP INDEX "Event_environmentId_subscriptionId_position_idx";

-- DropIndex
DROP INDEX "Invoice_environmentId_subscriptionId_createdAt_seq_idx";

-- DropIndex
DROP INDEX "Transaction_environmentId_subscriptionId_createdAt_seq_idx";

-- CreateIndex
CREATE INDEX "Event_environmentId_subscriptionId_idx" ON "Event"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "Invoice_environmentId_subscriptionId_idx" ON "Invoice"("environmentId", "subscriptionId");

-- CreateIndex
CREATE INDEX "Transaction_environmentId_subscriptionId_idx" ON "Transaction"("environmentId", "subscriptionId");
