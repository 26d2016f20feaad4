import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { firstShop, otherShop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import {
  type Bill,
  billMonths,
  billPages,
  type PricePage,
  type Sample,
  samplesOf,
} from '../support/price-pages.ts';
import { closeStory } from '../support/recompute.ts';

// Prices published by vendors, sold and billed through the API. All plans are in one sandbox, and all subscriptions renew at the same time.

type Body = Readonly<Record<string, unknown>>;

const folder = path.join(import.meta.dirname, '../../examples/pricing');

const pages = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => [name, JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as PricePage] as const);

const samples = pages.flatMap(([name, page]) =>
  samplesOf(page).map((sample, index) => [`${name}, example ${index + 1}`, page, sample] as const),
);

let t: TestApp;
let bills: ReadonlyMap<Sample, Bill>;
beforeAll(async () => {
  t = await startApp();
  bills = await billPages(firstShop(t), pages);
});
afterAll(() => closeStory(t));

/** Returns the amounts above 0 by feature, because an invoice has no lines of 0. */
const linesOf = ({ invoice }: Sample): Bill['usage'] =>
  Object.fromEntries(
    Object.entries(invoice)
      .filter(([, amounts]) => amounts !== '0.00')
      .map(([code, amounts]) => [code, typeof amounts === 'string' ? [amounts] : amounts]),
  );

describe('the public prices in examples/pricing', () => {
  test('cover at least 46 price lists', () => {
    expect(pages.length).toBeGreaterThanOrEqual(46);
  });

  test('use every pricing model, rates by dimension, and meters of many kinds', () => {
    expect(
      pages.filter(([, { features }]) => features.some(({ rate }) => 'cells' in rate)).length,
    ).toBeGreaterThan(3);
    const features = pages.flatMap(([, page]) => page.features);
    const meters = features.flatMap(({ meter }) => (meter === undefined ? [] : [meter['aggregation']]));
    const rates = features.flatMap(({ rate }) =>
      'cells' in rate ? (rate['cells'] as { rate: Body }[]).map((cell) => cell.rate) : [rate],
    );
    expect(new Set(rates.map(({ model = 'per_unit' }) => model))).toEqual(
      new Set(['per_unit', 'graduated', 'volume', 'package', 'stairs']),
    );
    expect(new Set(meters)).toEqual(
      new Set(['sum', 'max', 'unique', 'average', 'percentile', 'time_weighted']),
    );
  });

  test.each(pages)('contain only known fields and sources: %s', (_name, page) => {
    const known =
      'vendor page source read base minimum pools features note usage invoice overdraft minimumSpend total published further months'.split(
        ' ',
      );
    expect(Object.keys(page).filter((field) => !known.includes(field))).toEqual([]);
    for (const source of [page.source, ...page.features.map((feature) => feature.source ?? page.source)])
      expect(['vendor', 'transcription']).toContain(source);
    const codes = page.features.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    // A published result must come from the vendor's own documents.
    for (const { published } of samplesOf(page)) expect(published && page.source !== 'vendor').toBe(false);
    for (const { usage, invoice } of samplesOf(page)) {
      expect(Object.keys(usage).filter((code) => !codes.includes(code))).toEqual([]);
      // Usage that is deducted from a pool has no line on the invoice.
      const invoiced = (code: string) =>
        page.features.some((feature) => feature.code === code && !feature.pool);
      expect(Object.keys(invoice)).toEqual(Object.keys(usage).filter(invoiced));
    }
  });

  test.each(samples)('produce the expected invoice to the cent: %s', (_name, page, sample) => {
    expect(bills.get(sample)).toEqual({
      base: [Number(page.base).toFixed(2)],
      usage: linesOf(sample),
      overdraft: sample.overdraft === undefined ? [] : [sample.overdraft],
      minimumSpend: sample.minimumSpend === undefined ? [] : [sample.minimumSpend],
      other: [],
      total: sample.total,
    });
  });

  test.each(pages.filter(([, { months }]) => months !== undefined))(
    'produce the expected invoices and remaining amounts of consecutive months: %s',
    async (name, page) => {
      const shop = await otherShop(t, page.vendor);
      expect(await billMonths(shop, name, page)).toEqual(
        page.months?.map(({ total, remaining }) => ({ total, remaining })),
      );
    },
  );
});
