-- Costs of AI tokens become exact: decimals in US dollars for each class of tokens, in which each token has one class.
ALTER TABLE "UsageCounter" ADD COLUMN "price" TEXT NOT NULL DEFAULT '0';
ALTER TABLE "UsageCounter" ALTER COLUMN "price" DROP DEFAULT;

UPDATE "UsageEvent" e SET "tokenCost" = jsonb_build_object(
  'model', e."tokenCost"->'model',
  'version', e."tokenCost"->'version',
  'classes', (
    SELECT coalesce(jsonb_agg(jsonb_build_object(
      'class', c.class,
      'tokens', c.tokens,
      'price', to_char(c.price::numeric / 10000, 'FM99999999999999990.0000'),
      'amount', to_char(c.amount::numeric / 10000, 'FM99999999999999990.0000')
    ) ORDER BY c.place), '[]'::jsonb)
    FROM (VALUES
      (1, 'input', greatest(0, (e."tokenCost"->'tokens'->>'input')::bigint - (e."tokenCost"->'tokens'->>'cacheRead')::bigint - (e."tokenCost"->'tokens'->>'cacheWrite')::bigint),
        p."inputRate", (e."tokenCost"->'cost'->>'input')::bigint),
      (2, 'cache_read', (e."tokenCost"->'tokens'->>'cacheRead')::bigint, coalesce(p."cacheReadRate", p."inputRate"), (e."tokenCost"->'cost'->>'cacheRead')::bigint),
      (3, 'cache_write', (e."tokenCost"->'tokens'->>'cacheWrite')::bigint, coalesce(p."cacheWriteRate", p."inputRate"), (e."tokenCost"->'cost'->>'cacheWrite')::bigint),
      (4, 'output', (e."tokenCost"->'tokens'->>'output')::bigint, p."outputRate", (e."tokenCost"->'cost'->>'output')::bigint)
    ) c(place, class, tokens, price, amount)
    WHERE c.tokens > 0
  ),
  'cost', to_char(((e."tokenCost"->'cost'->>'total')::bigint - (e."tokenCost"->'cost'->>'margin')::bigint)::numeric / 10000, 'FM99999999999999990.0000'),
  'margin', to_char((e."tokenCost"->'cost'->>'margin')::bigint::numeric / 10000, 'FM99999999999999990.0000'),
  'total', to_char((e."tokenCost"->'cost'->>'total')::bigint::numeric / 10000, 'FM99999999999999990.0000')
) FROM "AiModelPrice" p WHERE p.id = e."tokenCost"->>'version';

-- Prices of AI models become documents with all classes of tokens, in US dollars per million tokens.
ALTER TABLE "AiModel" ADD COLUMN "prices" JSONB;
UPDATE "AiModel" SET "prices" = jsonb_build_array(jsonb_build_object('upTo', NULL, 'prices', jsonb_strip_nulls(jsonb_build_object(
  'input', to_char("inputRate"::numeric / 10000, 'FM99999999999999990.0000'),
  'output', to_char("outputRate"::numeric / 10000, 'FM99999999999999990.0000'),
  'cache_read', to_char("cacheReadRate"::numeric / 10000, 'FM99999999999999990.0000'),
  'cache_write', to_char("cacheWriteRate"::numeric / 10000, 'FM99999999999999990.0000')
))));
ALTER TABLE "AiModel" ALTER COLUMN "prices" SET NOT NULL;
ALTER TABLE "AiModel" DROP COLUMN "inputRate", DROP COLUMN "outputRate", DROP COLUMN "cacheReadRate", DROP COLUMN "cacheWriteRate";

ALTER TABLE "AiModelPrice" ADD COLUMN "prices" JSONB;
UPDATE "AiModelPrice" SET "prices" = jsonb_build_array(jsonb_build_object('upTo', NULL, 'prices', jsonb_strip_nulls(jsonb_build_object(
  'input', to_char("inputRate"::numeric / 10000, 'FM99999999999999990.0000'),
  'output', to_char("outputRate"::numeric / 10000, 'FM99999999999999990.0000'),
  'cache_read', to_char("cacheReadRate"::numeric / 10000, 'FM99999999999999990.0000'),
  'cache_write', to_char("cacheWriteRate"::numeric / 10000, 'FM99999999999999990.0000')
))));
ALTER TABLE "AiModelPrice" ALTER COLUMN "prices" SET NOT NULL;
ALTER TABLE "AiModelPrice" DROP COLUMN "inputRate", DROP COLUMN "outputRate", DROP COLUMN "cacheReadRate", DROP COLUMN "cacheWriteRate";
