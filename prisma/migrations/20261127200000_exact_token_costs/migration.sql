-- Replaces 70683a95ab8a7c643151a1724cb2b51e6a486149d0421cbe2ca274b7cbf1cedb, whose updates Citus rejects.
-- Costs of AI tokens become exact: decimals in US dollars for each class of tokens, in which each token has one class.
ALTER TABLE "UsageCounter" ADD COLUMN "price" TEXT NOT NULL DEFAULT '0';
ALTER TABLE "UsageCounter" ALTER COLUMN "price" DROP DEFAULT;

UPDATE "UsageEvent" e SET "tokenCost" = ('{"model": ' || (e."tokenCost"->'model')::text || ', "version": ' || (e."tokenCost"->'version')::text
  || ', "classes": [' || substr(
    CASE WHEN greatest(0, (e."tokenCost"->'tokens'->>'input')::bigint - (e."tokenCost"->'tokens'->>'cacheRead')::bigint - (e."tokenCost"->'tokens'->>'cacheWrite')::bigint) > 0 THEN ',{"class": "input", "tokens": ' || (greatest(0, (e."tokenCost"->'tokens'->>'input')::bigint - (e."tokenCost"->'tokens'->>'cacheRead')::bigint - (e."tokenCost"->'tokens'->>'cacheWrite')::bigint))::text
      || ', "price": "' || round(p."inputRate"::numeric / 10000, 4)::text || '", "amount": "' || round((e."tokenCost"->'cost'->>'input')::bigint::numeric / 10000, 4)::text || '"}' ELSE '' END
    || CASE WHEN (e."tokenCost"->'tokens'->>'cacheRead')::bigint > 0 THEN ',{"class": "cache_read", "tokens": ' || ((e."tokenCost"->'tokens'->>'cacheRead')::bigint)::text
      || ', "price": "' || round(coalesce(p."cacheReadRate", p."inputRate")::numeric / 10000, 4)::text || '", "amount": "' || round((e."tokenCost"->'cost'->>'cacheRead')::bigint::numeric / 10000, 4)::text || '"}' ELSE '' END
    || CASE WHEN (e."tokenCost"->'tokens'->>'cacheWrite')::bigint > 0 THEN ',{"class": "cache_write", "tokens": ' || ((e."tokenCost"->'tokens'->>'cacheWrite')::bigint)::text
      || ', "price": "' || round(coalesce(p."cacheWriteRate", p."inputRate")::numeric / 10000, 4)::text || '", "amount": "' || round((e."tokenCost"->'cost'->>'cacheWrite')::bigint::numeric / 10000, 4)::text || '"}' ELSE '' END
    || CASE WHEN (e."tokenCost"->'tokens'->>'output')::bigint > 0 THEN ',{"class": "output", "tokens": ' || ((e."tokenCost"->'tokens'->>'output')::bigint)::text
      || ', "price": "' || round(p."outputRate"::numeric / 10000, 4)::text || '", "amount": "' || round((e."tokenCost"->'cost'->>'output')::bigint::numeric / 10000, 4)::text || '"}' ELSE '' END, 2)
  || '], "cost": "' || round(((e."tokenCost"->'cost'->>'total')::bigint - (e."tokenCost"->'cost'->>'margin')::bigint)::numeric / 10000, 4)::text
  || '", "margin": "' || round((e."tokenCost"->'cost'->>'margin')::bigint::numeric / 10000, 4)::text
  || '", "total": "' || round((e."tokenCost"->'cost'->>'total')::bigint::numeric / 10000, 4)::text || '"}')::jsonb
FROM "AiModelPrice" p WHERE p.id = e."tokenCost"->>'version';

-- Prices of AI models become documents with all classes of tokens, in US dollars per million tokens.
ALTER TABLE "AiModel" ADD COLUMN "prices" JSONB;
UPDATE "AiModel" SET "prices" = ('[{"upTo": null, "prices": {"input": "' || round("inputRate"::numeric / 10000, 4)::text || '", "output": "' || round("outputRate"::numeric / 10000, 4)::text || '"'
  || coalesce(', "cache_read": "' || round("cacheReadRate"::numeric / 10000, 4)::text || '"', '')
  || coalesce(', "cache_write": "' || round("cacheWriteRate"::numeric / 10000, 4)::text || '"', '') || '}}]')::jsonb;
ALTER TABLE "AiModel" ALTER COLUMN "prices" SET NOT NULL;
ALTER TABLE "AiModel" DROP COLUMN "inputRate", DROP COLUMN "outputRate", DROP COLUMN "cacheReadRate", DROP COLUMN "cacheWriteRate";

ALTER TABLE "AiModelPrice" ADD COLUMN "prices" JSONB;
UPDATE "AiModelPrice" SET "prices" = ('[{"upTo": null, "prices": {"input": "' || round("inputRate"::numeric / 10000, 4)::text || '", "output": "' || round("outputRate"::numeric / 10000, 4)::text || '"'
  || coalesce(', "cache_read": "' || round("cacheReadRate"::numeric / 10000, 4)::text || '"', '')
  || coalesce(', "cache_write": "' || round("cacheWriteRate"::numeric / 10000, 4)::text || '"', '') || '}}]')::jsonb;
ALTER TABLE "AiModelPrice" ALTER COLUMN "prices" SET NOT NULL;
ALTER TABLE "AiModelPrice" DROP COLUMN "inputRate", DROP COLUMN "outputRate", DROP COLUMN "cacheReadRate", DROP COLUMN "cacheWriteRate";
