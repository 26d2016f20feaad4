import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openDashboard } from './support/dashboard.tsx';

const note = {
  __typename: 'CreditNote',
  id: 'crn_1',
  creditNoteNumber: 'CN-0007',
  reason: 'refund',
  description: null,
  currency: 'usd',
  subtotal: -10_000,
  taxAmount: -1_900,
  total: -11_900,
  issueDate: '2027-03-04T00:00:00.000Z',
  downloadUrl: 'https://example.com/credit-note.pdf',
  customer: { id: 'cus_1', fullName: 'Ada Lovelace', email: 'ada@example.com' },
  invoice: { id: 'inv_1', invoiceNumber: 'INV-0042' },
  refund: { id: 'ref_1', transactionId: 'txn_1' },
  lineItems: [
    { invoiceLineId: 'inl_1', description: 'Pro, monthly', featureName: null, amount: -9_000 },
    { invoiceLineId: 'inl_2', description: 'Seats', featureName: 'Seats', amount: -1_000 },
  ],
};
const totals = [
  { currency: 'usd', reason: 'refund', count: 1, total: -11_900, taxAmount: -1_900 },
  { currency: 'usd', reason: 'void', count: 2, total: -5_000, taxAmount: 0 },
];
const results = {
  creditNotes: { nodes: [note], marks: { cursors: [], total: 1, isComplete: true }, totals },
  node: note,
};

it('shows the totals of credit notes, and filters them by reason', async () => {
  const filters: unknown[] = [];
  await openDashboard('/credit-notes?reason=refund', {
    creditNotes: ({ filter }: { readonly filter: unknown }) => {
      filters.push(filter);
      return results.creditNotes;
    },
  });
  await screen.findByText('3 credit notes · $169.00 credited · $19.00 tax');
  expect(new Set(filters.map((filter) => JSON.stringify(filter)))).toEqual(
    new Set(['{"reasons":["refund"]}']),
  );
  expect(screen.getByRole('button', { name: 'Export' })).toBeDefined();
});

it('shows the line items of a credit note, with links to its customer, invoice, payment, and PDF', async () => {
  await openDashboard('/credit-notes?open=crn_1', results);
  const sheet = within(await screen.findByRole('dialog', { name: 'CN-0007' }));
  const linkOf = (name: string) => sheet.getByRole('link', { name }).getAttribute('href');
  await waitFor(() => expect(linkOf('Ada Lovelace')).toBe('/dashboard/sandbox/customers/cus_1'));
  expect([linkOf('INV-0042'), linkOf('Open payment'), linkOf('Download PDF')]).toEqual([
    '/dashboard/sandbox/invoices/inv_1',
    '/dashboard/sandbox/payments/txn_1',
    'https://example.com/credit-note.pdf',
  ]);
  expect(sheet.getAllByText(/\d\.00$/).map(({ textContent }) => textContent)).toEqual([
    '-$90.00',
    '-$10.00',
    '-$100.00',
    '-$19.00',
    '-$119.00',
  ]);
});

it('can be opened from the list of invoices', async () => {
  await openDashboard('/invoices');
  const tabs = within(await screen.findByRole('navigation', { name: 'Billing document lists' }));
  expect(tabs.getByRole('link', { name: 'Credit notes' }).getAttribute('href')).toBe(
    '/dashboard/sandbox/credit-notes',
  );
});
