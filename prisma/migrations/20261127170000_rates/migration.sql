-- Unit prices become rates: documents with tiers, whose amounts are decimals of the currency unit.
ALTER TABLE "PlanFeature" ADD COLUMN "rate" JSONB;
UPDATE "PlanFeature" SET "rate" = jsonb_build_object(
  'model', 'per_unit',
  'per', 1,
  'tiers', jsonb_build_array(jsonb_build_object(
    'upTo', NULL,
    'amount', to_char("unitPriceRate"::numeric / 10000, 'FM99999999999999990.0000'),
    'flat', '0'
  ))
) WHERE "unitPriceRate" IS NOT NULL;
ALTER TABLE "PlanFeature" DROP COLUMN "unitPriceRate";

ALTER TABLE "PlanFeatureVersion" ADD COLUMN "rate" JSONB;
UPDATE "PlanFeatureVersion" SET "rate" = jsonb_build_object(
  'model', 'per_unit',
  'per', 1,
  'tiers', jsonb_build_array(jsonb_build_object(
    'upTo', NULL,
    'amount', to_char("unitPriceRate"::numeric / 10000, 'FM99999999999999990.0000'),
    'flat', '0'
  ))
) WHERE "unitPriceRate" IS NOT NULL;
ALTER TABLE "PlanFeatureVersion" DROP COLUMN "unitPriceRate";

ALTER TABLE "PlanFeatureRate" ADD COLUMN "rate" JSONB;
UPDATE "PlanFeatureRate" SET "rate" = jsonb_build_object(
  'model', 'per_unit',
  'per', 1,
  'tiers', jsonb_build_array(jsonb_build_object(
    'upTo', NULL,
    'amount', to_char("unitPriceRate"::numeric / 10000, 'FM99999999999999990.0000'),
    'flat', '0'
  ))
);
ALTER TABLE "PlanFeatureRate" ALTER COLUMN "rate" SET NOT NULL;
ALTER TABLE "PlanFeatureRate" DROP COLUMN "unitPriceRate";

-- Recurring revenue contains the rates of seats and quotas.
UPDATE "Subscription" SET "recurring" = jsonb_set("recurring", '{units}', (
  SELECT coalesce(jsonb_agg((unit - 'rate') || jsonb_build_object('rates', jsonb_build_array(jsonb_build_object(
  'model', 'per_unit',
  'per', 1,
  'tiers', jsonb_build_array(jsonb_build_object(
    'upTo', NULL,
    'amount', to_char((unit->>'rate')::bigint::numeric / 10000, 'FM99999999999999990.0000'),
    'flat', '0'
  ))
)))), '[]'::jsonb)
  FROM jsonb_array_elements("recurring"->'units') unit
)) WHERE jsonb_array_length("recurring"->'units') > 0;

ALTER TABLE "InvoiceLine" ADD COLUMN "exactUnitAmount" TEXT;
