// Cost of AI model calls: exact, in US dollars (PRM-114 to PRM-117). Rounded only when an event deducts from a balance.
import { type FieldProblem, type Rejection, validationRejection } from '../errors/errors.ts';
import { exactDecimal } from '../rates/decimal.ts';
import { type Exact, exactText, minus, ratio, roundedTo } from '../rates/exact.ts';

/** Classes of tokens. Each token has exactly one class (PRM-115). */
export const tokenClasses = [
  'input',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'audio_input',
  'image_input',
  'output',
  'reasoning',
  'audio_output',
  'image_output',
] as const;

export type TokenClass = (typeof tokenClasses)[number];

/** Classes whose prices apply to classes without a price (PRM-114). */
const fallbacks: { readonly [name in Exclude<TokenClass, 'input' | 'output'>]: TokenClass } = {
  cache_read: 'input',
  cache_write: 'input',
  cache_write_1h: 'cache_write',
  audio_input: 'input',
  image_input: 'input',
  reasoning: 'output',
  audio_output: 'output',
  image_output: 'output',
};

/** Decimals of a price per million tokens. */
const priceDecimals = 6;
const priceScale = 10n ** BigInt(priceDecimals);

/**
 * Prices of a model per million tokens, in millionths of a US dollar (1,000,000 = 1.00 USD). A class without a price has
 * the price of another class.
 */
export type TokenPrices = { readonly [name in TokenClass]?: bigint } & {
  readonly input: bigint;
  readonly output: bigint;
};

/** Prices of events with up to `upTo` input tokens in total. `null` if there's no upper bound. */
export type PriceBand = { readonly upTo: bigint | null; readonly prices: TokenPrices };

/**
 * Prices of a model by the number of input tokens of one event, in ascending order (PRM-117). The last band has no upper
 * bound.
 */
export type ModelPrices = readonly PriceBand[];

/** Number of tokens by class. */
export type TokenCounts = { readonly [name in TokenClass]: bigint };

/** Fields of an event with token counts, and the class of each field's tokens. */
export const tokenFields = {
  inputTokens: 'input',
  cacheReadTokens: 'cache_read',
  cacheWriteTokens: 'cache_write',
  cacheWrite1hTokens: 'cache_write_1h',
  audioInputTokens: 'audio_input',
  imageInputTokens: 'image_input',
  outputTokens: 'output',
  reasoningTokens: 'reasoning',
  audioOutputTokens: 'audio_output',
  imageOutputTokens: 'image_output',
} as const satisfies Record<string, TokenClass>;

/** Token counts that an API client sent. A count is `null` if it wasn't provided. */
export type ProvidedTokens = { readonly [name in TokenClass]: bigint | null };

/** Token counts of a request without token counts. */
export const noTokens = Object.fromEntries(tokenClasses.map((name) => [name, null])) as ProvidedTokens;

const cachedClasses = ['cache_read', 'cache_write', 'cache_write_1h'] as const;
const inputParts = ['audio_input', 'image_input'] as const;
const outputParts = ['reasoning', 'audio_output', 'image_output'] as const;

const sumOf = (provided: ProvidedTokens, classes: readonly TokenClass[]): bigint =>
  classes.reduce((sum, name) => sum + (provided[name] ?? 0n), 0n);

/**
 * Returns the number of tokens by class (PRM-115). The classes `input` and `output` have the tokens that aren't part of
 * another class. `inputIncludesCache` is true if the number of input tokens contains the cached tokens. Returns a rejection
 * with the reason `parts_exceed_tokens` if the parts of a count exceed the count.
 */
export function classified(provided: ProvidedTokens, inputIncludesCache: boolean): TokenCounts | Rejection {
  const included = inputIncludesCache ? [...cachedClasses, ...inputParts] : inputParts;
  const rest = {
    input: (provided.input ?? 0n) - sumOf(provided, included),
    output: (provided.output ?? 0n) - sumOf(provided, outputParts),
  };
  const problems: FieldProblem[] = [];
  if (rest.input < 0n) {
    const hint =
      inputIncludesCache && sumOf(provided, cachedClasses) > 0n
        ? '. If inputTokens excludes cached tokens, set inputIncludesCache to false'
        : '';
    const message = `must be at least ${sumOf(provided, included)}, the sum of its parts${hint}`;
    problems.push({ field: 'inputTokens', message });
  }
  if (rest.output < 0n) {
    const message = `must be at least ${sumOf(provided, outputParts)}, the sum of its parts`;
    problems.push({ field: 'outputTokens', message });
  }
  if (problems.length > 0)
    return {
      ...validationRejection(problems),
      details: { reason: 'parts_exceed_tokens', problems },
    };
  const counts = tokenClasses.map((name) => [name, provided[name] ?? 0n] as const);
  // The entries contain every class.
  return { ...(Object.fromEntries(counts) as TokenCounts), ...rest };
}

/** Returns the number of all input tokens, including cached tokens. */
const inputOf = (counts: TokenCounts): bigint =>
  counts.input + [...cachedClasses, ...inputParts].reduce((sum, name) => sum + counts[name], 0n);

/** Returns the number of all tokens. */
export const tokensOf = (counts: TokenCounts): bigint =>
  tokenClasses.reduce((sum, name) => sum + counts[name], 0n);

/** Returns the prices of an event with this number of input tokens (PRM-117). */
function pricesFor(bands: ModelPrices, input: bigint): TokenPrices {
  const band = bands.find(({ upTo }) => upTo === null || input <= upTo);
  if (band === undefined) throw new Error('The last band of a price has no upper bound.');
  return band.prices;
}

/** Returns the price of a class, or of the class that replaces it (PRM-114). */
function classPrice(prices: TokenPrices, name: TokenClass): bigint {
  if (name === 'input' || name === 'output') return prices[name];
  return prices[name] ?? classPrice(prices, fallbacks[name]);
}

/** Decimals of an amount: price × tokens ÷ 1,000,000. */
const amountDecimals = priceDecimals + 6;
const amountScale = 10n ** BigInt(amountDecimals);

/**
 * Cost of the tokens of one class. `price` is per million tokens. Both amounts are decimals in US dollars.
 */
export type ClassCost = {
  readonly class: TokenClass;
  readonly tokens: bigint;
  readonly price: string;
  readonly amount: string;
};

/** Returns a decimal without trailing zeros. */
const shortText = (units: bigint, decimals: number): string =>
  exactText(ratio(units, 10n ** BigInt(decimals)));

/** Returns a price per million tokens as a decimal in US dollars. */
const priceText = (price: bigint): string => shortText(price, priceDecimals);

/** Prices of a model as JSON. Prices are decimals in US dollars per million tokens. */
export type StoredPrices = readonly {
  readonly upTo: number | null;
  readonly prices: { readonly [name in TokenClass]?: string } & {
    readonly input: string;
    readonly output: string;
  };
}[];

const mapped = <A, B>(
  prices: { readonly [name in TokenClass]?: A },
  change: (price: A) => B,
): { [name in TokenClass]?: B } =>
  Object.fromEntries(
    tokenClasses.flatMap((name) => {
      const price = prices[name];
      return price === undefined ? [] : [[name, change(price)]];
    }),
  );

/** Returns prices as they're stored. */
export const storedPrices = (bands: ModelPrices): StoredPrices =>
  bands.map(({ upTo, prices: { input, output, ...others } }) => ({
    upTo: upTo === null ? null : Number(upTo),
    prices: { ...mapped(others, priceText), input: priceText(input), output: priceText(output) },
  }));

const readPrice = (text: string): bigint => roundedTo(exactDecimal(text), priceScale);

/** Returns stored prices. */
export const readPrices = (stored: StoredPrices): ModelPrices =>
  stored.map(({ upTo, prices: { input, output, ...others } }) => ({
    upTo: upTo === null ? null : BigInt(upTo),
    prices: { ...mapped(others, readPrice), input: readPrice(input), output: readPrice(output) },
  }));

/**
 * Returns the exact cost of the tokens of one event in US dollars, and the cost of each class with tokens (PRM-116).
 */
export function tokenCost(
  bands: ModelPrices,
  counts: TokenCounts,
): { readonly classes: readonly ClassCost[]; readonly cost: Exact } {
  const prices = pricesFor(bands, inputOf(counts));
  let sum = 0n;
  const classes: ClassCost[] = [];
  for (const name of tokenClasses) {
    const tokens = counts[name];
    if (tokens === 0n) continue;
    const price = classPrice(prices, name);
    sum += tokens * price;
    classes.push({
      class: name,
      tokens,
      price: priceText(price),
      amount: shortText(tokens * price, amountDecimals),
    });
  }
  return { classes, cost: ratio(sum, amountScale) };
}

/** Stored cost of an event's tokens (CON-31). Amounts are decimals in US dollars. */
export type StoredTokenCost = {
  readonly model: string;
  /** ID of the price history entry. */
  readonly version: string;
  readonly classes: readonly ClassCost[];
  readonly cost: string;
  readonly margin: string;
  readonly total: string;
};

/** Returns the cost of an event as it's stored. `total` includes the margin. */
export const storedTokenCost = (
  source: { readonly id: string; readonly version: string },
  { classes, cost }: ReturnType<typeof tokenCost>,
  total: Exact,
): StoredTokenCost => ({
  model: source.id,
  version: source.version,
  classes,
  cost: exactText(cost),
  margin: exactText(minus(total, cost)),
  total: exactText(total),
});

/** Returns true if two events have the same number of tokens of each class. */
export const hasSameTokens = (a: StoredTokenCost | null, b: StoredTokenCost | null): boolean =>
  a === b ||
  (a !== null &&
    b !== null &&
    a.classes.length === b.classes.length &&
    a.classes.every(
      ({ class: name, tokens }, index) =>
        b.classes[index]?.class === name && b.classes[index].tokens === tokens,
    ));
