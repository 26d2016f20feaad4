import { stringify } from 'csv-stringify/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CellType, Column } from '../../../../src/modules/exports/exports/derive-columns.ts';
import { headerOf, lineWriter } from '../../../../src/modules/exports/exports/write-cells.ts';
import { rowWriter } from '../../../../src/modules/exports/exports/write-file.ts';

const column = (name: string, type: CellType, isUsCents = false): Column => ({
  name,
  type,
  path: name.split('_'),
  fields: [],
  stored: null,
  isUsCents,
  isEmptyIfFalse: false,
});

const columns = [
  column('name', 'text'),
  column('total', 'amount'),
  column('usd', 'amount', true),
  column('rate', 'rate'),
  column('plan_name', 'text'),
  column('data', 'json'),
];

const shaped = {
  rows: [
    { name: '=1+1', total: -1_250, usd: 99, rate: 125, plan: { name: '+A' }, data: { a: '=1' } },
    { name: 'A "b", c\nd', total: 0, usd: null, rate: -5, plan: null, data: null },
    { name: '\tx', total: 100, usd: 100, rate: 10_000, plan: { name: '@b' }, data: [-1] },
  ],
  currencies: ['eur', 'usd', 'jpy'],
};

const csvText = `name,total,total_decimal,usd,usd_decimal,rate,rate_decimal,plan_name,data\r
'=1+1,-1250,-12.50,99,0.99,125,0.0125,'+A,"{""a"":""=1""}"\r
"A ""b"", c\nd",0,0.00,,,-5,-0.0005,,\r
'\tx,100,100,100,1.00,10000,1.0000,'@b,[-1]\r
`;

test('an export cell shows amounts with decimals, and has an apostrophe before a formula (DAT-31)', async () => {
  // EUR and USD have two decimals, and JPY has no decimals. Rates have four decimals, so 125 is 0.0125.
  expect(headerOf(columns) + lineWriter(columns)(shaped)).toBe(csvText);
  const { bytes } = await rowWriter('csv', columns).chunk(shaped, 0);
  expect(Buffer.from(bytes).toString()).toBe(csvText);
});

test('a CSV export has a header only in the first chunk, and an NDJSON export has one line per row', async () => {
  const { bytes } = await rowWriter('csv', columns).chunk(shaped, 500);
  expect(Buffer.from(bytes).toString()).toBe(csvText.slice(csvText.indexOf('\r\n') + 2));
  const lines = await rowWriter('ndjson', columns).chunk(shaped, 0);
  expect(Buffer.from(lines.bytes).toString()).toBe(
    shaped.rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  );
});

test('an export cell uses the same quoting as a CSV library', () => {
  const texts = ['a', 'b', 'c'];
  const text = fc.stringOf(
    fc.constantFrom('a', 'é', ' ', ',', ';', '"', "'", '\r', '\n', '\u2028', '\ufeff'),
  );
  const write = lineWriter(texts.map((name) => column(name, 'text')));
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text, fc.option(text)), { minLength: 1, maxLength: 5 }), (lines) => {
      const rows = lines.map(([a, b, c]) => ({ a, b, c }));
      const cells = lines.map((line) =>
        line.map((cell) => (cell?.startsWith('\r') === true ? `'${cell}` : (cell ?? ''))),
      );
      const expected = stringify(cells, { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
      expect(write({ rows, currencies: [] })).toBe(expected);
    }),
  );
});
