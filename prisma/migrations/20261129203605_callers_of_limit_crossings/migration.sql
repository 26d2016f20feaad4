-- CreateIndex
CREATE INDEX "LimitCrossing_environmentId_nodeId_seq_idx" ON "LimitCrossing"("environmentId", "nodeId", "seq");
