-- What changes by itself at the end of a period, for the series of scheduled revenue.
CREATE INDEX "Subscription_scheduled" ON "Subscription" ("environmentId", id)
  WHERE (status IN ('trialing', 'active', 'past_due') AND ("cancelAtPeriodEnd" OR "scheduledChange" IS NOT NULL OR status = 'trialing'));
CREATE INDEX "FeatureCount_leaving" ON "FeatureCount" ("environmentId", "customerId") WHERE ("pendingRemovals" > 0);
