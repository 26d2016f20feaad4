import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rateScale } from '../../src/domain/money/money.ts';
import { type Decimal, exactOf } from '../../src/domain/rates/decimal.ts';
import { compare, type Exact, plus, ratio, roundedTo, whole, zero } from '../../src/domain/rates/exact.ts';
import { linesOf } from '../../src/domain/rates/lines.ts';
import { models } from '../../src/domain/rates/models.ts';
import { deduction, heldPrice, priceOf, priceRise, roundedPrice } from '../../src/domain/rates/price.ts';
import { derivedRate, modelNames, type Rate, rateDocument } from '../../src/domain/rates/rate.ts';
import { readRate } from '../../src/domain/rates/read-rate.ts';
import { trials } from '../support/laws.ts';

// Price properties for random rates. A price equals the sum of the prices of single units, doesn't depend on how usage is split into
// events, and equals the sum of its invoice lines.

/** Largest quantity in the tests. It's small, so that the prices of single units can be summed quickly. */
const most = 60;
const runs = trials(300);

const decimal = (digits: number, decimals: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.integer({ min: 0, max: 10 ** digits - 1 }), fc.integer({ min: 0, max: decimals }))
    .chain(([first, count]) =>
      count === 0
        ? fc.constant(String(first))
        : fc.nat(10 ** count - 1).map((rest) => `${first}.${String(rest).padStart(count, '0')}`),
    );

const price = fc.oneof(fc.constant('0'), decimal(1, 2), decimal(3, 4), decimal(1, 9));

/** Random valid rate. Bounds are whole numbers up to 60, and multiples of `per` for package pricing. */
const rates: fc.Arbitrary<Rate> = fc
  .record({
    model: fc.constantFrom(...modelNames),
    per: fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 12 }), fc.constant(1_000_000)),
    bounds: fc.uniqueArray(fc.integer({ min: 1, max: most }), { maxLength: 5 }),
    amounts: fc.array(fc.tuple(price, price), { minLength: 6, maxLength: 6 }),
    limits: fc.tuple(fc.option(decimal(2, 3)), fc.option(decimal(3, 3))),
  })
  .map(({ model, per, bounds, amounts, limits: [minimum, maximum] }) => {
    const size = model === 'package' ? per : 1;
    const uppers =
      model === 'per_unit'
        ? []
        : [...new Set(bounds.map((bound) => Math.ceil(bound / size) * size))].sort((a, b) => a - b);
    const tiers = [...uppers, null].map((upTo, index) => ({
      upTo: upTo === null ? null : String(upTo),
      amount: model === 'stairs' ? '0' : (amounts[index]?.[0] ?? '0'),
      flat: model === 'per_unit' ? '0' : (amounts[index]?.[1] ?? '0'),
    }));
    const isReversed = minimum !== null && maximum !== null && Number(minimum) > Number(maximum);
    const read = readRate({ model, per, tiers, minimum, maximum: isReversed ? null : maximum });
    if ('problems' in read) throw new Error(JSON.stringify(read.problems));
    return read.rate;
  });

const quantities = fc.nat(most);
/** Quantity with up to three decimals. */
const fractions = fc.nat(most * 1_000).map((units) => ratio(BigInt(units), 1_000n));

const add = (amounts: readonly Exact[]): Exact => amounts.reduce(plus, zero);

const tierAt = ({ tiers }: Rate, unit: number): Rate['tiers'][number] => {
  const found = tiers.find(({ upTo }) => upTo === null || compare(whole(BigInt(unit)), exactOf(upTo)) <= 0);
  if (found === undefined) throw new Error(`No tier contains ${unit}.`);
  return found;
};

const perUnit = ({ per }: Rate, { units, decimals }: Decimal): Exact =>
  ratio(units, 10n ** BigInt(decimals) * per);

/** Price of a whole quantity, calculated unit by unit according to the model's definition (PRM-1). */
function naivePrice(rate: Rate, quantity: number): Exact {
  if (quantity === 0) return zero;
  const per = Number(rate.per);
  const billed = rate.model === 'package' ? Math.ceil(quantity / per) * per : quantity;
  const steps = Array.from({ length: quantity }, (_, index) => index + 1);
  const holding = tierAt(rate, billed);
  const sums: Record<Rate['model'], () => Exact> = {
    per_unit: () => add(steps.map(() => perUnit(rate, holding.amount))),
    graduated: () => add([...steps.map((unit) => perUnit(rate, tierAt(rate, unit).amount)), ...flats()]),
    volume: () => add([...steps.map(() => perUnit(rate, holding.amount)), exactOf(holding.flat)]),
    package: () =>
      add([
        ...Array.from({ length: billed / per }, (_, index) =>
          exactOf(tierAt(rate, (index + 1) * per).amount),
        ),
        ...flats(),
      ]),
    stairs: () => exactOf(holding.flat),
  };
  const flats = (): Exact[] =>
    rate.tiers.slice(0, rate.tiers.indexOf(holding) + 1).map(({ flat }) => exactOf(flat));
  const sum = sums[rate.model]();
  const raised =
    rate.minimum !== null && compare(sum, exactOf(rate.minimum)) < 0 ? exactOf(rate.minimum) : sum;
  return rate.maximum !== null && compare(raised, exactOf(rate.maximum)) > 0 ? exactOf(rate.maximum) : raised;
}

describe('the price of a random rate', () => {
  test('equals the price calculated unit by unit', () => {
    fc.assert(
      fc.property(rates, quantities, (rate, quantity) => {
        expect(compare(priceOf(rate, whole(BigInt(quantity))), naivePrice(rate, quantity))).toBe(0);
      }),
      runs,
    );
  });

  test('is the same no matter how the usage is split into events', () => {
    fc.assert(
      fc.property(rates, fc.array(fc.nat(9_000), { maxLength: 8 }), (rate, events) => {
        let [total, taken] = [zero, 0n];
        for (const event of events) {
          const next = plus(total, ratio(BigInt(event), 1_000n));
          taken += deduction(priceOf(rate, total), priceOf(rate, next), rateScale);
          total = next;
        }
        expect(taken).toBe(roundedPrice(rate, total, rateScale));
      }),
      runs,
    );
  });

  test('equals the sum of its lines, which are positive and differ from their exact amounts by less than a minor unit (PRM-105)', () => {
    fc.assert(
      fc.property(rates, fractions, fc.constantFrom(1n, 100n), (rate, quantity, scale) => {
        const lines = linesOf(rate, quantity, scale);
        expect(lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(roundedPrice(rate, quantity, scale));
        for (const { amount, before, after, quantity: count, unitAmount, kind } of lines) {
          expect(amount).toBeGreaterThan(0n);
          expect(amount).toBe(roundedTo(after, scale) - roundedTo(before, scale));
          const exact = ratio(
            count.numerator * unitAmount.numerator,
            count.denominator * unitAmount.denominator,
          );
          const distance = plus(exact, whole(-amount));
          expect(compare(distance, whole(1n))).toBeLessThan(0);
          expect(compare(distance, whole(-1n))).toBeGreaterThan(0);
          if (kind !== 'units') expect(count).toEqual(whole(1n));
        }
      }),
      runs,
    );
  });

  test('never falls as the quantity increases if the pricing model is monotone', () => {
    fc.assert(
      fc.property(rates, fractions, fractions, (rate, a, b) => {
        const [less, more] = compare(a, b) <= 0 ? [a, b] : [b, a];
        if (models[rate.model].isMonotone)
          expect(compare(priceOf(rate, less), priceOf(rate, more))).toBeLessThanOrEqual(0);
      }),
      runs,
    );
  });

  test("never exceeds the price under the rate's first version, regardless of later changes", () => {
    fc.assert(
      fc.property(fc.array(rates, { minLength: 1, maxLength: 5 }), fractions, (versions, quantity) => {
        const [opening] = versions;
        if (opening === undefined) throw new Error('No version is in force.');
        const { price, version } = heldPrice(versions, quantity);
        expect(compare(price, priceOf(opening, quantity))).toBeLessThanOrEqual(0);
        expect(compare(price, priceOf(versions[version] ?? opening, quantity))).toBe(0);
        for (const other of versions) expect(compare(price, priceOf(other, quantity))).toBeLessThanOrEqual(0);
      }),
      runs,
    );
  });

  test('charges the same for an increase in the highest count, whether in one step or several, if the pricing model is monotone (PRM-3)', () => {
    fc.assert(
      fc.property(rates, fc.uniqueArray(quantities, { minLength: 2, maxLength: 6 }), (rate, counts) => {
        const prices = counts.toSorted((a, b) => a - b).map((count) => priceOf(rate, whole(BigInt(count))));
        const steps = prices.slice(1).map((price, index) => priceRise(prices.slice(0, index + 1), price));
        const single = priceRise(prices.slice(0, 1), prices.at(-1) ?? zero);
        const split = add(steps);
        if (models[rate.model].isMonotone) expect(compare(split, single)).toBe(0);
        else expect(compare(split, single)).toBeGreaterThanOrEqual(0);
      }),
      runs,
    );
  });

  test('is preserved when the rate is converted to JSON and back', () => {
    fc.assert(
      fc.property(rates, fc.bigInt({ min: 1n, max: 10n ** 12n }), (rate, rateE8) => {
        expect(readRate(rateDocument(rate))).toEqual({ rate });
        const derived = derivedRate(rate, rateE8);
        if (derived.minimum !== null && derived.maximum !== null)
          expect(compare(exactOf(derived.minimum), exactOf(derived.maximum))).toBeLessThanOrEqual(0);
      }),
      runs,
    );
  });
});
