import { expect, test } from 'vitest';
import { lineText } from '../../src/documents/line-text.ts';
import type { InvoiceLineType } from '../../src/domain/rows/enums.ts';

// All formats of generated descriptions, and similar descriptions written by merchants.

const lines: [lineType: InvoiceLineType, stored: string, english: string, spanish: string][] = [
  ['plan_base', 'Pro (weekly)', 'Pro (weekly)', 'Pro (semanal)'],
  ['plan_base', 'Pro (monthly)', 'Pro (monthly)', 'Pro (mensual)'],
  ['plan_base', 'Pro (quarterly)', 'Pro (quarterly)', 'Pro (trimestral)'],
  ['plan_base', 'Pro (monthly) (yearly)', 'Pro (monthly) (yearly)', 'Pro (monthly) (anual)'],
  ['plan_base', 'Pro (one-time)', 'Pro (one-time)', 'Pro (una vez)'],
  ['discount', 'Spring (monthly)', 'Spring (monthly)', 'Spring (monthly)'],
  [
    'feature_overage',
    'Calls: 41200 beyond 10000 included',
    'Calls: 41,200 additional (10,000 included)',
    'Calls: 41.200 adicionales (10.000 incluidos)',
  ],
  [
    'feature_seats',
    'Seats: 2 beyond 3 included',
    'Seats: 2 additional (3 included)',
    'Seats: 2 adicionales (3 incluidos)',
  ],
  [
    'feature_quota',
    'Rooms: 1 more from 2027-05-18, for 1 day',
    'Rooms: 1 more from May 18, 2027, for 1 day',
    'Rooms: 1 más desde el 18 de mayo de 2027, por 1 día',
  ],
  [
    'feature_seats',
    'Seats: 4 more from 2026-11-26, for 30 days',
    'Seats: 4 more from November 26, 2026, for 30 days',
    'Seats: 4 más desde el 26 de noviembre de 2026, por 30 días',
  ],
  [
    'feature_overage',
    'Calls: 12.5 in other combinations',
    'Calls: 12.5 in other combinations',
    'Calls: 12,5 en otras combinaciones',
  ],
  [
    'credit',
    'Calls: correction of the usage from 2027-05-18',
    'Calls: correction of the usage from May 18, 2027',
    'Calls: corrección del uso desde el 18 de mayo de 2027',
  ],
  [
    'feature_overage',
    'Calls: correction of the usage from 2027-05-18',
    'Calls: correction of the usage from May 18, 2027',
    'Calls: corrección del uso desde el 18 de mayo de 2027',
  ],
  ['balance_overage', 'Use beyond the balance', 'Usage above the balance', 'Uso por encima del saldo'],
  [
    'balance_overage',
    'Tokens: use beyond the balance',
    'Tokens: usage above the balance',
    'Tokens: uso por encima del saldo',
  ],
  ['addon_base', 'Support (monthly)', 'Support (monthly)', 'Support (monthly)'],
  ['credit', 'Pro: 12 of 30 days not used', 'Pro: 12 of 30 days unused', 'Pro: 12 de 30 días sin usar'],
  [
    'credit',
    'Customer credit of 2027-05-18',
    'Customer credit from May 18, 2027',
    'Crédito del 18 de mayo de 2027',
  ],
  ['one_time', 'Large pack: 5000 credits', 'Large pack: 5,000 credits', 'Large pack: 5000 créditos'],
  ['one_time', 'Balance top-up', 'Balance top-up', 'Recarga de saldo'],
  ['one_time', 'Help: 2 of 3 days not used', 'Help: 2 of 3 days not used', 'Help: 2 of 3 days not used'],
  ['one_time', 'Setup\nand training', 'Setup\nand training', 'Setup\nand training'],
];

test.each(lines)(
  'the description of a line item of type %s, stored as "%s", is translated',
  (lineType, description, english, spanish) => {
    expect([lineText({ lineType, description }, 'en'), lineText({ lineType, description }, 'es')]).toEqual([
      english,
      spanish,
    ]);
  },
);
