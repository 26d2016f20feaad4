import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { decimalText } from '../../src/domain/money/amount-text.ts';
import { larger, minus, zero } from '../../src/domain/rates/exact.ts';
import { linesOf } from '../../src/domain/rates/lines.ts';
import { isBillable, roundedPrice } from '../../src/domain/rates/price.ts';
import { rateOf, units } from '../domain/rates/rates.ts';

// Prices published by vendors, calculated with the functions that bill usage.

type Sample = {
  readonly note?: string;
  readonly usage: Readonly<Record<string, string>>;
  readonly invoice: Readonly<Record<string, string>>;
  readonly total: string;
  readonly published: boolean;
};

type Source = 'vendor' | 'transcription';

type PricingPage = Sample & {
  readonly vendor: string;
  readonly page: string;
  readonly source: Source;
  /** Date on which the source was read. */
  readonly read?: string;
  readonly base: string;
  readonly features: readonly {
    readonly code: string;
    readonly unit: string;
    readonly included: string;
    readonly rate: object;
    readonly source?: Source;
  }[];
  readonly further?: readonly Sample[];
};

const folder = path.join(import.meta.dirname, '../../examples/pricing');
const cents = 100n;

const pages = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as PricingPage] as const);

const samplesOf = (page: PricingPage): readonly Sample[] => [page, ...(page.further ?? [])];

const samples = pages.flatMap(([name, page]) =>
  samplesOf(page).map((sample, index) => [`${name}, example ${index + 1}`, page, sample] as const),
);

/** Returns the price of a sample's usage in cents, by feature code. */
function pricesOf({ features }: PricingPage, { usage }: Sample): Readonly<Record<string, bigint>> {
  return Object.fromEntries(
    Object.entries(usage).map(([code, quantity]) => {
      const feature = features.find((candidate) => candidate.code === code);
      if (feature === undefined) throw new Error(`The page has no feature ${code}.`);
      const rate = rateOf(feature.rate);
      const excess = larger(zero, minus(units(quantity), units(feature.included)));
      const price = roundedPrice(rate, excess, cents);
      expect(linesOf(rate, excess, cents).reduce((sum, { amount }) => sum + amount, 0n)).toBe(price);
      expect(isBillable(rate, excess, cents)).toBe(true);
      return [code, price];
    }),
  );
}

describe('the public prices in examples/pricing', () => {
  test('cover at least thirty price lists', () => {
    expect(pages.length).toBeGreaterThanOrEqual(30);
  });

  test.each(pages)('contain only known fields and sources: %s', (_name, page) => {
    const known = 'vendor page source read base features note usage invoice total published further'.split(
      ' ',
    );
    expect(Object.keys(page).filter((field) => !known.includes(field))).toEqual([]);
    for (const source of [page.source, ...page.features.map((feature) => feature.source ?? page.source)])
      expect(['vendor', 'transcription']).toContain(source);
    const codes = page.features.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    // A published result must come from the vendor's own documents.
    for (const { published } of samplesOf(page)) expect(published && page.source !== 'vendor').toBe(false);
    const used = new Set(samplesOf(page).flatMap(({ usage }) => Object.keys(usage)));
    expect([...used].filter((code) => !codes.includes(code))).toEqual([]);
  });

  test.each(samples)('produce the expected invoice to the cent: %s', (_name, page, sample) => {
    const prices = pricesOf(page, sample);
    const amounts = Object.entries(prices).map(([code, price]) => [code, decimalText(price, 2)]);
    expect(Object.fromEntries(amounts)).toEqual(sample.invoice);
    const sum = Object.values(prices).reduce((total, price) => total + price, 0n);
    const base = roundedPrice(rateOf({ amount: page.base }), units(1), cents);
    expect(decimalText(base + sum, 2)).toBe(sample.total);
  });
});
