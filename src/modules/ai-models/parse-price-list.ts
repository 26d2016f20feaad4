import { z } from 'zod';
import { type ListedModel, priceUnits, rateOfDecimal } from '../../domain/usage/model-prices.ts';

// What sources of prices send, in two shapes: the widely used map from model to prices per token, and a plain list of prices per million
// tokens. All prices are US dollars.

/** A list of prices that cannot be used; the message is a sentence for the person who runs the service. */
export class PriceListError extends Error {
  override name = 'PriceListError';
}

const name = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !text.includes('\u0000'), 'must not contain the null character');

/** A price as the decimal text it is written as; `parseExactly` leaves numbers as such. */
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

/** Parses JSON with every number as the text it is written as, so that no digit of a price is lost. */
function parseExactly(text: string): unknown {
  // The source text of a number is newer than the types of the language.
  type Reviver = (key: string, value: unknown, ctx: { readonly source?: string }) => unknown;
  const keepText: Reviver = (_key, value, { source }) => (typeof value === 'number' ? source : value);
  try {
    return JSON.parse(text, keepText as (key: string, value: unknown) => unknown);
  } catch (error) {
    throw new PriceListError('The list of prices is not JSON.', { cause: error });
  }
}

/** The entry of the map that only shows its shape. */
const specimen = 'sample_spec';

/** Models of a map; entries without a price for both input and output tokens are left out: they are priced by something else. */
function modelsOfMap(entries: Readonly<Record<string, unknown>>): ListedModel[] {
  return Object.entries(entries).flatMap(([key, value]) => {
    const entry = key === specimen || !name.safeParse(key).success ? null : mapEntry.safeParse(value).data;
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

/** Models of a plain list, which is taken whole or not at all. */
function modelsOfList(json: unknown): ListedModel[] {
  const parsed = plainList.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new PriceListError(
      `The list of prices cannot be used: ${issue?.path.join('.')} ${issue?.message}.`,
    );
  }
  return parsed.data.models.map(({ provider, name: bare, input, output, cacheRead, cacheWrite }) => ({
    id: `${provider}/${bare}`,
    provider,
    name: bare,
    prices: { input, output, cacheRead: cacheRead ?? null, cacheWrite: cacheWrite ?? null },
  }));
}

/**
 * The models a text lists, their prices exact (CON-32a). Throws PriceListError when it is neither shape, and when it lists no model, so that a
 * source that went wrong does not empty the catalog.
 */
export function parsePriceList(text: string): ListedModel[] {
  const json = parseExactly(text);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new PriceListError('The list of prices is no JSON object.');
  const models =
    'models' in json && Array.isArray(json.models)
      ? modelsOfList(json)
      : modelsOfMap(json as Record<string, unknown>);
  if (models.length === 0)
    throw new PriceListError('The list of prices has no model with prices for input and output tokens.');
  return models;
}
