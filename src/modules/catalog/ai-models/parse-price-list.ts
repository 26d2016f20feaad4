import { z } from 'zod';
import { type ListedModel, priceUnits, rateOfDecimal } from '../../../domain/usage/model-prices.ts';

// Supported price list formats: the widely used JSON map from models to prices per token, and a plain list of prices per million tokens.
// All prices are in US dollars.

/** Error for an unusable price list. The message is a sentence addressed to the operator of the service. */
export class PriceListError extends Error {
  override name = 'PriceListError';
}

const name = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !text.includes('\u0000'), 'must not contain the null character');

/** Schema for a price in decimal notation. `parseExactly` returns numbers as text. */
const priceIn = (powerOfTen: number) =>
  z.string().transform((text, ctx) => {
    const rate = rateOfDecimal(text, powerOfTen);
    if (rate === null) ctx.addIssue('must be a price of 0 or more');
    return rate ?? z.NEVER;
  });

const perToken = priceIn(priceUnits.perToken);
const perMillion = priceIn(priceUnits.perMillionTokens);

const mapEntry = z.object({
  litellm_provider: name,
  input_cost_per_token: perToken,
  output_cost_per_token: perToken,
  cache_read_input_token_cost: perToken.nullish(),
  cache_creation_input_token_cost: perToken.nullish(),
});

const plainList = z.object({
  models: z.array(
    z.strictObject({
      provider: name,
      name,
      input: perMillion,
      output: perMillion,
      cacheRead: perMillion.nullish(),
      cacheWrite: perMillion.nullish(),
    }),
  ),
});

/** Parses JSON and returns every number as text in its original notation, so that prices don't lose digits. */
function parseExactly(text: string): unknown {
  // TypeScript's types don't include the `context` argument of revivers yet.
  type Reviver = (key: string, value: unknown, ctx: { readonly source?: string }) => unknown;
  const keepText: Reviver = (_key, value, { source }) => (typeof value === 'number' ? source : value);
  try {
    return JSON.parse(text, keepText as (key: string, value: unknown) => unknown);
  } catch (error) {
    throw new PriceListError("The price list isn't valid JSON.", { cause: error });
  }
}

/** Key of the entry that documents the map's format. */
const sampleKey = 'sample_spec';

/** Returns the models in a map. Skips entries without prices for both input and output tokens, because these models are priced differently. */
function modelsOfMap(entries: Readonly<Record<string, unknown>>): ListedModel[] {
  return Object.entries(entries).flatMap(([key, value]) => {
    const entry = key === sampleKey || !name.safeParse(key).success ? null : mapEntry.safeParse(value).data;
    if (!entry) return [];
    const provider = entry.litellm_provider;
    const bare =
      key.startsWith(`${provider}/`) && key.length > provider.length + 1
        ? key.slice(provider.length + 1)
        : key;
    return {
      id: `${provider}/${bare}`,
      provider,
      name: bare,
      prices: {
        input: entry.input_cost_per_token,
        output: entry.output_cost_per_token,
        cacheRead: entry.cache_read_input_token_cost ?? null,
        cacheWrite: entry.cache_creation_input_token_cost ?? null,
      },
    };
  });
}

/** Returns the models in a plain list. Throws `PriceListError` if an entry is invalid. */
function modelsOfList(json: unknown): ListedModel[] {
  const parsed = plainList.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PriceListError(`The price list can't be used: ${issue?.path.join('.')} ${issue?.message}.`);
  }
  return parsed.data.models.map(({ provider, name: bare, input, output, cacheRead, cacheWrite }) => ({
    id: `${provider}/${bare}`,
    provider,
    name: bare,
    prices: { input, output, cacheRead: cacheRead ?? null, cacheWrite: cacheWrite ?? null },
  }));
}

/**
 * Parses a price list and returns its models with exact prices (CON-32a). Throws `PriceListError` if the format is unknown or the list is
 * empty, so that a broken source doesn't empty the catalog.
 */
export function parsePriceList(text: string): ListedModel[] {
  const json = parseExactly(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new PriceListError("The price list isn't a JSON object.");
  const models =
    'models' in json && Array.isArray(json.models)
      ? modelsOfList(json)
      : modelsOfMap(json as Record<string, unknown>);
  if (models.length === 0)
    throw new PriceListError('The price list has no model with prices for input and output tokens.');
  return models;
}
