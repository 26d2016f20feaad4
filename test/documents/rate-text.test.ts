import { describe, expect, test } from 'vitest';
import { rateSentence } from '../../src/documents/rate-text.ts';
import { rateDocument } from '../../src/domain/rates/rate.ts';
import { rateOf } from '../domain/rates/rates.ts';

const graduated = {
  model: 'graduated',
  tiers: [
    { upTo: '1000000', amount: '0' },
    { upTo: null, amount: '0.20' },
  ],
  per: 1_000_000,
};

const stairs = {
  model: 'stairs',
  tiers: [
    { upTo: '5', flat: '29' },
    { upTo: '20', flat: '99' },
    { upTo: null, flat: '249' },
  ],
};

describe('the description of a rate for customers', () => {
  test.each([
    [{ amount: '0.0005' }, 'usd', 'en', '$0.0005 per unit'],
    [graduated, 'usd', 'en', '$0.20 per 1,000,000 units from 1,000,001, free up to 1,000,000'],
    [
      { ...graduated, model: 'volume' },
      'eur',
      'en',
      '€0.20 per 1,000,000 units from 1,000,001, free up to 1,000,000; the total determines the price of all units',
    ],
    [
      { model: 'package', per: 500, amount: '4', maximum: '100' },
      'usd',
      'en',
      '$4.00 per 500 units, at most $100.00; partial packages are charged in full',
    ],
    [stairs, 'usd', 'en', '$29.00 flat up to 5, $99.00 flat from 6 to 20, $249.00 flat from 21'],
    [{ amount: '0' }, 'usd', 'en', 'free'],
    [{ amount: '1', minimum: '10' }, null, 'en', '1 credit per unit, at least 10 credits'],
    [{ amount: '0.000001' }, null, 'en', '0.000001 credits per unit'],
    [{ amount: '500' }, 'jpy', 'es', '500 JPY por unidad'],
    [graduated, 'eur', 'es', '0,20 € por 1.000.000 de unidades desde 1.000.001, gratis hasta 1.000.000'],
  ] as const)('%o in %s in %s', (rate, currency, language, sentence) => {
    const text = rateSentence(rateDocument(rateOf(rate)), currency, language);
    expect(text.replaceAll('\u00a0', ' ')).toBe(sentence);
  });
});
