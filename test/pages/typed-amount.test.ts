import { expect, test } from 'vitest';
import { typedAmount } from '../../src/pages/portal/typed-amount.ts';

test.each([
  ['12.50', 'usd', 'en', 1_250],
  ['12,5', 'usd', 'es', 1_250],
  ['1250', 'jpy', 'en', 1_250],
  ['12.5', 'jpy', 'en', null],
  ['1,250', 'usd', 'en', null],
  ['1.250', 'usd', 'pt-BR', null],
  ['12.345', 'kwd', 'en', 12_345],
  ['12,345', 'kwd', 'pt-BR', 12_345],
  ['12,345', 'kwd', 'es', 12_345],
  ['12,345', 'kwd', 'en', null],
  ['12.345', 'kwd', 'es', null],
  ['12.345', 'kwd', 'pt-BR', null],
  ['12.34', 'kwd', 'en', 12_340],
  ['12.3456', 'kwd', 'en', null],
  ['0', 'kwd', 'en', null],
])('the amount %s in %s on a page in %s is parsed as %s', (text, currency, language, amount) => {
  expect(typedAmount(text, currency, language)).toBe(amount);
});
