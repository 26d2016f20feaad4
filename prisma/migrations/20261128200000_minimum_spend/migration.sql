-- Minimum spend per billing period of a price, and of the current period of a subscription.
ALTER TABLE "PlanPrice" ADD COLUMN "minimumMinor" BIGINT;
ALTER TABLE "PlanPriceVersion" ADD COLUMN "minimumMinor" BIGINT;
ALTER TABLE "Subscription" ADD COLUMN "minimumSpend" JSONB;
