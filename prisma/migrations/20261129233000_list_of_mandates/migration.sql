-- Indexes for the list of mandates.
CREATE INDEX "Mandate_environmentId_acceptedAt_seq_idx" ON "Mandate"("environmentId", "acceptedAt", "seq");
CREATE INDEX "Mandate_environmentId_status_acceptedAt_seq_idx" ON "Mandate"("environmentId", "status", "acceptedAt", "seq");
CREATE INDEX "Mandate_environmentId_customerId_acceptedAt_seq_idx" ON "Mandate"("environmentId", "customerId", "acceptedAt", "seq");
