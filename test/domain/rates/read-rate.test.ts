import { describe, expect, test } from 'vitest';
import { numberText, readDecimal } from '../../../src/domain/rates/decimal.ts';
import { exactText } from '../../../src/domain/rates/exact.ts';
import { models } from '../../../src/domain/rates/models.ts';
import { describeRate, modelNames, rateDocument } from '../../../src/domain/rates/rate.ts';
import { readQuantity, readRate } from '../../../src/domain/rates/read-rate.ts';
import { rateOf, tiersOf } from './rates.ts';

const fieldsOf = (input: unknown, decimals?: number): readonly string[] => {
  const read = readRate(input, decimals === undefined ? {} : { decimals });
  return 'problems' in read ? read.problems.map(({ field }) => field) : [];
};
const two = tiersOf(['10', '1'], [null, '1']);

describe('a decimal', () => {
  test.each([
    [0.2, '0.2'],
    [1e-7, '0.0000001'],
    [1.25e-9, '0.00000000125'],
    [1e21, '1000000000000000000000'],
    [-1.5e-7, '-0.00000015'],
    [0.1 + 0.2, '0.30000000000000004'],
    [Number.NaN, 'NaN'],
  ])('is the shortest decimal form of the number %d', (value, text) => {
    expect(numberText(value)).toBe(text);
  });

  test.each([
    ['0.20', { units: 20n, decimals: 2 }],
    ['0', { units: 0n, decimals: 0 }],
    [1e-12, { units: 1n, decimals: 12 }],
    ['999999999999999.999999999999', { units: 999999999999999999999999999n, decimals: 12 }],
  ])('is read exactly from %o', (value, expected) => {
    expect(readDecimal(value)).toEqual(expected);
  });

  test.each([
    '',
    '.5',
    '1.',
    '+1',
    '1e3',
    ' 1',
    '1,000',
    '-1',
    '1234567890123456',
    '0.1234567890123',
    -1,
    1e-13,
    0.1 + 0.2,
    Number.NaN,
    null,
    true,
    {},
    '1\n',
  ])("can't be read from %o", (value) => {
    expect(typeof readDecimal(value)).toBe('string');
  });
});

describe('a rate', () => {
  test('has defaults, and keeps the decimals of its amounts in JSON', () => {
    expect(rateDocument(rateOf({ amount: '0.20' }))).toEqual({
      model: 'per_unit',
      per: 1,
      tiers: [{ upTo: null, amount: '0.20', flat: '0' }],
    });
    const document = {
      model: 'graduated',
      per: 1_000_000,
      tiers: [
        { upTo: '0.5', amount: '0.000000000001', flat: '1000000000' },
        { upTo: null, amount: '0.10', flat: '0' },
      ],
      minimum: '1.00',
      maximum: '1.00',
    };
    expect(rateDocument(rateOf(document))).toEqual(document);
  });

  test.each<readonly [string, unknown, readonly string[]]>([
    ['no object', 'rate', ['']],
    ['a list', [], ['']],
    ['no price', {}, ['tiers']],
    ['an amount and tiers', { model: 'graduated', amount: '1', tiers: two }, ['amount']],
    ['an unknown model', { model: 'tiered', tiers: two }, ['model']],
    ['a model that is a name of every object', { model: 'constructor', amount: '1' }, ['model']],
    ['no tiers', { tiers: [] }, ['tiers']],
    ['tiers that are no list', { tiers: {} }, ['tiers']],
    [
      '21 tiers',
      {
        model: 'volume',
        tiers: [...Array.from({ length: 20 }, (_, index) => ({ upTo: index + 1 })), { upTo: null }],
      },
      ['tiers'],
    ],
    ['a tier that is no object', { tiers: [null] }, ['tiers.0']],
    [
      'tiers out of order',
      { model: 'volume', tiers: tiersOf(['10', '1'], ['9', '1'], [null, '1']) },
      ['tiers.1.upTo'],
    ],
    [
      'equal bounds',
      { model: 'volume', tiers: tiersOf(['10', '1'], ['10.0', '1'], [null, '1']) },
      ['tiers.1.upTo'],
    ],
    ['an empty first tier', { model: 'volume', tiers: tiersOf(['0', '1'], [null, '1']) }, ['tiers.0.upTo']],
    [
      'a bound in the last tier',
      { model: 'volume', tiers: tiersOf(['10', '1'], ['20', '1']) },
      ['tiers.1.upTo'],
    ],
    [
      'no bound before the last tier',
      { model: 'volume', tiers: tiersOf([null, '1'], [null, '1']) },
      ['tiers.0.upTo'],
    ],
    ['per 0', { per: 0, amount: '1' }, ['per']],
    ['per 1.5', { per: 1.5, amount: '1' }, ['per']],
    ['per above 10^12', { per: 10 ** 12 + 1, amount: '1' }, ['per']],
    ['per as text', { per: '10', amount: '1' }, ['per']],
    ['a negative amount', { amount: '-0.01' }, ['amount']],
    ['an amount above 10^9', { amount: '1000000000.000000000001' }, ['amount']],
    ['an amount with 13 decimals', { amount: '0.0000000000001' }, ['amount']],
    [
      'a flat amount above 10^9',
      { model: 'stairs', tiers: tiersOf([null, '0', '1000000001']) },
      ['tiers.0.flat'],
    ],
    ['a minimum above the maximum', { amount: '1', minimum: '2.01', maximum: '2' }, ['minimum']],
    ['a minimum that can never be invoiced', { amount: '1', minimum: '900000000001' }, ['minimum']],
    ['an unknown member', { amount: '1', price: '1' }, ['price']],
    ['an unknown member of a tier', { tiers: [{ amount: '1', to: 1 }] }, ['tiers.0.to']],
    ['two tiers of per_unit', { tiers: two }, ['tiers']],
    ['a flat amount of per_unit', { tiers: tiersOf([null, '1', '1']) }, ['tiers.0.flat']],
    ['an amount of stairs', { model: 'stairs', amount: '1' }, ['amount']],
    ['a bound that splits a package', { model: 'package', per: 4, tiers: two }, ['tiers.0.upTo']],
  ])('is rejected for %s', (_what, input, fields) => {
    expect(fieldsOf(input)).toEqual(fields);
  });

  test('is rejected with a list of all problems', () => {
    const tiers = [{ upTo: '5', amount: '-1' }, { upTo: '4', flat: 'x' }, { upTo: '9' }];
    expect(fieldsOf({ model: 'volume', per: 0, tiers, minimum: '2', maximum: '1' })).toEqual([
      'per',
      'tiers.0.amount',
      'tiers.1.flat',
      'tiers.2.upTo',
      'tiers.1.upTo',
      'minimum',
    ]);
    expect(fieldsOf({ per: -1, tiers: two, maximum: '-1' })).toEqual(['per', 'maximum', 'tiers']);
  });

  test('is rejected with different messages for the first tier and for later tiers', () => {
    expect(readRate({ model: 'volume', tiers: tiersOf(['0', '1'], ['0', '1'], [null, '1']) })).toEqual({
      problems: [
        { field: 'tiers.0.upTo', message: 'must be greater than 0' },
        { field: 'tiers.1.upTo', message: 'must be greater than the value in the previous tier' },
      ],
    });
  });

  test.each([
    [0, ['tiers.0.upTo']],
    [1, []],
  ])('can have tier bounds only with as many decimals as the meter: %d', (decimals, fields) => {
    expect(fieldsOf({ model: 'volume', tiers: tiersOf(['0.5', '1'], [null, '1']) }, decimals)).toEqual(
      fields,
    );
  });

  test('can contain the largest allowed values', () => {
    const tiers = Array.from({ length: 20 }, (_, index) => ({
      upTo: index === 19 ? null : (index + 1) * 10 ** 12,
      amount: '1000000000',
      flat: 10 ** 9,
    }));
    expect(fieldsOf({ model: 'package', per: 10 ** 12, tiers, maximum: '900000000000' })).toEqual([]);
  });

  test('can use exactly the pricing models in the registry', () => {
    expect(Object.keys(models)).toEqual([...modelNames]);
  });
});

describe('the description of a rate', () => {
  const clausesOf = (rate: Parameters<typeof rateOf>[0]) =>
    describeRate(rateOf(rate)).clauses.map((clause) =>
      Object.values(clause).map((value) =>
        typeof value === 'object' && value !== null ? `${value.units}e-${value.decimals}` : String(value),
      ),
    );

  test.each([
    [
      'names the price before the free tier: "$0.20 per million, first million free"',
      { model: 'graduated', per: 1_000_000, tiers: tiersOf(['1000000', '0'], [null, '0.20']) },
      [
        ['price', '1000000e-0', 'null', '20e-2', '1000000'],
        ['free', 'null', '1000000e-0', '0e-0', '1'],
      ],
    ],
    [
      'names flat amounts, the minimum and the maximum',
      {
        model: 'graduated',
        tiers: tiersOf(['100', '0.10', '5'], [null, '0.05']),
        minimum: '1',
        maximum: '150',
      },
      [
        ['price', 'null', '100e-0', '10e-2', '1'],
        ['flat', 'null', '100e-0', '5e-0', '1'],
        ['price', '100e-0', 'null', '5e-2', '1'],
        ['minimum', '1e-0'],
        ['maximum', '150e-0'],
      ],
    ],
  ])('%s', (_what, rate, expected) => {
    expect(clausesOf(rate)).toEqual(expected);
  });
});

describe('a quantity', () => {
  test.each([
    ['9007199254740991', '9007199254740991'],
    ['9007199254740991.999999999', '9007199254740991.999999999'],
    ['0.500', '0.5'],
    [12.5, '12.5'],
  ])('is read exactly from %o', (value, expected) => {
    const read = readQuantity(value);
    expect(typeof read === 'object' && 'quantity' in read && exactText(read.quantity)).toBe(expected);
  });

  test.each(['9007199254740992', '99999999999999999999', 1e17])('is too large: %o (PRM-106)', (value) => {
    expect(readQuantity(value)).toBe('too_large');
  });

  test.each(['-1', 'x', '0.0000000001', '', null])('is rejected: %o', (value) => {
    expect(readQuantity(value)).toHaveProperty('problem');
  });
});
