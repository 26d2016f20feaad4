import { describe, expect, test } from 'vitest';
import { balanceOf } from '../../../src/domain/lots/account.ts';
import { exactText, times, whole } from '../../../src/domain/rates/exact.ts';
import { admit } from '../../../src/domain/usage/admission.ts';
import { type Quantity, quantityOf } from '../../../src/domain/usage/record.ts';
import {
  classified,
  type ModelPrices,
  type ProvidedTokens,
  readPrices,
  storedPrices,
  type TokenPrices,
  tokenClasses,
  tokenCost,
  tokensOf,
} from '../../../src/domain/usage/tokens.ts';
import { account, counter, poolTerms, terms } from './facts.ts';

const none: ProvidedTokens = {
  input: null,
  cache_read: null,
  cache_write: null,
  cache_write_1h: null,
  audio_input: null,
  image_input: null,
  output: null,
  reasoning: null,
  audio_output: null,
  image_output: null,
};
const sent = (counts: Partial<ProvidedTokens>): ProvidedTokens => ({ ...none, ...counts });
const everywhere = (prices: TokenPrices): ModelPrices => [{ upTo: null, prices }];

function counted(counts: Partial<ProvidedTokens>, inputIncludesCache = true) {
  const found = classified(sent(counts), inputIncludesCache);
  if ('code' in found) throw new Error(found.message);
  return found;
}
const costOf = (prices: ModelPrices, counts: Partial<ProvidedTokens>, inputIncludesCache = true) =>
  exactText(tokenCost(prices, counted(counts, inputIncludesCache)).cost);

const plain = everywhere({
  input: 2_150_000n,
  output: 8_600_000n,
  cache_read: 215_000n,
  cache_write: 2_687_500n,
});
const e2 = { input: 18_400n, output: 2_750n, cache_read: 5_200n, cache_write: 1_300n };

describe('the classes of tokens (PRM-115)', () => {
  test('leave the tokens that are no part of another class to input and output', () => {
    const counts = counted({
      input: 100n,
      cache_read: 10n,
      cache_write: 20n,
      cache_write_1h: 5n,
      audio_input: 7n,
      image_input: 8n,
      output: 50n,
      reasoning: 30n,
      audio_output: 4n,
      image_output: 6n,
    });
    expect(counts).toMatchObject({ input: 50n, output: 10n });
    expect(tokensOf(counts)).toBe(150n);
  });

  test('add cached tokens to the input if the input excludes them', () => {
    const counts = counted({ input: 50n, cache_read: 100n, audio_input: 20n, output: 1n }, false);
    expect(counts).toMatchObject({ input: 30n, cache_read: 100n, audio_input: 20n });
    expect(tokensOf(counts)).toBe(151n);
  });

  test.each([
    ['inputTokens', { input: 50n, cache_read: 51n }, true],
    ['inputTokens', { input: 50n, audio_input: 51n }, false],
    ['inputTokens', { input: 50n, cache_read: 30n, image_input: 21n }, true],
    ['outputTokens', { input: 0n, output: 9n, reasoning: 5n, audio_output: 5n }, true],
  ])('are rejected with the field %s if parts exceed it', (field, counts, includes) => {
    expect(classified(sent(counts), includes)).toMatchObject({
      code: 'validation_error',
      param: field,
      details: { reason: 'parts_exceed_tokens', problems: [{ field }] },
    });
  });

  test('are rejected with both fields', () => {
    const rejection = classified(sent({ input: 1n, cache_write: 2n, output: 1n, reasoning: 2n }), true);
    expect(rejection).toMatchObject({
      details: { problems: [{ field: 'inputTokens' }, { field: 'outputTokens' }] },
    });
  });
});

describe('the cost of AI tokens', () => {
  test('is the exact sum over the classes (CON-E2, PRM-E23)', () => {
    const { classes, cost } = tokenCost(plain, counted(e2));
    // In millionths: 11,900 × 2.15 = 25,585, 5,200 × 0.215 = 1,118, 1,300 × 2.6875 = 3,493.75, and 2,750 × 8.6 = 23,650.
    expect(classes).toEqual([
      { class: 'input', tokens: 11_900n, price: '2.15', amount: '0.025585' },
      { class: 'cache_read', tokens: 5_200n, price: '0.215', amount: '0.001118' },
      { class: 'cache_write', tokens: 1_300n, price: '2.6875', amount: '0.00349375' },
      { class: 'output', tokens: 2_750n, price: '8.6', amount: '0.02365' },
    ]);
    expect(exactText(cost)).toBe('0.05384675');
  });

  test('is 0 for 0 tokens, and uses the prices of other classes for missing prices (PRM-114)', () => {
    expect(costOf(plain, { input: 0n, output: 0n })).toBe('0');
    const two = everywhere({ input: 1_000_000n, output: 3_000_000n });
    const million = 1_000_000n;
    for (const name of ['cache_read', 'cache_write', 'cache_write_1h', 'audio_input', 'image_input'] as const)
      expect(costOf(two, { input: million, [name]: million })).toBe('1');
    for (const name of ['reasoning', 'audio_output', 'image_output'] as const)
      expect(costOf(two, { output: million, [name]: million })).toBe('3');
    const written = everywhere({ input: 1_000_000n, output: 3_000_000n, cache_write: 2_000_000n });
    expect(costOf(written, { input: million, cache_write_1h: million })).toBe('2');
  });

  test('counts the cache apart from the input (PRM-E24)', () => {
    const prices = everywhere({
      input: 5_000_000n,
      cache_read: 500_000n,
      cache_write: 6_250_000n,
      cache_write_1h: 10_000_000n,
      output: 25_000_000n,
    });
    const counts = {
      input: 50n,
      cache_read: 100_000n,
      cache_write: 2_000n,
      cache_write_1h: 1_000n,
      output: 500n,
    };
    // 50 × 5 + 100,000 × 0.5 + 2,000 × 6.25 + 1,000 × 10 + 500 × 25 = 85,250, divided by 1,000,000.
    expect(costOf(prices, counts, false)).toBe('0.08525');
    expect(classified(sent(counts), true)).toMatchObject({ details: { reason: 'parts_exceed_tokens' } });
  });

  test.each([
    // 300,000 × 10 + 10,000 × 45.
    [300_000n, 10_000n, '3.45'],
    [272_000n, 0n, '1.36'],
    [272_001n, 0n, '2.72001'],
  ])('has the prices of the band with all input tokens: %i (PRM-E25)', (input, output, cost) => {
    const bands: ModelPrices = [
      { upTo: 272_000n, prices: { input: 5_000_000n, output: 30_000_000n } },
      { upTo: null, prices: { input: 10_000_000n, output: 45_000_000n } },
    ];
    expect(costOf(bands, { input, output })).toBe(cost);
  });

  test('counts cached tokens for the band', () => {
    const bands: ModelPrices = [
      { upTo: 100n, prices: { input: 1_000_000n, output: 1_000_000n } },
      { upTo: null, prices: { input: 2_000_000n, output: 2_000_000n } },
    ];
    expect(costOf(bands, { input: 60n, cache_read: 41n, output: 0n }, false)).toBe('0.000202');
  });

  test('stores prices as decimals and reads them again', () => {
    const bands: ModelPrices = [
      { upTo: 200_000n, prices: { input: 2_150_000n, output: 1n, cache_write_1h: 0n } },
      { upTo: null, prices: { input: 3n, output: 4_000_000n } },
    ];
    const stored = storedPrices(bands);
    expect(stored).toEqual([
      { upTo: 200_000, prices: { input: '2.15', output: '0.000001', cache_write_1h: '0' } },
      { upTo: null, prices: { input: '0.000003', output: '4' } },
    ]);
    expect(readPrices(stored)).toEqual(bands);
  });
});

const aiTerms = (changes: Parameters<typeof terms>[0] = {}) =>
  terms({
    pool: poolTerms('balance'),
    derived: [{ from: 'cost' }],
    cost: { from: 'ai_models' },
    ...changes,
  });
const withMargin = (marginBps: number) => ({ derived: [{ from: 'cost', marginBps }] }) as const;

/** Meter and events of a window in which every event is the same AI model call. */
function callsOf(
  prices: ModelPrices,
  counts: Partial<ProvidedTokens>,
  { balance = 10n ** 12n, of = aiTerms() } = {},
) {
  let meter = { account: account({ balanceRate: balance }), counter: counter() };
  const taken: bigint[] = [];
  const call = (): Quantity => {
    const quantity = quantityOf(
      {
        value: null,
        quantity: null,
        model: 'acme/large',
        tokens: sent(counts),
        inputIncludesCache: null,
        properties: [],
      },
      of,
      meter.counter,
      {
        models: [{ id: 'acme/large', prices, version: 'amp_1' }],
        ts: new Date(0),
        knownOf: () => 0n,
        cells: null,
      },
    );
    if ('code' in quantity) throw new Error(quantity.message);
    return quantity;
  };
  const draw = (): string | null => {
    const quantity = call();
    const result = admit(of, meter, quantity);
    if ('rejection' in result) return result.rejection.code;
    taken.push(quantity.cost ?? 0n);
    meter = result.meter;
    return null;
  };
  return { draw, taken, call, meter: () => meter };
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n);

describe('a window of AI model calls', () => {
  const small = everywhere({ input: 150_000n, output: 600_000n });
  const call = { input: 300n, output: 5n };

  test('costs the exact sum, rounded once (PRM-E21)', () => {
    const calls = callsOf(small, call, { of: aiTerms(withMargin(2_000)) });
    for (let count = 0; count < 1_000; count++) calls.draw();
    expect(calls.taken.slice(0, 8)).toEqual([1n, 0n, 1n, 0n, 1n, 0n, 1n, 1n]);
    expect(sum(calls.taken)).toBe(576n);
    expect(calls.meter().counter).toMatchObject({ price: '0.0576', consumed: 576n, total: 305_000n });
    expect(calls.call().ai).toMatchObject({ cost: '0.000048', margin: '0.0000096', total: '0.0000576' });
  });

  test('ends when the balance no longer covers the exact price (PRM-E21b, PRM-103)', () => {
    const calls = callsOf(small, call, { balance: 3n, of: aiTerms(withMargin(2_000)) });
    expect(Array.from({ length: 6 }, calls.draw)).toEqual([
      null,
      null,
      null,
      null,
      null,
      'insufficient_balance',
    ]);
    expect(balanceOf(calls.meter().account)).toBe(0n);
    expect(calls.meter().counter.price).toBe('0.000288');
  });

  test('costs 12.00 for a million embeddings (PRM-E22)', () => {
    const { cost } = tokenCost(everywhere({ input: 20_000n, output: 0n }), counted({ input: 500n }));
    expect(exactText(times(cost, whole(1_200_000n)))).toBe('12');
  });

  test('carries the remainder from event to event (PRM-E23)', () => {
    const calls = callsOf(plain, e2, { of: aiTerms(withMargin(1_750)) });
    for (let count = 0; count < 3; count++) calls.draw();
    expect(calls.taken).toEqual([633n, 632n, 633n]);
    // 538.4675 × 1.175 × 3.
    expect(calls.meter().counter.price).toBe('0.18980979375');
  });

  test('converts the price to another currency without rounding it (PRM-E26)', () => {
    const of = aiTerms({ ...withMargin(2_000), currency: 'brl', exchangeRateE8: 543_000_000n });
    const calls = callsOf(small, call, { of });
    expect(exactText(calls.call().price ?? whole(0n))).toBe('0.000312768');
    for (let count = 0; count < 1_000; count++) calls.draw();
    expect(sum(calls.taken)).toBe(3_128n);
  });
});

test('the number of tokens contains the tokens of every class once', () => {
  const all = Object.fromEntries(tokenClasses.map((name) => [name, 1n]));
  expect(tokensOf(counted({ ...all, input: 6n, output: 4n }))).toBe(10n);
});
