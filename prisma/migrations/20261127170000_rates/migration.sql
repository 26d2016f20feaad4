-- Replaces 240615790a297f149468e0118b4196f4034b21d29cc6a05a6ed5bfc73c5791ed, whose updates Citus rejects.
-- Unit prices become rates: documents with tiers, whose amounts are decimals of the currency unit.
ALTER TABLE "PlanFeature" ADD COLUMN "rate" JSONB;
UPDATE "PlanFeature" SET "rate" = ('{"model": "per_unit", "per": 1, "tiers": [{"upTo": null, "amount": "' || round("unitPriceRate"::numeric / 10000, 4)::text || '", "flat": "0"}]}')::jsonb WHERE "unitPriceRate" IS NOT NULL;
ALTER TABLE "PlanFeature" DROP COLUMN "unitPriceRate";

ALTER TABLE "PlanFeatureVersion" ADD COLUMN "rate" JSONB;
UPDATE "PlanFeatureVersion" SET "rate" = ('{"model": "per_unit", "per": 1, "tiers": [{"upTo": null, "amount": "' || round("unitPriceRate"::numeric / 10000, 4)::text || '", "flat": "0"}]}')::jsonb WHERE "unitPriceRate" IS NOT NULL;
ALTER TABLE "PlanFeatureVersion" DROP COLUMN "unitPriceRate";

ALTER TABLE "PlanFeatureRate" ADD COLUMN "rate" JSONB;
UPDATE "PlanFeatureRate" SET "rate" = ('{"model": "per_unit", "per": 1, "tiers": [{"upTo": null, "amount": "' || round("unitPriceRate"::numeric / 10000, 4)::text || '", "flat": "0"}]}')::jsonb;
ALTER TABLE "PlanFeatureRate" ALTER COLUMN "rate" SET NOT NULL;
ALTER TABLE "PlanFeatureRate" DROP COLUMN "unitPriceRate";

-- Recurring revenue contains the rates of seats and quotas.
UPDATE "Subscription" SET "recurring" = jsonb_set("recurring", '{units}', (
  SELECT ('[' || string_agg(((unit - 'rate') || ('{"rates": [' || '{"model": "per_unit", "per": 1, "tiers": [{"upTo": null, "amount": "' || round((unit->>'rate')::bigint::numeric / 10000, 4)::text || '", "flat": "0"}]}' || ']}')::jsonb)::text, ', ') || ']')::jsonb
  FROM jsonb_array_elements("recurring"->'units') unit
)) WHERE jsonb_array_length("recurring"->'units') > 0;

ALTER TABLE "InvoiceLine" ADD COLUMN "exactUnitAmount" TEXT;
