import { describe, expect, test } from 'vitest';
import { type Card, canTie, type PriceListDocument } from '../../../src/domain/rates/card.ts';
import { exactText, ratio, whole } from '../../../src/domain/rates/exact.ts';
import { heldUseAmount, isCheaper, storedRate } from '../../../src/domain/rates/held.ts';
import { linesOfUse } from '../../../src/domain/rates/lines.ts';
import { readCard } from '../../../src/domain/rates/read-card.ts';
import { canPrice, heldUsePrice } from '../../../src/domain/rates/use-price.ts';

const rate = (amount: string) => ({
  model: 'per_unit' as const,
  per: 1,
  tiers: [{ upTo: null, amount, flat: '0' }],
});

const models: PriceListDocument = {
  cells: [
    { when: { model: ['L'] }, rate: rate('0.0120') },
    { when: { model: ['S'] }, rate: rate('0.0015') },
  ],
};

const quantities = [
  { values: { model: 'L' }, units: whole(2_400n) },
  { values: { model: 'S' }, units: whole(31_000n) },
];

const use = (free = 0n) => ({ quantities, free: whole(free) });

const [card] = storedRate(models);

describe('a card', () => {
  test.each([
    [0n, '75.3'],
    [5_000n, '42.6'],
    [33_400n, '0'],
    [40_000n, '0'],
  ])('charges 2,400 units of L and 31,000 of S with %i free units: %s (PRM-E4)', (free, price) => {
    expect(exactText(heldUseAmount(storedRate(models), use(free)))).toBe(price);
  });

  test('returns one line for each cell, with the name of the cell', () => {
    expect(linesOfUse(card as Card, use(), 100n).map(({ cell, amount }) => [cell, amount])).toEqual([
      ['L', 2_880n],
      ['S', 4_650n],
    ]);
  });

  test('takes free units in the order of the cells if the first units cost the same', () => {
    const equal = storedRate({ cells: models.cells.map(({ when }) => ({ when, rate: rate('1') })) });
    const { list } = heldUsePrice(equal, use());
    const lines = linesOfUse(list, use(2_000n), 1n);
    expect(lines.map(({ cell, amount }) => [cell, amount])).toEqual([
      ['L', 400n],
      ['S', 31_000n],
    ]);
  });

  test('applies its minimum and maximum to the sum of the cells', () => {
    expect(exactText(heldUseAmount(storedRate({ ...models, maximum: '50' }), use()))).toBe('50');
    expect(exactText(heldUseAmount(storedRate({ ...models, minimum: '90' }), use()))).toBe('90');
    const lines = linesOfUse(storedRate({ ...models, maximum: '50' })[0] as Card, use(), 100n);
    expect(lines.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['units', 2_880n],
      ['maximum', 2_120n],
    ]);
  });

  test('gives usage to the matching cell with the most dimensions, and other usage to the default', () => {
    const lists = storedRate({
      cells: [
        { when: { model: ['L'] }, rate: rate('2') },
        { when: { model: ['L'], region: ['eu'] }, rate: rate('3') },
      ],
      default: rate('1'),
    });
    const priceOf = (values: Record<string, string>) =>
      exactText(heldUseAmount(lists, { quantities: [{ values, units: whole(1n) }], free: whole(0n) }));
    expect(priceOf({ model: 'L', region: 'us' })).toBe('2');
    expect(priceOf({ model: 'L', region: 'eu' })).toBe('3');
    expect(priceOf({ model: 'S', region: 'eu' })).toBe('1');
    expect(priceOf({})).toBe('1');
  });

  test("can't price other usage if the card has no default", () => {
    expect(canPrice(card as Card, [{ values: { model: 'M' }, units: whole(1n) }])).toBe(false);
    expect(canPrice(card as Card, [{ values: { model: 'M' }, units: whole(0n) }])).toBe(true);
  });

  test('is held as a whole: the cheapest version for all cells together applies (PRM-E46)', () => {
    const before = rate('0.0030');
    const held = [...storedRate(before), ...storedRate(models)];
    expect(exactText(heldUseAmount(held, use()))).toBe('75.3');
    const dearer = { cells: [{ when: { model: ['L'] }, rate: rate('0.05') }, models.cells[1] as never] };
    expect(exactText(heldUseAmount([...storedRate(before), ...storedRate(dearer)], use()))).toBe('100.2');
  });

  test('sums up all but the 50 largest cells in one line', () => {
    const cells = Array.from({ length: 60 }, (_, index) => ({
      when: { model: [String(index)] },
      rate: rate('0.014'),
    }));
    const parts = cells.map((_, index) => ({
      values: { model: String(index) },
      units: whole(BigInt(60 - index)),
    }));
    const [list] = storedRate({ cells });
    const lines = linesOfUse(list as Card, { quantities: parts, free: whole(0n) }, 100n);
    const total = heldUseAmount([list as Card], { quantities: parts, free: whole(0n) });
    expect(lines).toHaveLength(51);
    expect(lines.at(-1)).toMatchObject({ kind: 'rest', cell: null, units: { numerator: 55n } });
    expect(lines.reduce((sum, { amount }) => sum + amount, 0n)).toBe(2_562n);
    expect(exactText(total)).toBe('25.62');
  });
});

describe('two cells', () => {
  test.each([
    [{ a: ['1'] }, { a: ['1', '2'] }, true],
    [{ a: ['1'] }, { a: ['2'] }, false],
    [{ a: ['1'] }, { b: ['2'] }, true],
    [{ a: ['1'] }, { a: ['1'], b: ['2'] }, false],
    [{ a: ['1'], b: ['1'] }, { a: ['1'], c: ['1'] }, true],
  ])('finds whether cells with the conditions %j and %j can tie: %s', (first, second, expected) => {
    expect(canTie(first, second)).toBe(expected);
  });
});

test.each([
  [{ cells: [] }, 'bad_rate', ['cells']],
  [{ cells: [{ when: {}, rate: { amount: '1' } }] }, 'bad_rate', ['cells.0.when']],
  [{ cells: [{ when: { a: ['1'] }, rate: { amount: '-1' } }] }, 'bad_rate', ['cells.0.rate.amount']],
  [{ default: { amount: '1', model: 'stairs' } }, 'bad_rate', ['default.amount']],
  [{ default: { amount: '1' }, minimum: '2', maximum: '1' }, 'bad_rate', ['minimum']],
  [
    {
      cells: [
        { when: { a: ['1'] }, rate: { amount: '1' } },
        { when: { a: ['1'] }, rate: { amount: '2' } },
      ],
    },
    'ambiguous_cells',
    ['cells.1.when'],
  ],
])('the card %j is rejected with %s', (input, reason, fields) => {
  const read = readCard(input, 0);
  expect(read).toMatchObject({ reason });
  expect('problems' in read && read.problems.map(({ field }) => field)).toEqual(fields);
});

test('a card with more than 500 cells is rejected', () => {
  const cells = Array.from({ length: 501 }, (_, index) => ({
    when: { a: [String(index)] },
    rate: { amount: '1' },
  }));
  expect(readCard({ cells }, 0)).toMatchObject({ reason: 'bad_rate', problems: [{ field: 'cells' }] });
});

test.each([
  [models, { cells: [models.cells[0] as never, { when: { model: ['S'] }, rate: rate('0.0010') }] }, true],
  [models, { cells: [models.cells[0] as never, { when: { model: ['S'] }, rate: rate('0.0020') }] }, false],
  [rate('0.02'), { ...models, default: rate('0.02') }, true],
  [rate('0.002'), { ...models, default: rate('0.002') }, false],
  [models, { cells: [models.cells[0] as never] }, false],
])('a change from %j to %j is cheaper: %s', (before, after, expected) => {
  const [[first], [second]] = [storedRate(before), storedRate(after)];
  expect(first && second && isCheaper(first, second)).toBe(expected);
});

test('lines add up to the rounded price for quantities with fractions', () => {
  const parts = quantities.map(({ values }, index) => ({
    values,
    units: ratio(BigInt(index) * 7n + 1n, 3n),
  }));
  const part = { quantities: parts, free: whole(0n) };
  const sum = linesOfUse(card as Card, part, 100n).reduce((total, { amount }) => total + amount, 0n);
  expect(exactText(heldUseAmount([card as Card], part))).toBe('0.008');
  expect(sum).toBe(1n);
});
