import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { balanceOf } from '../../src/domain/lots/account.ts';
import { rateScale } from '../../src/domain/money/money.ts';
import {
  compare,
  type Exact,
  exactText,
  plus,
  ratio,
  roundedTo,
  times,
  zero,
} from '../../src/domain/rates/exact.ts';
import { admit } from '../../src/domain/usage/admission.ts';
import { quantityOf } from '../../src/domain/usage/record.ts';
import {
  type ProvidedTokens,
  type TokenCounts,
  type TokenPrices,
  tokenClasses,
  tokenCost,
} from '../../src/domain/usage/tokens.ts';
import { account, counter, poolTerms, terms } from '../domain/usage/facts.ts';
import { trials } from '../support/laws.ts';

// Laws for the cost of AI tokens (chapter 85, section 11). A usage window's cost doesn't depend on how its tokens are split into events,
// and the deductions add up to the rounded price.

const runs = trials(200);

const price = fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 99_999_999n }));
const prices: fc.Arbitrary<TokenPrices> = fc
  .tuple(price, price, fc.array(fc.option(price), { minLength: 8, maxLength: 8 }))
  .map(([input, output, others]) => {
    const rest = tokenClasses.filter((name) => name !== 'input' && name !== 'output');
    return {
      input,
      output,
      ...Object.fromEntries(
        rest.flatMap((name, index) => {
          const one = others[index] ?? null;
          return one === null ? [] : [[name, one]];
        }),
      ),
    };
  });

const count = fc.bigInt({ min: 0n, max: 5_000n });
/** An event's token counts by class. Each token belongs to one class. */
const counts = fc
  .array(count, { minLength: tokenClasses.length, maxLength: tokenClasses.length })
  // The list has one element for each class.
  .map((all) => Object.fromEntries(tokenClasses.map((name, index) => [name, all[index]])) as TokenCounts);

const inputParts = ['cache_read', 'cache_write', 'cache_write_1h', 'audio_input', 'image_input'] as const;
const outputParts = ['reasoning', 'audio_output', 'image_output'] as const;

const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n);

/** Token counts as a provider reports them. The input and output counts include their parts. */
const reported = (one: TokenCounts): ProvidedTokens => ({
  ...one,
  input: one.input + sumOf(inputParts.map((name) => one[name])),
  output: one.output + sumOf(outputParts.map((name) => one[name])),
});

const together = (all: readonly TokenCounts[]): TokenCounts =>
  // The entries contain every class.
  Object.fromEntries(tokenClasses.map((name) => [name, sumOf(all.map((one) => one[name]))])) as TokenCounts;

describe('the cost of random AI model calls', () => {
  test('is the same however the tokens are split into calls', () => {
    fc.assert(
      fc.property(prices, fc.array(counts, { maxLength: 6 }), (of, calls) => {
        const bands = [{ upTo: null, prices: of }];
        const split = calls.reduce<Exact>((sum, call) => plus(sum, tokenCost(bands, call).cost), zero);
        expect(compare(split, tokenCost(bands, together(calls)).cost)).toBe(0);
      }),
      runs,
    );
  });

  test('adds up to the rounded price of the usage window, and never overdraws a blocking balance', () => {
    fc.assert(
      fc.property(
        prices,
        fc.array(counts, { maxLength: 8 }),
        fc.nat(1_000_000),
        fc.option(fc.bigInt({ min: 1n, max: 10n ** 11n })),
        fc.bigInt({ min: 0n, max: 20_000n }),
        (of, calls, marginBps, exchangeRateE8, balance) => {
          const held = terms({
            pool: poolTerms('balance'),
            derived: [{ from: 'cost', marginBps }],
            cost: { from: 'ai_models' },
            exchangeRateE8,
            currency: exchangeRateE8 === null ? 'usd' : 'brl',
          });
          const models = [{ id: 'acme/one', prices: [{ upTo: null, prices: of }], version: 'amp_1' }];
          let meter = { account: account({ balanceRate: balance }), counter: counter() };
          let exact: Exact = zero;
          for (const call of calls) {
            const request = {
              value: null,
              quantity: null,
              model: 'acme/one',
              tokens: reported(call),
              inputIncludesCache: null,
              properties: [],
            };
            const quantity = quantityOf(request, held, meter.counter, {
              models,
              ts: new Date(0),
              knownOf: () => 0n,
              cells: null,
            });
            if ('code' in quantity) throw new Error(quantity.message);
            const result = admit(held, meter, quantity);
            if ('rejection' in result) continue;
            meter = result.meter;
            const usd = times(
              tokenCost(models[0]?.prices ?? [], call).cost,
              ratio(10_000n + BigInt(marginBps), 10_000n),
            );
            exact = plus(exact, times(usd, ratio(exchangeRateE8 ?? 100_000_000n, 100_000_000n)));
          }
          expect(meter.counter.price).toBe(exactText(exact));
          expect(balance - balanceOf(meter.account)).toBe(roundedTo(exact, rateScale));
          expect(balanceOf(meter.account)).toBeGreaterThanOrEqual(0n);
          expect(compare(exact, ratio(balance, rateScale))).toBeLessThanOrEqual(0);
        },
      ),
      runs,
    );
  });
});
