-- Credits per unit become rates into credits, whose amounts are decimals of a credit.
UPDATE "PlanFeature" SET "rate" = jsonb_build_object(
  'model', 'per_unit',
  'per', 1,
  'tiers', jsonb_build_array(jsonb_build_object('upTo', NULL, 'amount', "creditsPerUnit"::text, 'flat', '0'))
) WHERE "creditsPerUnit" IS NOT NULL;
ALTER TABLE "PlanFeature" DROP COLUMN "creditsPerUnit";

UPDATE "PlanFeatureVersion" SET "rate" = jsonb_build_object(
  'model', 'per_unit',
  'per', 1,
  'tiers', jsonb_build_array(jsonb_build_object('upTo', NULL, 'amount', "creditsPerUnit"::text, 'flat', '0'))
) WHERE "creditsPerUnit" IS NOT NULL;
ALTER TABLE "PlanFeatureVersion" DROP COLUMN "creditsPerUnit";
