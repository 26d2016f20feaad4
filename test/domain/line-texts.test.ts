import { expect, test } from 'vitest';
import type { InvoiceLineType } from '../../src/domain/enums.ts';
import { lineText as english } from '../../src/domain/invoicing/line-texts/en.ts';
import { lineText as spanish } from '../../src/domain/invoicing/line-texts/es.ts';

// Every form of a description that the product writes itself, and texts of merchants that look like one.

const lines: [lineType: InvoiceLineType, stored: string, inSpanish: string][] = [
  ['plan_base', 'Pro (weekly)', 'Pro (semanal)'],
  ['plan_base', 'Pro (monthly)', 'Pro (mensual)'],
  ['plan_base', 'Pro (quarterly)', 'Pro (trimestral)'],
  ['plan_base', 'Pro (monthly) (yearly)', 'Pro (monthly) (anual)'],
  ['plan_base', 'Pro (one-time)', 'Pro (una vez)'],
  ['discount', 'Spring (monthly)', 'Spring (monthly)'],
  ['feature_overage', 'Calls: 412 beyond 1000 included', 'Calls: 412 por encima de 1000 incluidos'],
  ['feature_seats', 'Seats: 2 beyond 3 included', 'Seats: 2 por encima de 3 incluidos'],
  [
    'feature_quota',
    'Rooms: 1 more from 2027-05-18, for 1 day',
    'Rooms: 1 más desde el 2027-05-18, por 1 día',
  ],
  [
    'feature_seats',
    'Seats: 4 more from 2027-05-18, for 9 days',
    'Seats: 4 más desde el 2027-05-18, por 9 días',
  ],
  ['balance_overage', 'Use beyond the balance', 'Uso por encima del saldo'],
  ['balance_overage', 'Tokens: use beyond the balance', 'Tokens: uso por encima del saldo'],
  ['addon_base', 'Support (monthly)', 'Support (monthly)'],
  ['credit', 'Pro: 12 of 30 days not used', 'Pro: 12 de 30 días sin usar'],
  ['credit', 'Customer credit of 2027-05-18', 'Crédito del 2027-05-18'],
  ['one_time', 'Small pack: 500 credits', 'Small pack: 500 créditos'],
  ['one_time', 'Balance top-up', 'Recarga de saldo'],
  ['one_time', 'Help: 2 of 3 days not used', 'Help: 2 of 3 days not used'],
  ['one_time', 'Setup\nand training', 'Setup\nand training'],
];

test('a line says in Spanish what it says in English, and names stay as they are', () => {
  expect(lines.map(([lineType, description]) => spanish({ lineType, description }))).toEqual(
    lines.map(([, , text]) => text),
  );
  expect(lines.map(([lineType, description]) => english({ lineType, description }))).toEqual(
    lines.map(([, description]) => description),
  );
});
