-- CreateIndex
CREATE INDEX "UsageEvent_environmentId_customerId_createdAt_seq_idx" ON "UsageEvent"("environmentId", "customerId", "createdAt", "seq");
