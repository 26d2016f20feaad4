import { describe, expect, test } from 'vitest';
import { creditNoteDocument } from '../../src/documents/credit-note-document.ts';
import { countryText, countText, dateText, periodText } from '../../src/documents/format.ts';
import { invoiceDocument } from '../../src/documents/invoice-document.ts';
import { documentWords } from '../../src/documents/translations.ts';
import { amountText, rateText } from '../../src/domain/money/amount-text.ts';
import { details, line } from './facts.ts';

/** Replaces non-breaking and narrow spaces with regular spaces. */
const spaced = (text: string): string => text.replaceAll(/[\u00a0\u2009\u202f]/g, ' ');
const pairs = (entries: readonly { label: string; text: string }[]): string[] =>
  entries.map(({ label, text }) => `${label}: ${spaced(text)}`);

test('the renewal invoice shows every detail once, with exact amounts (BIL-E1)', () => {
  const document = invoiceDocument(details());
  expect(document).toMatchObject({
    language: 'en',
    accentColor: '#1f3a5f',
    title: 'Invoice',
    mark: null,
    issuer: ['Quarry Inc.', 'Dock 4', 'Port City', 'Tax ID: US-77'],
    customerLabel: 'Bill to',
    customer: [
      'Ada Lovelace',
      '1 Main St',
      '12345 Springfield IL',
      'United States',
      'ada@example.test',
      'CUIT: 20-123',
    ],
    columns: { description: 'Description', quantity: 'Quantity', unitPrice: 'Unit price', amount: 'Amount' },
    lines: [
      { description: 'Pro (monthly)', detail: null, quantity: '1', unitPrice: '$73.00', amount: '$73.00' },
      { description: 'Spring offer', detail: null, quantity: '1', unitPrice: '-$18.25', amount: '-$18.25' },
      {
        description: 'Calls: 412 additional (1,000 included)',
        detail: '1,412 used in total',
        quantity: '412',
        unitPrice: '$0.0095',
        amount: '$3.91',
      },
      {
        description: 'Customer credit',
        detail: null,
        quantity: '1',
        unitPrice: '-$20.00',
        amount: '-$20.00',
      },
    ],
    notes: [],
    createdAt: new Date('2027-05-18T00:00:00.000Z'),
  });
  expect(pairs(document.details)).toEqual([
    'Number: INV-0042',
    'Issued: May 18, 2027',
    'Due date: May 25, 2027',
    'Billing period: May 18 – Jun 17, 2027',
  ]);
  expect(pairs(document.totals)).toEqual([
    'Subtotal: $135.11',
    'Discounts: -$18.25',
    'Credits: -$20.00',
    'Sales tax 8.25% on $96.86: $7.99',
    'Total: $104.85',
    'Amount due: $104.85',
  ]);
  expect(document.pageLabel({ page: 2, pages: 7 })).toBe('Page 2 of 7');
});

test('a paid invoice is marked as paid, shows the payment date, and has no amount due', () => {
  const paidAt = new Date('2027-05-19T23:59:00.000Z');
  const document = invoiceDocument(
    details({
      invoice: { status: 'paid', paidAt, poNumber: 'PO-7', reference: 'R 1', memo: 'Thank you.' },
      card: { brand: 'visa', last4: '4242' },
    }),
  );
  expect(document.mark).toBe('PAID');
  expect(pairs(document.details).slice(4)).toEqual([
    'Paid on: May 19, 2027',
    'Paid with: Visa ending in 4242',
    'PO number: PO-7',
    'Reference: R 1',
  ]);
  expect(pairs(document.totals).at(-1)).toBe('Amount due: $0.00');
  expect(document.notes).toEqual(['Thank you.']);
});

test.each([
  ['void', 'VOID'],
  ['uncollectible', 'UNCOLLECTIBLE'],
] as const)('an invoice with the status %s shows the status and no amount due', (status, mark) => {
  const document = invoiceDocument(details({ invoice: { status } }));
  expect(document.mark).toBe(mark);
  expect(pairs(document.totals).at(-1)).toBe('Amount due: $0.00');
});

test('a negative adjustment becomes a credit note without a subtotal or a period (BIL-23)', () => {
  const day = new Date('2027-05-18T00:00:00.000Z');
  const invoice = {
    subtotal: 0n,
    discountAmount: 0n,
    creditApplied: 0n,
    taxAmount: 0n,
    total: -700n,
    status: 'paid' as const,
  };
  const document = invoiceDocument(
    details({
      invoice: { ...invoice, periodStart: day, periodEnd: day },
      lines: [line({ lineType: 'credit', unitAmountRate: -70_000n, amount: -700n })],
    }),
  );
  expect(document).toMatchObject({ title: 'Credit note', mark: null, notes: [] });
  expect(pairs(document.details)).toEqual(['Number: INV-0042', 'Issued: May 18, 2027']);
  expect(pairs(document.totals)).toEqual(['Total: -$7.00']);
});

test('a credit note names its invoice, includes its share of the tax, and shows the reverse charge note (DAT-13)', () => {
  const { buyer, seller } = details();
  const note = {
    number: 3n,
    currency: 'usd',
    subtotal: -700n,
    taxAmount: -133n,
    total: -833n,
    tax: { treatment: 'taxed', ratePpm: 190_000, country: 'DE', region: null },
    description: 'Two days of downtime',
    issueDate: new Date('2027-05-18T00:00:00.000Z'),
    createdAt: new Date('2027-05-18T09:30:00.000Z'),
  } as const;
  const invoice = { number: 7n, issueDate: new Date('2027-04-01T00:00:00.000Z') };
  const lines = [{ line: line(), amount: -700n }];
  const document = creditNoteDocument({ note, lines, buyer, seller, livemode: true, invoice });
  expect(document).toMatchObject({ title: 'Credit note', mark: null, notes: ['Two days of downtime'] });
  expect(pairs(document.details)).toEqual([
    'Number: CN-0003',
    'Issued: May 18, 2027',
    'Corrects: Invoice INV-0007 from April 1, 2027',
  ]);
  expect(pairs(document.totals)).toEqual(['Subtotal: -$7.00', 'VAT 19% on -$7.00: -$1.33', 'Total: -$8.33']);
  const reversed = {
    ...note,
    tax: { treatment: 'reverse_charge', ratePpm: 0, country: 'FR', region: null },
  } as const;
  const other = creditNoteDocument({ note: reversed, lines, buyer, seller, livemode: true, invoice });
  expect(other.notes).toContain('Reverse charge: the recipient is liable for the tax.');
});

test('an invoice credited before payment shows the credit notes and the remaining amount due', () => {
  const document = invoiceDocument(details({ invoice: { creditedAmount: 1_000n, creditedDue: 1_000n } }));
  expect(pairs(document.totals).slice(-2)[0]).toBe('Credit notes: -$10.00');
});

test.each([
  ['DE', 'taxed', 190_000, 'VAT 19% on $96.86'],
  ['GB', 'taxed', 200_000, 'VAT 20% on $96.86'],
  ['AU', 'taxed', 100_000, 'GST 10% on $96.86'],
  ['JP', 'taxed', 100_000, 'Consumption tax 10% on $96.86'],
  ['FR', 'reverse_charge', 0, 'VAT 0% on $96.86'],
  ['FR', 'taxed', 0, 'VAT 0% on $96.86'],
] as const)(
  'the tax line for %s (%s) shows the rate and the taxable amount',
  (country, treatment, ratePpm, label) => {
    const document = invoiceDocument(
      details({ invoice: { tax: { treatment, ratePpm, country, region: null } } }),
    );
    expect(document.totals.map((entry) => spaced(entry.label))).toContain(label);
  },
);

test('an untaxed invoice has no tax line', () => {
  const tax = { treatment: 'untaxed', ratePpm: 0, country: null, region: null } as const;
  const document = invoiceDocument(details({ invoice: { tax, taxAmount: 0n } }));
  expect(document.totals.map(({ label }) => label)).toEqual([
    'Subtotal',
    'Discounts',
    'Credits',
    'Total',
    'Amount due',
  ]);
});

test('consecutive usage lines are sorted by the numbers in their descriptions, and each shows its period', () => {
  const span = {
    periodStart: new Date('2027-04-18T00:00:00.000Z'),
    periodEnd: new Date('2027-05-18T00:00:00.000Z'),
  };
  const used = (day: number) =>
    line({
      ...span,
      lineType: 'feature_overage',
      featureName: `Calls ${day}`,
      description: `Calls ${day}: 1096 beyond 11 included`,
      quantity: 1_096n,
      includedAmount: 11n,
      usedAmount: 1_107n,
      overageAmount: 1_096n,
    });
  const { lines } = invoiceDocument(
    details({ lines: [line(), used(1), used(10), used(7), line({ description: 'Add-on' }), used(2)] }),
  );
  expect(lines.map(({ description }) => description)).toEqual([
    'Pro (monthly)',
    'Calls 1: 1,096 additional (11 included)',
    'Calls 7: 1,096 additional (11 included)',
    'Calls 10: 1,096 additional (11 included)',
    'Add-on',
    'Calls 2: 1,096 additional (11 included)',
  ]);
  expect(spaced(lines[1]?.detail ?? '')).toBe('Apr 18 – May 17, 2027 · 1,107 used in total');
  expect(lines[1]?.quantity).toBe('1,096');
});

test('a Spanish invoice formats dates and amounts in Spanish, and is marked as a sandbox invoice', () => {
  const document = invoiceDocument(
    details({ seller: { language: 'es' }, livemode: false, invoice: { currency: 'eur' } }),
  );
  expect(document).toMatchObject({
    title: 'Factura',
    customerLabel: 'Facturar a',
    issuer: ['Quarry Inc.', 'Dock 4', 'Port City', 'ID fiscal: US-77'],
  });
  expect(pairs(document.details)).toContain('Vencimiento: 25 de mayo de 2027');
  expect(pairs(document.totals)).toContain('Total: 104,85 €');
  expect(document.notes).toEqual([documentWords.es.sandbox]);
});

test("the invoice and its line items use the buyer's language if known, but names aren't translated", () => {
  const lines = [
    line({ description: 'Pro (yearly)' }),
    line({ lineType: 'credit', description: 'Customer credit of 2027-05-18', amount: -100n }),
  ];
  const of = (buyer: 'en' | 'es' | null, seller: 'en' | 'es') =>
    invoiceDocument(details({ buyer: { language: buyer }, seller: { language: seller }, lines }));
  expect(of('es', 'en').lines.map(({ description }) => description)).toEqual([
    'Pro (anual)',
    'Crédito del 18 de mayo de 2027',
  ]);
  expect([of('es', 'en'), of('en', 'es'), of(null, 'es')].map(({ title }) => title)).toEqual([
    'Factura',
    'Invoice',
    'Factura',
  ]);
});

test('the invoice omits unknown details, and joins all address lines from the eighth on', () => {
  const document = invoiceDocument(
    details({
      buyer: { name: '', taxDocument: null, address: null },
      seller: {
        taxId: null,
        address: Array.from({ length: 100 }, (_none, index) => `line ${index}`).join('\r\n\n'),
      },
    }),
  );
  expect(document.customer).toEqual(['ada@example.test']);
  expect(document.issuer).toHaveLength(9);
  expect(document.issuer.at(-1)).toMatch(/^line 7, line 8, .*line 99$/);
});

describe('amount formatting', () => {
  test.each([
    [0n, 'usd', '$0.00'],
    [-1n, 'usd', '-$0.01'],
    [5n, 'eur', '€0.05'],
    [900_719_925_474_099_100n, 'usd', '$9,007,199,254,740,991.00'],
    [1_499n, 'clp', 'CLP 1,499'],
    [-3n, 'jpy', '-¥3'],
    [1_234_567n, 'cop', 'COP 12,345.67'],
  ])('shows %d minor units of %s as %s', (minor, currency, text) => {
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
  ])('shows the unit price %d in %s as %s', (rate, currency, text) => {
    expect(spaced(rateText(rate, currency, 'en'))).toBe(text);
  });
});

test('periods are shown in short form, and countries by name', () => {
  const at = (date: string): Date => new Date(`${date}T00:00:00.000Z`);
  expect(spaced(periodText(at('2027-12-18'), at('2028-01-18'), 'en'))).toBe('Dec 18, 2027 – Jan 17, 2028');
  expect(spaced(periodText(at('2027-05-18'), at('2027-05-18'), 'es'))).toBe('18 may 2027');
  expect([countryText('DE', 'en'), countryText('DE', 'es'), countryText('Ge', 'en')]).toEqual([
    'Germany',
    'Alemania',
    'Ge',
  ]);
});

test('counts and dates are formatted in the given language', () => {
  expect([countText(1_234_567n, 'en'), countText(1_234_567n, 'es')]).toEqual(['1,234,567', '1.234.567']);
  expect(dateText(new Date('2028-02-29T23:59:59.999Z'), 'en')).toBe('February 29, 2028');
});
