import type { DocumentFacts } from '../../src/documents/invoice-document.ts';
import type { InvoiceLineRow } from '../../src/domain/subscription/rows.ts';

const at = (date: string): Date => new Date(`${date}T00:00:00.000Z`);

type Changes = {
  readonly invoice?: Partial<DocumentFacts['invoice']>;
  readonly customer?: Partial<DocumentFacts['customer']>;
  readonly issuer?: Partial<DocumentFacts['issuer']>;
  readonly lines?: readonly InvoiceLineRow[];
  readonly livemode?: boolean;
};

/** A line of one monthly price of 73.00 unless told. */
export const line = (changes: Partial<InvoiceLineRow> = {}): InvoiceLineRow => ({
  id: 'inl_1',
  invoiceId: 'inv_1',
  position: 0,
  lineType: 'plan_base',
  chargeType: 'advance',
  description: 'Pro (monthly)',
  featureName: null,
  quantity: 1n,
  unitAmountRate: 730_000n,
  amount: 7_300n,
  includedAmount: null,
  usedAmount: null,
  overageAmount: null,
  discountType: null,
  discountValue: null,
  discountName: null,
  creditId: null,
  explanation: { rule: 'BIL-13', formula: 'price', inputs: { price: '7300' } },
  ...changes,
});

/** The renewal invoice of BIL-E1, outstanding, unless told. */
export const facts = ({ invoice, customer, issuer, lines, livemode }: Changes = {}): DocumentFacts => ({
  invoice: {
    id: 'inv_1',
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    number: 42n,
    status: 'outstanding',
    type: 'recurring',
    currency: 'usd',
    subtotal: 13_511n,
    discountAmount: 1_825n,
    creditApplied: 2_000n,
    taxAmount: 799n,
    total: 10_485n,
    tax: { treatment: 'taxed', ratePpm: 82_500, country: 'US', region: 'CA' },
    periodStart: at('2027-05-18'),
    periodEnd: at('2027-06-18'),
    issueDate: at('2027-05-18'),
    dueDate: at('2027-05-25'),
    planName: 'Pro',
    memo: null,
    poNumber: null,
    reference: null,
    paidAt: null,
    createdAt: at('2027-05-18'),
    updatedAt: at('2027-05-18'),
    ...invoice,
  },
  lines: lines ?? [
    line(),
    line({ lineType: 'discount', description: 'Spring offer', unitAmountRate: -182_500n, amount: -1_825n }),
    line({
      lineType: 'feature_overage',
      description: 'Calls',
      quantity: 412n,
      unitAmountRate: 95n,
      amount: 391n,
      includedAmount: 1_000n,
      usedAmount: 1_412n,
      overageAmount: 412n,
    }),
    line({ lineType: 'credit', description: 'Customer credit', unitAmountRate: -200_000n, amount: -2_000n }),
  ],
  customer: {
    fullName: 'Ada Lovelace',
    email: 'ada@example.test',
    taxDocument: '20-123',
    documentType: 'CUIT',
    address: { line1: '1 Main St', line2: null, city: 'Springfield', state: 'IL', postalCode: '12345', country: 'US' },
    ...customer,
  },
  issuer: {
    name: 'Quarry',
    issuerName: 'Quarry Inc.',
    issuerAddress: 'Dock 4\nPort City',
    issuerTaxId: 'US-77',
    accentColor: null,
    language: 'en',
    ...issuer,
  },
  livemode: livemode ?? true,
});
