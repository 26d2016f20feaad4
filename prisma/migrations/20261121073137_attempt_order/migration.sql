-- CreateIndex
CREATE INDEX "ChargeAttempt_environmentId_createdAt_id_idx" ON "ChargeAttempt"("environmentId", "createdAt", "id");
