import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const operation = `query ($input: RatePreviewInput!) {
  ratePreview(input: $input) { quantity exact rounded lines { kind tier quantity unitAmount amount } }
}`;

const graduated = {
  model: 'graduated',
  tiers: [
    { upTo: '1000', amount: '0.0200' },
    { upTo: '10000', amount: '0.0150' },
    { upTo: null, amount: '0.0080' },
  ],
};

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Failure = {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly param?: string;
    readonly details: { readonly reason?: string; readonly problems?: readonly { field: string }[] };
  };
};

const post = <T>(body: object) => shop.rest<T>('POST', '/rates/preview', { ...body });

/** Sends an invalid request over REST. Returns the reason, `param`, and the fields of all problems. */
async function refused(body: object) {
  const { status, body: answer } = await post<Failure>(body);
  const { code, param, details } = answer.error;
  return {
    status,
    code,
    param,
    reason: details.reason,
    fields: details.problems?.map(({ field }) => field),
  };
}

describe('the rate preview', () => {
  it('returns the exact price, the rounded price and the lines of each quantity', async () => {
    const { status, body } = await post({ rate: graduated, quantities: ['0', '1000.50', 12_500] });
    expect(status).toBe(200);
    expect(body).toEqual({
      object: 'list',
      hasMore: false,
      data: [
        { quantity: '0', exact: '0', rounded: 0, lines: [] },
        {
          quantity: '1000.5',
          exact: '20.0075',
          rounded: 2_001,
          lines: [
            { kind: 'units', tier: 1, quantity: '1000', unitAmount: 2, amount: 2_000 },
            { kind: 'units', tier: 2, quantity: '0.5', unitAmount: 1.5, amount: 1 },
          ],
        },
        {
          quantity: '12500',
          exact: '175',
          rounded: 17_500,
          lines: [
            { kind: 'units', tier: 1, quantity: '1000', unitAmount: 2, amount: 2_000 },
            { kind: 'units', tier: 2, quantity: '9000', unitAmount: 1.5, amount: 13_500 },
            { kind: 'units', tier: 3, quantity: '2500', unitAmount: 0.8, amount: 2_000 },
          ],
        },
      ],
    });
  });

  it.each([
    ['a JSON number', { amount: 0.0000002 }],
    ['text', { amount: '0.0000002' }],
    ['an amount for `per` units', { amount: '0.20', per: 1_000_000 }],
  ])('reads a price below a minor unit exactly from %s (PRM-E16)', async (_form, rate) => {
    const { body } = await post<{ data: { exact: string; rounded: number }[] }>({
      rate,
      quantities: [1_234_567],
    });
    expect(body.data).toMatchObject([{ exact: '0.2469134', rounded: 25 }]);
  });

  it.each([
    ['usd', 1_050],
    ['jpy', 11],
    ['clp', 11],
  ])('rounds to the smallest unit of the currency %s', async (currency, rounded) => {
    const { body } = await post<{ data: { rounded: number }[] }>({
      rate: { amount: '10.50' },
      quantities: ['1'],
      currency,
    });
    expect(body.data).toMatchObject([{ rounded }]);
  });

  it('accepts decimals as literals in a GraphQL document', async () => {
    const text =
      '{ ratePreview(input: { rate: { amount: 0.10 }, quantities: [1.50, 2, "3", 1e2], currency: eur }) { exact } }';
    expect(await t.graphql(text)).toEqual({
      ratePreview: [{ exact: '0.15' }, { exact: '0.2' }, { exact: '0.3' }, { exact: '10' }],
    });
  });

  it('accepts up to 100 quantities, and rejects 101 quantities and an empty list', async () => {
    const quantities = Array.from({ length: 101 }, (_, index) => index);
    expect((await post({ rate: graduated, quantities: quantities.slice(1) })).status).toBe(200);
    for (const wrong of [quantities, []])
      expect(await refused({ rate: graduated, quantities: wrong })).toMatchObject({
        status: 400,
        code: 'validation_error',
        param: 'quantities',
      });
  });
});

describe('an invalid rate in the preview', () => {
  const one = { upTo: null, amount: '1' };
  const bad = (rate: object, fields: readonly string[]) => ({ rate, fields });

  it.each([
    bad({ ...graduated, tiers: [] }, ['tiers']),
    bad({}, ['tiers']),
    bad({ model: 'volume', tiers: Array.from({ length: 21 }, () => one) }, ['tiers']),
    bad({ model: 'volume', tiers: [{ upTo: '10' }, { upTo: '9' }, one] }, ['tiers.1.upTo']),
    bad({ model: 'volume', tiers: [{ upTo: '10' }, { upTo: '20' }] }, ['tiers.1.upTo']),
    bad({ amount: '-1' }, ['amount']),
    bad({ amount: '0.1234567890123' }, ['amount']),
    bad({ amount: 1e-13 }, ['amount']),
    bad({ amount: '1000000001' }, ['amount']),
    bad({ amount: '1', per: 0 }, ['per']),
    bad({ amount: '1', per: 1_000_000_000_001 }, ['per']),
    bad({ amount: '1', minimum: '2', maximum: '1' }, ['minimum']),
    bad({ per: -1, tiers: [{ upTo: '1', flat: '-2' }, one], maximum: -1 }, [
      'per',
      'tiers.0.flat',
      'maximum',
      'tiers',
    ]),
  ])('fails with bad_rate and the paths of all problems: $fields', async ({ rate, fields }) => {
    const paths = fields.map((field) => `rate.${field}`);
    expect(await refused({ rate, quantities: ['1'] })).toEqual({
      status: 400,
      code: 'validation_error',
      param: paths[0],
      reason: 'bad_rate',
      fields: paths,
    });
  });

  it('fails with the same error over GraphQL, together with the problems of quantities', async () => {
    const input = { rate: { amount: '1', per: 0 }, quantities: ['1', '-1', '9007199254740992'] };
    expect(await rejection(t, operation, { input })).toEqual({
      code: 'validation_error',
      status: 400,
      message: 'rate.per: must be a whole number from 1 to 1,000,000,000,000.',
      param: 'rate.per',
      details: {
        reason: 'bad_rate',
        problems: [
          { field: 'rate.per', message: 'must be a whole number from 1 to 1,000,000,000,000' },
          { field: 'quantities.1', message: "can't be negative" },
          {
            field: 'quantities.2',
            message:
              'exceeds what can be invoiced for one feature and period. Use a smaller quantity or price',
          },
        ],
      },
    });
  });

  it.each([
    ['a word', { rate: { amount: 'free' }, quantities: ['1'] }, 'rate.amount'],
    ['an exponent as text', { rate: { amount: '1e3' }, quantities: ['1'] }, 'rate.amount'],
    ['an unknown model', { rate: { ...graduated, model: 'tiered' }, quantities: ['1'] }, 'rate.model'],
    ['an unknown member', { rate: { amount: '1', price: '1' }, quantities: ['1'] }, 'rate.price'],
    ['a list instead of a rate', { rate: [], quantities: ['1'] }, 'rate'],
    ['a missing rate', { quantities: ['1'] }, 'rate'],
    ['a quantity that is a word', { rate: graduated, quantities: ['many'] }, 'quantities.0'],
    ['an unknown currency', { rate: graduated, quantities: ['1'], currency: 'xxx' }, 'currency'],
  ])('reports the invalid field for %s', async (_what, body, param) => {
    expect(await refused(body)).toMatchObject({ status: 400, code: 'validation_error', param });
  });
});

describe('a quantity in the preview', () => {
  it.each([
    ['9007199254740991', '2.00', 'too_large'],
    ['9007199254740992', '0', 'too_large'],
    ['99999999999999999999999999', '0', 'too_large'],
    ['900000000001', '1', 'too_large'],
    ['-1', '1', 'bad_quantity'],
    ['0.0000000001', '1', 'bad_quantity'],
  ])(
    'fails for %s units at the price %s with the reason %s (PRM-106, PRM-E39)',
    async (quantity, amount, reason) => {
      expect(await refused({ rate: { amount }, quantities: ['1', quantity] })).toEqual({
        status: 400,
        code: 'validation_error',
        param: 'quantities.1',
        reason,
        fields: ['quantities.1'],
      });
    },
  );

  it('is accepted up to the largest billable price', async () => {
    const { status, body } = await post<{ data: { rounded: number }[] }>({
      rate: { amount: '1' },
      quantities: ['900000000000'],
    });
    expect([status, body.data[0]?.rounded]).toEqual([200, 90_000_000_000_000]);
  });
});
