import { describe, expect, test } from 'vitest';
import { drawInvoice } from '../../src/documents/draw-invoice.ts';
import { invoiceDocument } from '../../src/documents/invoice-document.ts';
import { readPdf, textsOf } from '../support/pdf.ts';
import { facts, line } from './facts.ts';

const draw = (changes: Parameters<typeof facts>[0] = {}): Promise<Buffer> => drawInvoice(invoiceDocument(facts(changes)));

test('everything the document says can be read on the sheet', async () => {
  const document = invoiceDocument(facts({ invoice: { status: 'paid', memo: 'Thank you.' } }));
  const bytes = await drawInvoice(document);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const [page = [], ...others] = textsOf(bytes);
  expect(others).toEqual([]);
  const { issuer, customer, title, mark, lines, totals, notes, facts: entries } = document;
  const said = [
    ...[title, mark ?? '', ...issuer, ...customer, ...notes],
    ...entries.flatMap(({ label, text }) => [label, text]),
    ...lines.flatMap(({ description, detail, quantity, unitPrice, amount }) => [
      description,
      ...(detail === null ? [] : [detail]),
      quantity,
      unitPrice,
      amount,
    ]),
    ...totals.flatMap(({ label, text }) => [label, text]),
    'Page 1 of 1',
  ];
  expect(said.filter((text) => !page.join(' ').includes(text))).toEqual([]);
});

test('the same invoice is the same bytes whenever it is drawn', async () => {
  const [first, second] = [await draw(), await draw()];
  expect(second.equals(first)).toBe(true);
  expect(first.toString('latin1')).toContain('D:20270518000000Z');
});

test('three hundred lines go over several sheets, each with the titles of the columns and its number', async () => {
  const lines = Array.from({ length: 300 }, (_none, index) => line({ description: `Line number ${index}`, amount: BigInt(index) }));
  const pages = textsOf(await draw({ lines }));
  expect(pages.length).toBeGreaterThan(5);
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    expect(page).toContain('Unit price');
  }
  const numbered = pages.flat().filter((text) => text.startsWith('Line number'));
  expect(numbered).toEqual(lines.map(({ description }) => description));
});

describe('nothing leaves the sheet or runs into its foot', () => {
  const long = 'pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(8);
  const cases: readonly (readonly [string, Parameters<typeof facts>[0]])[] = [
    [
      'with a word longer than the column',
      { lines: [line({ description: long })], customer: { fullName: long }, issuer: { issuerName: long } },
    ],
    ['with amounts as large as they get', { lines: [line({ quantity: 9_007_199_254_740_991n, amount: 9_007_199_254_740_991n })] }],
    ['with descriptions of a thousand signs', { lines: Array.from({ length: 9 }, () => line({ description: 'many words '.repeat(90) })) }],
    ['with a memo of many lines', { invoice: { memo: 'words of thanks '.repeat(600) } }],
    ['with nothing but a total', { lines: [], customer: { fullName: '', address: null, taxDocument: null } }],
  ];
  test.each(cases)('%s', async (_what, changes) => {
    for (const page of readPdf(await draw(changes))) {
      for (const { x, y, text } of page) {
        expect(x, text).toBeGreaterThanOrEqual(49);
        expect(x, text).toBeLessThan(546);
        expect(y, text).toBeGreaterThan(40);
        expect(y, text).toBeLessThan(795);
      }
      const foot = Math.max(...page.filter(({ text }) => text.startsWith('Page ')).map(({ y }) => y));
      expect(page.filter(({ y, text }) => y < foot && !/^(Page|Invoice INV)/.test(text))).toEqual([]);
    }
  });
});

test('Greek, Cyrillic and accents are shown, Hebrew runs from right to left, what has no picture is replaced', async () => {
  const lines = ['Ωμέγα Привет Ñandú', 'שלום עולם', '测试 🧑‍💻'].map((description) => line({ description }));
  const [page = []] = readPdf(await draw({ lines }));
  const texts = page.map(({ text }) => text);
  expect(texts).toContain('Ωμέγα Привет Ñandú');
  // Signs are read back from left to right, so the first word stands to the right of the second, each with its last sign first.
  const xOf = (word: string): number => page.find(({ text }) => text === word)?.x ?? Number.NaN;
  expect(xOf('םלוע')).toBeLessThan(xOf('םולש'));
  expect(texts).toContain('\uFFFD\uFFFD \uFFFD');
});
