-- Prices by AI model become rates that are derived from a cost: the token prices of AI models.
ALTER TABLE "PlanFeature" ADD COLUMN "costRate" JSONB;
UPDATE "PlanFeature" SET "rate" = jsonb_strip_nulls(jsonb_build_object('from', 'cost', 'marginBps', "marginBps")), "costRate" = '{"from": "ai_models"}'
  WHERE "pricingMode" = 'ai_model';
ALTER TABLE "PlanFeature" DROP COLUMN "pricingMode", DROP COLUMN "marginBps";

ALTER TABLE "PlanFeatureVersion" ADD COLUMN "costRate" JSONB;
UPDATE "PlanFeatureVersion" SET "rate" = jsonb_strip_nulls(jsonb_build_object('from', 'cost', 'marginBps', "marginBps")), "costRate" = '{"from": "ai_models"}'
  WHERE "pricingMode" = 'ai_model';
ALTER TABLE "PlanFeatureVersion" DROP COLUMN "pricingMode", DROP COLUMN "marginBps";

DROP TYPE "PricingMode";
