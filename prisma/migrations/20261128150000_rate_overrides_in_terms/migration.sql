-- Rates for markets and currencies belong to the terms of features, add-ons, and rate cards. Rates that follow an exchange rate are
-- computed from the plan's exchange rates.
ALTER TABLE "PlanFeature" ADD COLUMN "overrides" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "PlanFeatureVersion" ADD COLUMN "overrides" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "Addon" ADD COLUMN "overrides" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "AddonVersion" ADD COLUMN "overrides" JSONB NOT NULL DEFAULT '[]';
ALTER TABLE "RateCard" ADD COLUMN "overrides" JSONB NOT NULL DEFAULT '[]';

UPDATE "PlanFeature" f SET "overrides" = (
  SELECT coalesce(jsonb_agg(jsonb_build_object('marketId', r."marketId", 'currency', r.currency, 'rate', r.rate) ORDER BY r.currency, r.seq), '[]')
  FROM "PlanFeatureRate" r
  WHERE r."environmentId" = f."environmentId" AND r."planId" = f."planId" AND r."featureId" = f."featureId"
    AND r."validTo" IS NULL AND NOT r."autoSynced");

-- A version has the rates that applied when the next version started, or that apply now.
UPDATE "PlanFeatureVersion" v SET "overrides" = (
  SELECT coalesce(jsonb_agg(jsonb_build_object('marketId', r."marketId", 'currency', r.currency, 'rate', r.rate) ORDER BY r.currency, r.seq), '[]')
  FROM "PlanFeatureRate" r
  WHERE r."environmentId" = v."environmentId" AND r."planId" = v."planId" AND r."featureId" = v."featureId" AND NOT r."autoSynced"
    AND r."validFrom" < coalesce(n."validFrom", 'infinity') AND (r."validTo" IS NULL OR r."validTo" >= n."validFrom"))
FROM "PlanFeatureVersion" o LEFT JOIN LATERAL (
  SELECT min(l."validFrom") AS "validFrom" FROM "PlanFeatureVersion" l
  WHERE l."environmentId" = o."environmentId" AND l."planId" = o."planId" AND l."featureId" = o."featureId"
    AND l."validFrom" > o."validFrom") n ON true
WHERE o."environmentId" = v."environmentId" AND o.id = v.id;

ALTER TABLE "PlanFeature" ALTER COLUMN "overrides" DROP DEFAULT;
ALTER TABLE "PlanFeatureVersion" ALTER COLUMN "overrides" DROP DEFAULT;
ALTER TABLE "Addon" ALTER COLUMN "overrides" DROP DEFAULT;
ALTER TABLE "AddonVersion" ALTER COLUMN "overrides" DROP DEFAULT;
ALTER TABLE "RateCard" ALTER COLUMN "overrides" DROP DEFAULT;

DROP TABLE "PlanFeatureRate";
