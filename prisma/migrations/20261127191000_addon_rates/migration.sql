-- Replaces 64e14fdb2383c38fe21b9fe3992f1d275a745d65cb640a84a259c595e1f6857d, whose updates Citus rejects.
-- The overage rate and the credit cost of an add-on become the rate of its feature. Credit costs get versions.
ALTER TABLE "Addon" ADD COLUMN "rate" JSONB;
UPDATE "Addon" SET "rate" = ('{"model": "per_unit", "per": 1, "tiers": [{"upTo": null, "amount": "' || coalesce("creditCost"::text, round("overageRate"::numeric / 10000, 4)::text) || '", "flat": "0"}]}')::jsonb WHERE "overageRate" IS NOT NULL OR "creditCost" IS NOT NULL;

ALTER TABLE "AddonVersion" ADD COLUMN "rate" JSONB;
UPDATE "AddonVersion" SET "rate" = ('{"model": "per_unit", "per": 1, "tiers": [{"upTo": null, "amount": "' || round("overageRate"::numeric / 10000, 4)::text || '", "flat": "0"}]}')::jsonb WHERE "overageRate" IS NOT NULL;
UPDATE "AddonVersion" SET "rate" = "Addon"."rate"
  FROM "Addon"
  WHERE "Addon"."environmentId" = "AddonVersion"."environmentId"
    AND "Addon"."id" = "AddonVersion"."addonId"
    AND "Addon"."creditCost" IS NOT NULL;

ALTER TABLE "Addon" DROP COLUMN "overageRate";
ALTER TABLE "Addon" DROP COLUMN "creditCost";
ALTER TABLE "AddonVersion" DROP COLUMN "overageRate";
