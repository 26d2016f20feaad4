-- The overage rate and the credit cost of an add-on become the rate of its feature. Credit costs get versions.
ALTER TABLE "Addon" ADD COLUMN "rate" JSONB;
UPDATE "Addon" SET "rate" = jsonb_build_object(
  'model', 'per_unit',
  'per', 1,
  'tiers', jsonb_build_array(jsonb_build_object(
    'upTo', NULL,
    'amount', CASE WHEN "creditCost" IS NULL
      THEN to_char("overageRate"::numeric / 10000, 'FM99999999999999990.0000')
      ELSE "creditCost"::text
    END,
    'flat', '0'
  ))
) WHERE "overageRate" IS NOT NULL OR "creditCost" IS NOT NULL;

ALTER TABLE "AddonVersion" ADD COLUMN "rate" JSONB;
UPDATE "AddonVersion" SET "rate" = jsonb_build_object(
  'model', 'per_unit',
  'per', 1,
  'tiers', jsonb_build_array(jsonb_build_object(
    'upTo', NULL,
    'amount', to_char("overageRate"::numeric / 10000, 'FM99999999999999990.0000'),
    'flat', '0'
  ))
) WHERE "overageRate" IS NOT NULL;
UPDATE "AddonVersion" SET "rate" = "Addon"."rate"
  FROM "Addon"
  WHERE "Addon"."environmentId" = "AddonVersion"."environmentId"
    AND "Addon"."id" = "AddonVersion"."addonId"
    AND "Addon"."creditCost" IS NOT NULL;

ALTER TABLE "Addon" DROP COLUMN "overageRate";
ALTER TABLE "Addon" DROP COLUMN "creditCost";
ALTER TABLE "AddonVersion" DROP COLUMN "overageRate";
