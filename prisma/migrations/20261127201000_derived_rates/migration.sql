-- Replaces 4634643e333b92e45446e982d60c828cbe2a6bfe94c1d30a91435f933d9b4da8, whose updates Citus rejects.
-- Prices by AI model become rates that are derived from a cost: the token prices of AI models.
ALTER TABLE "PlanFeature" ADD COLUMN "costRate" JSONB;
UPDATE "PlanFeature" SET "rate" = ('{"from": "cost"' || coalesce(', "marginBps": ' || "marginBps"::text, '') || '}')::jsonb, "costRate" = '{"from": "ai_models"}'
  WHERE "pricingMode" = 'ai_model';
ALTER TABLE "PlanFeature" DROP COLUMN "pricingMode", DROP COLUMN "marginBps";

ALTER TABLE "PlanFeatureVersion" ADD COLUMN "costRate" JSONB;
UPDATE "PlanFeatureVersion" SET "rate" = ('{"from": "cost"' || coalesce(', "marginBps": ' || "marginBps"::text, '') || '}')::jsonb, "costRate" = '{"from": "ai_models"}'
  WHERE "pricingMode" = 'ai_model';
ALTER TABLE "PlanFeatureVersion" DROP COLUMN "pricingMode", DROP COLUMN "marginBps";

DROP TYPE "PricingMode";
