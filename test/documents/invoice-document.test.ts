import { describe, expect, test } from 'vitest';
import { amountText, countText, dateText, rateText } from '../../src/documents/format.ts';
import { invoiceDocument } from '../../src/documents/invoice-document.ts';
import { documentWords } from '../../src/documents/words.ts';
import { facts, line } from './facts.ts';

/** Texts with the spaces that do not break turned into plain ones. */
const spaced = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ');
const pairs = (entries: readonly { label: string; text: string }[]): string[] =>
  entries.map(({ label, text }) => `${label}: ${spaced(text)}`);

test('the renewal invoice says everything once, with exact amounts (BIL-E1)', () => {
  const document = invoiceDocument(facts());
  expect(document).toMatchObject({
    language: 'en',
    accentColor: '#1f3a5f',
    title: 'Invoice',
    mark: null,
    issuer: ['Quarry Inc.', 'Dock 4', 'Port City', 'Tax ID: US-77'],
    customerLabel: 'Bill to',
    customer: ['Ada Lovelace', '1 Main St', '12345 Springfield IL', 'US', 'ada@example.test', 'CUIT: 20-123'],
    columns: { description: 'Description', quantity: 'Quantity', unitPrice: 'Unit price', amount: 'Amount' },
    lines: [
      { description: 'Pro (monthly)', detail: null, quantity: '1', unitPrice: '$73.00', amount: '$73.00' },
      { description: 'Spring offer', detail: null, quantity: '1', unitPrice: '-$18.25', amount: '-$18.25' },
      { description: 'Calls', detail: '1,412 used, 1,000 included', quantity: '412', unitPrice: '$0.0095', amount: '$3.91' },
      { description: 'Customer credit', detail: null, quantity: '1', unitPrice: '-$20.00', amount: '-$20.00' },
    ],
    notes: [],
    createdAt: new Date('2027-05-18T00:00:00.000Z'),
  });
  expect(pairs(document.facts)).toEqual([
    'Number: INV-0042',
    'Issued: May 18, 2027',
    'Due: May 25, 2027',
    'Period: May 18, 2027 – June 17, 2027',
  ]);
  expect(pairs(document.totals)).toEqual([
    'Subtotal: $135.11',
    'Discounts: -$18.25',
    'Credits: -$20.00',
    'Tax (8.25%): $7.99',
    'Total: $104.85',
    'Amount due: $104.85',
  ]);
  expect(document.pageLabel(2, 7)).toBe('Page 2 of 7');
});

test('a paid one is marked so, shows when, and leaves nothing to pay', () => {
  const paidAt = new Date('2027-05-19T23:59:00.000Z');
  const document = invoiceDocument(facts({ invoice: { status: 'paid', paidAt, poNumber: 'PO-7', reference: 'R 1', memo: 'Thank you.' } }));
  expect(document.mark).toBe('PAID');
  expect(pairs(document.facts).slice(4)).toEqual(['Paid on: May 19, 2027', 'PO number: PO-7', 'Reference: R 1']);
  expect(pairs(document.totals).at(-1)).toBe('Amount due: $0.00');
  expect(document.notes).toEqual(['Thank you.']);
});

test.each([
  ['void', 'VOID'],
  ['uncollectible', 'UNCOLLECTIBLE'],
] as const)('a %s one is marked so and asks for nothing', (status, mark) => {
  const document = invoiceDocument(facts({ invoice: { status } }));
  expect(document.mark).toBe(mark);
  expect(pairs(document.totals).at(-1)).toBe('Amount due: $0.00');
});

test('a negative adjustment is a credit note without a subtotal and without a period (BIL-23)', () => {
  const day = new Date('2027-05-18T00:00:00.000Z');
  const invoice = { subtotal: 0n, discountAmount: 0n, creditApplied: 0n, taxAmount: 0n, total: -700n, status: 'paid' as const };
  const document = invoiceDocument(
    facts({
      invoice: { ...invoice, periodStart: day, periodEnd: day },
      lines: [line({ lineType: 'credit', unitAmountRate: -70_000n, amount: -700n })],
    }),
  );
  expect(document.title).toBe('Credit note');
  expect(pairs(document.facts).some((entry) => entry.startsWith('Period'))).toBe(false);
  expect(pairs(document.totals)).toEqual(['Total: -$7.00', 'Amount due: $0.00']);
});

test('Spanish writes dates and amounts its own way; the sandbox says that it is one', () => {
  const document = invoiceDocument(facts({ issuer: { language: 'es', issuerName: null }, livemode: false, invoice: { currency: 'eur' } }));
  expect(document).toMatchObject({
    title: 'Factura',
    customerLabel: 'Facturar a',
    issuer: ['Quarry', 'Dock 4', 'Port City', 'Identificación fiscal: US-77'],
  });
  expect(pairs(document.facts)).toContain('Vencimiento: 25 de mayo de 2027');
  expect(pairs(document.totals)).toContain('Total: 104,85 €');
  expect(document.notes).toEqual([documentWords.es.sandbox]);
});

test('what is not known is left out, and an address of a hundred lines takes eight', () => {
  const document = invoiceDocument(
    facts({
      customer: { fullName: '', taxDocument: null, address: null },
      issuer: { issuerTaxId: null, issuerAddress: Array.from({ length: 100 }, (_none, index) => `line ${index}`).join('\r\n\n') },
    }),
  );
  expect(document.customer).toEqual(['ada@example.test']);
  expect(document.issuer).toHaveLength(9);
  expect(document.issuer.at(-1)).toMatch(/^line 7, line 8, .*line 99$/);
});

describe('an amount', () => {
  test.each([
    [0n, 'usd', '$0.00'],
    [-1n, 'usd', '-$0.01'],
    [5n, 'eur', '€0.05'],
    [900_719_925_474_099_100n, 'usd', '$9,007,199,254,740,991.00'],
    [1_499n, 'clp', 'CLP 1,499'],
    [-3n, 'jpy', '-¥3'],
    [1_234_567n, 'cop', 'COP 12,345.67'],
  ])('of %d in %s is %s', (minor, currency, text) => {
    expect(spaced(amountText(minor, currency, 'en'))).toBe(text);
  });

  test.each([
    [375n, 'usd', '$0.0375'],
    [1n, 'usd', '$0.0001'],
    [10_000n, 'usd', '$1.00'],
    [12_500n, 'usd', '$1.25'],
    [45_000n, 'clp', 'CLP 4.5'],
    [10_000n, 'jpy', '¥1'],
    [-95n, 'usd', '-$0.0095'],
  ])('at the rate %d in %s is %s', (rate, currency, text) => {
    expect(spaced(rateText(rate, currency, 'en'))).toBe(text);
  });
});

test('counts and dates follow the language', () => {
  expect([countText(1_234_567n, 'en'), countText(1_234_567n, 'es')]).toEqual(['1,234,567', '1.234.567']);
  expect(dateText(new Date('2028-02-29T23:59:59.999Z'), 'en')).toBe('February 29, 2028');
});
