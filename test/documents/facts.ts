import type { DocumentDetails } from '../../src/documents/invoice-document.ts';
import type { InvoiceLineRow } from '../../src/domain/rows/rows.ts';

const at = (date: string): Date => new Date(`${date}T00:00:00.000Z`);

type Changes = {
  readonly invoice?: Partial<DocumentDetails['invoice']>;
  readonly buyer?: Partial<DocumentDetails['buyer']>;
  readonly seller?: Partial<DocumentDetails['seller']>;
  readonly lines?: readonly InvoiceLineRow[];
  readonly livemode?: boolean;
  readonly card?: DocumentDetails['card'];
  readonly payUrl?: string;
};

/** Invoice line item, by default for a monthly price of 73.00. */
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
  exactUnitAmount: null,
  exactQuantity: null,
  amount: 7_300n,
  includedAmount: null,
  usedAmount: null,
  overageAmount: null,
  discountType: null,
  discountValue: null,
  discountName: null,
  offerId: null,
  creditId: null,
  correctionId: null,
  periodStart: null,
  periodEnd: null,
  explanation: { rule: 'BIL-13', formula: 'price', inputs: { price: '7300' } },
  ...changes,
});

/** Invoice details, by default for the outstanding renewal invoice in BIL-E1. */
export const details = ({
  invoice,
  buyer,
  seller,
  lines,
  livemode,
  card,
  payUrl,
}: Changes = {}): DocumentDetails => ({
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
    finalizedAt: at('2027-05-18'),
    dueDate: at('2027-05-25'),
    payableUntil: null,
    planName: 'Pro',
    memo: null,
    poNumber: null,
    reference: null,
    paidAt: null,
    buyerId: 'pty_1',
    sellerId: 'pty_2',
    frozenAt: null,
    sentAt: null,
    creditedAmount: 0n,
    creditedTax: 0n,
    creditedDue: 0n,
    paidInParts: 0n,
    createdAt: at('2027-05-18'),
    updatedAt: at('2027-05-18'),
    ...invoice,
  },
  lines: lines ?? [
    line(),
    line({ lineType: 'discount', description: 'Spring offer', unitAmountRate: -182_500n, amount: -1_825n }),
    line({
      lineType: 'feature_overage',
      description: 'Calls: 412 beyond 1000 included',
      featureName: 'Calls',
      quantity: 412n,
      unitAmountRate: 95n,
      amount: 391n,
      includedAmount: 1_000n,
      usedAmount: 1_412n,
      overageAmount: 412n,
    }),
    line({ lineType: 'credit', description: 'Customer credit', unitAmountRate: -200_000n, amount: -2_000n }),
  ],
  buyer: {
    name: 'Ada Lovelace',
    email: 'ada@example.test',
    country: 'US',
    taxDocument: '20-123',
    documentType: 'CUIT',
    language: null,
    address: {
      line1: '1 Main St',
      line2: null,
      city: 'Springfield',
      state: 'IL',
      postalCode: '12345',
      country: 'US',
    },
    ...buyer,
  },
  seller: {
    name: 'Quarry Inc.',
    address: 'Dock 4\nPort City',
    taxId: 'US-77',
    country: 'US',
    language: 'en',
    color: null,
    ...seller,
  },
  livemode: livemode ?? true,
  card: card ?? null,
  payUrl: payUrl ?? null,
});
