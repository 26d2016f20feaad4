import { isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../../../src/schema.ts';
import {
  createCustomer,
  createPricedPlan,
  otherShop,
  pay,
  setCurrency,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

test('the list of currencies is public and includes the number of decimals', async () => {
  type Data = { currencies: { code: string; decimals: number }[] };
  const { currencies } = await t.graphql<Data>('{ currencies { code decimals } }', {}, { key: null });
  expect(currencies).toHaveLength(69);
  expect(currencies[0]).toEqual({ code: 'usd', decimals: 2 });
  const codesWith = (count: number) =>
    currencies.filter(({ decimals }) => decimals === count).map(({ code }) => code);
  expect(codesWith(0)).toEqual('clp pyg jpy krw isk ugx vnd xof xaf rwf'.split(' '));
  expect(codesWith(3)).toEqual('bhd jod kwd omr tnd'.split(' '));
});

test('a currency field has the type Currency, except in offer inputs and in data from banks and payment providers', () => {
  const texts = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
      ? Object.values(type.getFields())
          .filter((field) => /currency$/i.test(field.name) && !/^\[?Currency\b/.test(String(field.type)))
          .map((field) => `${type.name}.${field.name}`)
      : [],
  );
  expect(texts.sort()).toEqual([
    'BankStatementColumnsInput.currency',
    'GatewayDifference.currency',
    'OfferAmountInput.currency',
    'OfferPriceInput.currency',
    'PayoutBankAccount.currency',
  ]);
});

test('a plan is sold in every added currency, with converted amounts rounded half up', async () => {
  const shop = await otherShop(t);
  const { id: planId } = await createPricedPlan(shop, { price: 6_150 });
  const amounts: Record<string, unknown> = {};
  for (const [currency, rate, country] of [
    ['gbp', 0.79, 'GB'],
    ['chf', 0.88, 'CH'],
    ['aud', 1.52, 'AU'],
    ['nzd', 1.66, 'NZ'],
    ['sek', 10.4, 'SE'],
    ['nok', 10.7, 'NO'],
    ['dkk', 6.9, 'DK'],
    ['pln', 3.95, 'PL'],
    ['czk', 23.1, 'CZ'],
    ['aed', 3.67, 'AE'],
    ['ils', 3.7, 'IL'],
    ['zar', 18.2, 'ZA'],
    ['isk', 138.5, 'IS'],
    ['kwd', 0.307, 'KW'],
    ['tnd', 3.1, 'TN'],
  ] as const) {
    await setCurrency(shop, planId, currency, rate);
    const { token } = await subscribeTo(shop, (await createCustomer(shop, country)).id, planId);
    expect(await pay(shop, token)).toBe('paid');
    const { body } = await shop.rest<{ data: { currency: string; total: number }[] }>(
      'GET',
      '/invoices?limit=1',
    );
    amounts[country] = body.data.map(({ currency: charged, total }) => `${total} ${charged}`);
  }
  expect(amounts).toEqual({
    // 61.50 USD at an exchange rate of 0.79 is 48.585 GBP.
    GB: ['4859 gbp'],
    CH: ['5412 chf'],
    AU: ['9348 aud'],
    NZ: ['10209 nzd'],
    SE: ['63960 sek'],
    NO: ['65805 nok'],
    DK: ['42435 dkk'],
    PL: ['24293 pln'],
    CZ: ['142065 czk'],
    AE: ['22571 aed'],
    IL: ['22755 ils'],
    ZA: ['111930 zar'],
    IS: ['8518 isk'],
    // 61.50 USD at an exchange rate of 0.307 is 18.8805 KWD.
    KW: ['18881 kwd'],
    TN: ['190650 tnd'],
  });
  // The settlement is recorded in US cents: the charged amount is converted back at the exchange rate. 48.59 GBP at an exchange rate of
  // 0.79 is 61.506 USD.
  const { body } = await shop.rest<{ data: { grossAmount: number }[] }>('GET', '/transactions?limit=50');
  expect(body.data.map(({ grossAmount }) => grossAmount)).toEqual([
    ...Array.from({ length: 14 }, () => 6_150),
    6_151,
  ]);
});
