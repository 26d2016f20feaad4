-- Indexes to find old crossings of limits, and raises that ended long ago.
CREATE INDEX "LimitCrossing_createdAt_idx" ON "LimitCrossing"("createdAt");
CREATE INDEX "LimitRaise_until_idx" ON "LimitRaise"("until");
