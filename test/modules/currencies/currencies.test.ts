import { isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { schema } from '../../../src/schema.ts';
import { startApp, type TestApp } from '../../support/harness.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

test('the choice of currencies is open to anybody, with the decimals of their amounts', async () => {
  type Data = { currencies: { code: string; decimals: number }[] };
  const { currencies } = await t.graphql<Data>('{ currencies { code decimals } }', {}, { key: null });
  expect(currencies).toHaveLength(20);
  expect(currencies[0]).toEqual({ code: 'usd', decimals: 2 });
  const whole = currencies.filter(({ decimals }) => decimals === 0);
  expect(whole.map(({ code }) => code)).toEqual(['clp', 'pyg', 'jpy', 'krw']);
});

test('a currency is a Currency everywhere, but in offers and where banks and processors tell it', () => {
  const texts = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) || isInputObjectType(type)
      ? Object.values(type.getFields())
          .filter((field) => /currency$/i.test(field.name) && !/^\[?Currency\b/.test(String(field.type)))
          .map((field) => `${type.name}.${field.name}`)
      : [],
  );
  expect(texts.sort()).toEqual([
    'GatewayDifference.currency',
    'OfferAmountInput.currency',
    'OfferPriceInput.currency',
    'PayoutBankAccount.currency',
  ]);
});
