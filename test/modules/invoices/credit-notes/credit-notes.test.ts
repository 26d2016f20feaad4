import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createActiveSubscription,
  createAdjustment,
  createCreditNote,
  createCustomer,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { textsOf } from '../../../support/pdf.ts';

type Note = {
  readonly id: string;
  readonly creditNoteNumber: string;
  readonly invoiceId: string;
  readonly refundId: string | null;
  readonly reason: string;
  readonly subtotal: number;
  readonly taxAmount: number;
  readonly total: number;
};

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
  await query('mutation { taxRegistrationCreate(input: { country: "DE", rateBps: 1900 }) { id } }');
});
afterAll(() => t.close());

const query = <T>(text: string, variables: Record<string, unknown> = {}): Promise<T> =>
  t.graphql<T>(text, variables, { key: shop.key });

const notesOf = async (filter: string): Promise<readonly Note[]> =>
  (await shop.rest<{ data: readonly Note[] }>('GET', `/credit-notes?${filter}`)).body.data;

/** Creates a customer in Germany with an invoice for 100.00 plus 19.00 tax. */
async function billed() {
  const { id: customerId } = await createCustomer(shop, 'DE');
  const { id: invoiceId } = await createAdjustment(shop, { customerId, amount: 10_000 });
  return { customerId, invoiceId };
}

const isSound = async (): Promise<void> => {
  const { ledgerVerify, metricsVerify } = await query<Record<string, { ok: boolean }>>(
    '{ ledgerVerify { ok mismatches { account } } metricsVerify { ok } }',
  );
  expect([ledgerVerify?.ok, metricsVerify?.ok]).toEqual([true, true]);
};

test("POST /invoices with invoiceId issues a credit note in an invoice's format, but the list of invoices excludes it (BIL-23, DAT-11)", async () => {
  const { customerId, invoiceId } = await billed();
  const { status, body } = await shop.rest<Record<string, unknown>>('POST', '/invoices', {
    customerId,
    invoiceId,
    amount: -4_000,
    description: 'Part of it',
  });
  expect([status, body]).toMatchObject([
    201,
    {
      invoiceNumber: 'CN-0001',
      invoiceType: 'adjustment',
      status: 'paid',
      subtotal: -3_361,
      taxAmount: -639,
      total: -4_000,
      object: 'credit_note',
      lineItems: [{ quantity: 1, amount: -3_361 }],
    },
  ]);
  const invoices = await shop.rest<{ data: readonly object[] }>('GET', `/invoices?customerId=${customerId}`);
  expect(invoices.body.data).toHaveLength(1);
  expect(await notesOf(`invoiceId=${invoiceId}`)).toMatchObject([
    { id: body['id'], creditNoteNumber: 'CN-0001', reason: 'adjustment', total: -4_000 },
  ]);
  const { invoice, customer } = await query<{ invoice: object; customer: object }>(
    `query ($id: ID!, $customer: ID!) {
       invoice(id: $id) { status amountDue amountCredited creditNotes { creditNoteNumber } }
       customer(id: $customer) { totals { open { amount } } creditNotes(first: 5) { nodes { id } } } }`,
    { id: invoiceId, customer: customerId },
  );
  expect(invoice).toEqual({
    status: 'outstanding',
    amountDue: 7_900,
    amountCredited: 4_000,
    creditNotes: [{ creditNoteNumber: 'CN-0001' }],
  });
  expect(customer).toMatchObject({ totals: { open: [{ amount: 7_900 }] }, creditNotes: { nodes: [{}] } });
  await isSound();
});

test('a fully credited invoice is neither outstanding nor overdue (DAT-12a)', async () => {
  const { customerId, invoiceId } = await billed();
  await shop.rest('POST', '/invoices', { customerId, invoiceId, amount: -11_900, description: 'All' });
  const { invoice, customer } = await query<{ invoice: object; customer: object }>(
    `query ($id: ID!, $customer: ID!) { invoice(id: $id) { status amountDue amountPaid }
       customer(id: $customer) { totals { open { amount } } } }`,
    { id: invoiceId, customer: customerId },
  );
  expect(invoice).toEqual({ status: 'paid', amountDue: 0, amountPaid: 0 });
  expect(customer).toEqual({ totals: { open: [] } });
  const refused = await shop.rest<{ error: { param: string } }>('POST', '/invoices', {
    customerId,
    invoiceId,
    amount: -1,
    description: 'One more',
  });
  expect([refused.status, refused.body.error.param]).toEqual([400, 'amount']);
  await isSound();
});

test('64 simultaneous credit notes never exceed the invoice total and have consecutive numbers (DAT-11, DAT-12)', async () => {
  const { customerId, invoiceId } = await billed();
  const before = await notesOf('limit=1');
  const counted = Number(before[0]?.creditNoteNumber.slice(3) ?? 0);
  const answers = await Promise.all(
    Array.from({ length: 64 }, () =>
      shop.rest('POST', '/invoices', { customerId, invoiceId, amount: -1_000, description: 'Again' }),
    ),
  );
  // The invoice total of 119.00 allows eleven credit notes of 10.00.
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(11);
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(53);
  const notes = await notesOf(`invoiceId=${invoiceId}&limit=100`);
  expect(
    notes.map(({ creditNoteNumber }) => Number(creditNoteNumber.slice(3))).toSorted((a, b) => a - b),
  ).toEqual(Array.from({ length: 11 }, (_, index) => counted + 1 + index));
  // 1,900 × 11,000 ÷ 11,900 = 1,756.3.
  expect(notes.reduce((sum, { taxAmount }) => sum + taxAmount, 0)).toBe(-1_756);
  await isSound();
});

test('a refund issues a credit note, and the credit notes add up to the invoice total (DAT-10, DAT-12)', async () => {
  shop = await otherShop(t);
  const { customerId } = await createActiveSubscription(shop, { price: 10_000 });
  const { data } = (await shop.rest<{ data: readonly { id: string }[] }>('GET', '/transactions?limit=1'))
    .body;
  const id = data[0]?.id ?? '';
  await query('mutation ($i: TransactionRefundInput!) { transactionRefund(input: $i) { id } }', {
    i: { id, amount: 3_333 },
  });
  await shop.rest('POST', `/transactions/${id}/refund`, {});
  const found = await notesOf(`customerId=${customerId}`);
  expect(found.map(({ reason, total }) => [reason, total])).toEqual([
    ['refund', -6_667],
    ['refund', -3_333],
  ]);
  expect(found.every(({ refundId }) => refundId?.startsWith('ref_'))).toBe(true);
  await isSound();
});

test('the totals of credit notes are grouped by currency and reason, and follow the filter of the list', async () => {
  shop = await otherShop(t);
  await createActiveSubscription(shop, { price: 10_000 });
  await query('mutation { taxRegistrationCreate(input: { country: "DE", rateBps: 1900 }) { id } }');
  const { customerId, invoiceId } = await billed();
  for (const amount of [-4_000, -1_000])
    await shop.rest('POST', '/invoices', { customerId, invoiceId, amount, description: 'Part of it' });
  const { data } = (await shop.rest<{ data: readonly { id: string }[] }>('GET', '/transactions?limit=1'))
    .body;
  await shop.rest('POST', `/transactions/${data[0]?.id ?? ''}/refund`, {});
  const totalsOf = async (filter: object): Promise<unknown> =>
    (
      await query<{ creditNotes: { totals: unknown } }>(
        `query ($filter: CreditNoteFilter) {
           creditNotes(filter: $filter) { totals { currency reason count total taxAmount } } }`,
        { filter },
      )
    ).creditNotes.totals;
  // 1,900 × 4,000 ÷ 11,900 = 638.7, and 1,900 × 5,000 ÷ 11,900 = 798.3.
  const adjusted = { currency: 'usd', reason: 'adjustment', count: 2, total: -5_000, taxAmount: -798 };
  const refunded = { currency: 'usd', reason: 'refund', count: 1, total: -10_000, taxAmount: 0 };
  expect(await totalsOf({})).toEqual([refunded, adjusted]);
  expect(await totalsOf({ reasons: ['refund'] })).toEqual([refunded]);
  expect(await totalsOf({ customerIds: [customerId] })).toEqual([adjusted]);
  expect(await totalsOf({ currencies: ['eur'] })).toEqual([]);
});

test('an adjustment has the ID of its invoice or credit note, which the `nodes` query returns', async () => {
  const { customerId, invoiceId } = await billed();
  const adjust = async (input: object) =>
    (
      await query<{ invoiceAdjustmentCreate: { id: string; creditNote: object | null } }>(
        'mutation ($i: InvoiceAdjustmentCreateInput!) { invoiceAdjustmentCreate(input: $i) { id creditNote { id } } }',
        { i: { customerId, description: 'Again', ...input } },
      )
    ).invoiceAdjustmentCreate;
  const note = await adjust({ amount: -100, invoiceId });
  const invoice = await adjust({ amount: 100 });
  expect([note.creditNote, invoice.creditNote]).toEqual([{ id: note.id }, null]);
  const { nodes } = await query<{ nodes: object[] }>(
    'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }',
    { ids: [note.id, invoice.id] },
  );
  expect(nodes).toEqual([
    { __typename: 'CreditNote', id: note.id },
    { __typename: 'Invoice', id: invoice.id },
  ]);
});

test("a credit note's PDF has a signed URL and never changes (DAT-13)", async () => {
  const { id } = await createCreditNote(shop);
  const { body } = await shop.rest<{ url: string }>('POST', `/credit-notes/${id}/download-links`, {});
  const bytes = async () => Buffer.from(await (await fetch(body.url)).arrayBuffer());
  const first = await bytes();
  expect((await bytes()).equals(first)).toBe(true);
  expect(textsOf(first).flat()).toEqual(expect.arrayContaining(['Credit note', '-$5.00']));
  expect((await fetch(`${t.url}/documents/credit-notes/none`)).status).toBe(404);
});
