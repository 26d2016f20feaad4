import { z } from 'zod';
import {
  bandsOf,
  type ListedModel,
  type PriceList,
  priceOfDecimal,
  priceUnits,
} from '../../../domain/usage/model-prices.ts';
import type { TokenClass, TokenPrices } from '../../../domain/usage/tokens.ts';

// Supported price list formats: the widely used JSON map from models to prices per token, and a plain list of prices per million tokens.
// All prices are in US dollars.

/** Error for an unusable price list. The message is a sentence addressed to the operator of the service. */
class PriceListError extends Error {
  override name = 'PriceListError';
}

const name = z
  .string()
  .min(1)
  .max(200)
  .refine((text) => !text.includes('\u0000'), 'must not contain the null character');

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

/** Members of the map with prices per token. */
const mapMembers: Readonly<Record<string, TokenClass>> = {
  input_cost_per_token: 'input',
  cache_read_input_token_cost: 'cache_read',
  cache_creation_input_token_cost: 'cache_write',
  cache_creation_input_token_cost_above_1hr: 'cache_write_1h',
  input_cost_per_audio_token: 'audio_input',
  input_cost_per_image_token: 'image_input',
  output_cost_per_token: 'output',
  output_cost_per_reasoning_token: 'reasoning',
  output_cost_per_audio_token: 'audio_output',
  output_cost_per_image_token: 'image_output',
};

/** Members of the plain list with prices per million tokens. */
const listMembers: Readonly<Record<string, TokenClass>> = {
  input: 'input',
  cacheRead: 'cache_read',
  cacheWrite: 'cache_write',
  cacheWrite1h: 'cache_write_1h',
  audioInput: 'audio_input',
  imageInput: 'image_input',
  output: 'output',
  reasoning: 'reasoning',
  audioOutput: 'audio_output',
  imageOutput: 'image_output',
};

/** Name of a price above a number of input tokens, such as `input_cost_per_token_above_200k_tokens`. */
const abovePattern = /^(.+)_above_(\d{1,6})k_tokens$/;

/** Member of an entry: the class, and the number of input tokens above which the price applies. `null` if the member is unknown. */
function memberOf(
  key: string,
  members: Readonly<Record<string, TokenClass>>,
): { readonly class: TokenClass; readonly above: bigint } | null {
  const [, base = key, thousands = '0'] = abovePattern.exec(key) ?? [];
  const found = Object.hasOwn(members, base) ? members[base] : undefined;
  return found === undefined ? null : { class: found, above: BigInt(thousands) * 1_000n };
}

type Read = { readonly prices: ListedModel['prices'] } | 'unpriced' | 'invalid';

/**
 * Returns the prices of an entry. `unpriced` if the entry has no price of input tokens or of output tokens, because the model is priced
 * differently. `invalid` if a price isn't a number of 0 or more.
 */
function pricesIn(
  entry: Readonly<Record<string, unknown>>,
  members: Readonly<Record<string, TokenClass>>,
  unit: number,
): Read {
  const bands = new Map<bigint, Partial<Record<TokenClass, bigint>>>([[0n, {}]]);
  for (const [key, value] of Object.entries(entry)) {
    const member = memberOf(key, members);
    if (member === null || value === null) continue;
    const price = typeof value === 'string' ? priceOfDecimal(value, unit) : null;
    if (price === null) return 'invalid';
    bands.set(member.above, { ...bands.get(member.above), [member.class]: price });
  }
  const { input, output, ...others } = bands.get(0n) ?? {};
  if (input === undefined || output === undefined) return 'unpriced';
  const base: TokenPrices = { ...others, input, output };
  return { prices: bandsOf(base, new Map([...bands].filter(([above]) => above > 0n))) };
}

/** Key of the entry that documents the map's format. */
const sampleKey = 'sample_spec';

type Entry = {
  readonly provider: unknown;
  readonly name: (provider: string) => string;
  readonly members: Readonly<Record<string, unknown>>;
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const entriesOfMap = (json: Readonly<Record<string, unknown>>): Entry[] =>
  Object.entries(json).flatMap(([key, value]) =>
    key === sampleKey || !isRecord(value)
      ? []
      : [
          {
            provider: value['litellm_provider'],
            name: (provider) =>
              key.startsWith(`${provider}/`) && key.length > provider.length + 1
                ? key.slice(provider.length + 1)
                : key,
            members: value,
          },
        ],
  );

const entriesOfList = (models: readonly unknown[]): Entry[] =>
  models
    .filter(isRecord)
    .map((value) => ({ provider: value['provider'], name: () => String(value['name']), members: value }));

/**
 * Parses a price list and returns its models with exact prices (CON-32a). Invalid entries don't affect other models. Throws
 * `PriceListError` if the format is unknown or the list has no usable model, so that a broken source doesn't empty the catalog.
 */
export function parsePriceList(text: string): PriceList {
  const json = parseExactly(text);
  if (!isRecord(json)) throw new PriceListError("The price list isn't a JSON object.");
  const isList = Array.isArray(json['models']);
  const [entries, members, unit] = Array.isArray(json['models'])
    ? [entriesOfList(json['models']), listMembers, priceUnits.perMillionTokens]
    : [entriesOfMap(json), mapMembers, priceUnits.perToken];
  const models: ListedModel[] = [];
  const invalidIds: string[] = [];
  const unknown = new Set<string>();
  for (const entry of entries) {
    const provider = name.safeParse(entry.provider).data;
    const bare = provider === undefined ? undefined : name.safeParse(entry.name(provider)).data;
    if (provider === undefined || bare === undefined) continue;
    const read = pricesIn(entry.members, members, unit);
    const id = `${provider}/${bare}`;
    if (read === 'invalid') invalidIds.push(id);
    if (typeof read === 'string') continue;
    models.push({ id, provider, name: bare, prices: read.prices });
    for (const key of Object.keys(entry.members))
      if ((isList || key.includes('cost')) && memberOf(key, members) === null) unknown.add(key);
  }
  if (models.length === 0)
    throw new PriceListError('The price list has no model with prices for input and output tokens.');
  for (const known of ['provider', 'name']) unknown.delete(known);
  return { models, invalidIds, unknownPrices: unknown.size };
}
