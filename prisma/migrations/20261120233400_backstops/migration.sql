-- What must be unique among living rows only; Prisma's models cannot say it, and a schema diff leaves such indexes alone.

-- A customer has at most one subscription that stands in the way of another (SUB-3), and at most one open checkout (SUB-12).
CREATE UNIQUE INDEX "Subscription_one_blocking" ON "Subscription" ("environmentId", "customerId") WHERE status IN ('draft', 'trialing', 'active', 'past_due');
CREATE UNIQUE INDEX "Subscription_one_pending" ON "Subscription" ("environmentId", "customerId") WHERE status = 'pending_payment';

-- One unfinished clock run per environment (BIL-52).
CREATE UNIQUE INDEX "TestClockRun_one_unfinished" ON "TestClockRun" ("environmentId") WHERE status IN ('pending', 'running');

-- Catalogue: one default price per plan (CAT-17), one living base price per plan and interval (CAT-14), codes and names of what is not deleted.
CREATE UNIQUE INDEX "PlanPrice_one_default" ON "PlanPrice" ("environmentId", "planId") WHERE "isDefault";
CREATE UNIQUE INDEX "PlanPrice_one_base_per_interval" ON "PlanPrice" ("environmentId", "planId", "billingInterval") WHERE "archivedAt" IS NULL AND "inheritsFromPriceId" IS NULL;
CREATE UNIQUE INDEX "Plan_living_code" ON "Plan" ("environmentId", code) WHERE "deletedAt" IS NULL;
CREATE UNIQUE INDEX "Feature_living_code" ON "Feature" ("environmentId", code) WHERE "deletedAt" IS NULL;
CREATE UNIQUE INDEX "Feature_living_name" ON "Feature" ("environmentId", name) WHERE "deletedAt" IS NULL;
