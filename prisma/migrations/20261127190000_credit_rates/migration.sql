-- Replaces 20a880ade7717e0e51215cbc613c54c7d646e5c090197c19b8e33d2dc4ac6cd8, whose updates Citus rejects.
-- Credits per unit become rates into credits, whose amounts are decimals of a credit.
UPDATE "PlanFeature" SET "rate" = ('{"model": "per_unit", "per": 1, "tiers": [{"upTo": null, "amount": "' || "creditsPerUnit"::text || '", "flat": "0"}]}')::jsonb WHERE "creditsPerUnit" IS NOT NULL;
ALTER TABLE "PlanFeature" DROP COLUMN "creditsPerUnit";

UPDATE "PlanFeatureVersion" SET "rate" = ('{"model": "per_unit", "per": 1, "tiers": [{"upTo": null, "amount": "' || "creditsPerUnit"::text || '", "flat": "0"}]}')::jsonb WHERE "creditsPerUnit" IS NOT NULL;
ALTER TABLE "PlanFeatureVersion" DROP COLUMN "creditsPerUnit";
