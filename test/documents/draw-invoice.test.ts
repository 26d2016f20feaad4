import { describe, expect, test } from 'vitest';
import { drawInvoice } from '../../src/documents/draw-invoice.ts';
import { invoiceDocument } from '../../src/documents/invoice-document.ts';
import { readPdf, textsOf } from '../support/pdf.ts';
import { details, line } from './facts.ts';

const draw = (changes: Parameters<typeof details>[0] = {}): Promise<Buffer> =>
  drawInvoice(invoiceDocument(details(changes)));

test('the PDF contains all text of the document', async () => {
  const document = invoiceDocument(details({ invoice: { status: 'paid', memo: 'Thank you.' } }));
  const bytes = await drawInvoice(document);
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  const [page = [], ...others] = textsOf(bytes);
  expect(others).toEqual([]);
  const { issuer, customer, title, mark, lines, totals, notes, details: entries } = document;
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

test("the PDF of an invoice has the same bytes each time it's drawn", async () => {
  const [first, second] = [await draw(), await draw()];
  expect(second.equals(first)).toBe(true);
  expect(first.toString('latin1')).toContain('D:20270518000000Z');
});

test('a PDF with 300 lines spans several pages, each with column headings and a page number', async () => {
  const lines = Array.from({ length: 300 }, (_none, index) =>
    line({ description: `Line number ${index}`, amount: BigInt(index) }),
  );
  const pages = textsOf(await draw({ lines }));
  expect(pages.length).toBeGreaterThan(5);
  for (const [index, page] of pages.entries()) {
    expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    expect(page).toContain('Unit price');
  }
  const numbered = pages.flat().filter((text) => text.startsWith('Line number'));
  expect(numbered).toEqual(lines.map(({ description }) => description));
});

describe("a PDF's text", () => {
  const long = 'pneumonoultramicroscopicsilicovolcanoconiosis'.repeat(8);
  const cases: readonly (readonly [string, Parameters<typeof details>[0]])[] = [
    [
      'with a word longer than the column',
      { lines: [line({ description: long })], buyer: { name: long }, seller: { name: long } },
    ],
    [
      'with the largest possible amounts',
      { lines: [line({ quantity: 9_007_199_254_740_991n, amount: 9_007_199_254_740_991n })] },
    ],
    [
      'with descriptions of about 1,000 characters',
      { lines: Array.from({ length: 9 }, () => line({ description: 'many words '.repeat(90) })) },
    ],
    ['with a memo of many lines', { invoice: { memo: 'words of thanks '.repeat(600) } }],
    ['with only a total', { lines: [], buyer: { name: '', address: null, taxDocument: null } }],
  ];
  test.each(cases)('stays within the page margins of a document %s', async (_what, changes) => {
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

/**
 * Returns a string's characters, sorted and without spaces. Sorting is needed because some fonts draw a character before the preceding
 * character in the text.
 */
const signs = (text: string): string =>
  [...text.normalize('NFC').replaceAll(/\s|\u200D|\uFE0F/g, '')].sort().join('');

const writings = [
  '日本語のインボイス',
  '中文發票',
  '한국어 송장',
  'ภาษาไทย',
  'हिन्दी',
  'العربية',
  'עברית',
  'Party 🎉 👩‍🚀',
  'Łódź ş Ж Ωμέγα Ñandú',
];

test('the PDF draws every tested script without missing characters, in a small file', async () => {
  const lines = writings.map((description) => line({ description }));
  const bytes = await draw({ lines, buyer: { name: '株式会社', country: 'JP' } });
  const [page = []] = readPdf(bytes);
  const drawn = page.map(({ text }) => text).join('');
  // Glyph 0 represents a missing character in every font.
  expect(drawn).not.toMatch(/[\uFFFD\0]/);
  const rows = Map.groupBy(page, ({ y }) => Math.round(y));
  const read = [...rows.values()].map((texts) => signs(texts.map(({ text }) => text).join('')));
  for (const text of writings)
    expect(
      read.some((row) => row === signs(`${text}1$73.00$73.00`)),
      text,
    ).toBe(true);
  expect(bytes.byteLength).toBeLessThan(120 * 1_024);
  expect((await draw({ lines, buyer: { name: '株式会社', country: 'JP' } })).equals(bytes)).toBe(true);
});

const names = {
  Hindi: 'कंपनी प्राइवेट',
  Bengali: 'উদাহরণ',
  Assamese: 'অসমীয়া',
  Punjabi: 'ਪੰਜਾਬੀ',
  Gujarati: 'ગુજરાતી',
  Odia: 'ଓଡ଼ିଆ',
  Tamil: 'தமிழ்',
  Telugu: 'తెలుగు',
  Kannada: 'ಕನ್ನಡ',
  Malayalam: 'മലയാളം',
  Sinhala: 'සිංහල',
  Dhivehi: 'ދިވެހި',
  Manipuri: 'ꯃꯤꯇꯩ',
  Santali: 'ᱥᱟᱱᱛᱟᱲᱤ',
  Tibetan: 'བོད་',
  Burmese: 'မြန်မာ',
  Khmer: 'ខ្មែរ',
  Lao: 'ລາວ',
  Thai: 'บริษัท',
  Amharic: 'አማርኛ',
  Mongolian: 'ᠮᠣᠩᠭᠣᠯ',
  Yi: 'ꆈꌠꉙ',
  Cherokee: 'ᏣᎳᎩ',
  Inuktitut: 'ᐃᓄᒃᑎᑐᑦ',
  Georgian: 'საქართველო',
  Armenian: 'Հայաստան',
  Urdu: 'پاکستان',
  Uyghur: 'ئۇيغۇرچە',
  Vietnamese: 'Đường Nguyễn',
} as const;

test.each(Object.entries(names))("the PDF draws a buyer's name in %s", async (_language, name) => {
  const bytes = await draw({ buyer: { name } });
  const [page = []] = readPdf(bytes);
  const drawn = page.map(({ text }) => text).join('');
  expect(drawn).not.toMatch(/[\uFFFD\0]/);
  // Shaping combines or reorders characters, but must not drop any.
  const marks = /\p{M}/gu;
  for (const sign of new Set(signs(name).replaceAll(marks, '')))
    expect(drawn.normalize('NFC')).toContain(sign);
  expect(bytes.byteLength).toBeLessThan(60 * 1_024);
});

test('the PDF draws Hebrew from right to left, with Latin words and numbers in place', async () => {
  const [page = []] = readPdf(await draw({ lines: [line({ description: 'שלום Pro 12 עולם' })] }));
  const xOf = (text: string): number => page.find((one) => one.text.trim() === text)?.x ?? Number.NaN;
  // From left to right, the last word comes first, with its characters reversed.
  expect(xOf('םלוע')).toBeLessThan(xOf('Pro 12'));
  expect(xOf('Pro 12')).toBeLessThan(xOf('םולש'));
});

test('the PDF declares its language, and links to the payment page of an outstanding invoice', async () => {
  const payUrl = 'https://pay.test/checkout/token';
  const file = (await draw({ payUrl, seller: { language: 'es' } })).toString('latin1');
  expect(file).toContain('/Lang (es)');
  expect(file).toContain(`/URI (${payUrl})`);
  expect((await draw()).toString('latin1')).not.toContain('/URI');
});
