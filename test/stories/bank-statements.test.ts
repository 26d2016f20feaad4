import { afterAll, beforeAll, expect, it } from 'vitest';
import { paymentReference } from '../../src/domain/payments/instruments/payment-codes.ts';
import { createCustomer, firstShop, type Shop } from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { closeStory } from '../support/recompute.ts';
import { allEvents, expectLedgerBalanced, setClock } from '../support/stories.ts';

// Imports of bank statements through the public interfaces (INS-76, INS-77).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  await setClock(t, '2027-05-03T14:00:00Z');
});
afterAll(() => closeStory(t));

type Entry = {
  readonly position: number;
  readonly outcome: string;
  readonly problem: string | null;
  readonly receipt: { readonly id: string; readonly status: string; readonly remainingAmount: number } | null;
};
type Report = Readonly<Record<string, number>> & { readonly entries: readonly Entry[] };

const invoice = async (amount: number): Promise<{ id: string }> => {
  const { id: customerId } = await createCustomer(shop, 'DE');
  const { invoiceCreate } = await t.graphql<{ invoiceCreate: { id: string } }>(
    'mutation ($input: InvoiceCreateInput!) { invoiceCreate(input: $input) { id } }',
    { input: { customerId, currency: 'eur', lineItems: [{ description: 'Work', unitAmount: amount }] } },
  );
  return invoiceCreate;
};

const numberOf = async (id: string): Promise<string> =>
  (
    await t.graphql<{ invoice: { invoiceNumber: string } }>(
      'query ($id: ID!) { invoice(id: $id) { invoiceNumber } }',
      { id },
    )
  ).invoice.invoiceNumber;

const referenceOf = async (id: string): Promise<string> => paymentReference(await numberOf(id));

const statusOf = async (id: string): Promise<unknown> =>
  (
    await t.graphql<{ invoice: unknown }>('query ($id: ID!) { invoice(id: $id) { status amountDue } }', {
      id,
    })
  ).invoice;

const importFile = (content: string, more: object = {}) =>
  t.rest<Report>('POST', '/bank-statements', { format: 'csv', content, currency: 'eur', ...more });

const csv = (rows: readonly (readonly string[])[]) =>
  ['date,amount,reference,bank_reference', ...rows.map((row) => row.join(','))].join('\n');

it('an import pays invoices, reports each entry, and changes nothing the second time', async () => {
  const [full, part, over] = [await invoice(10_000), await invoice(20_000), await invoice(5_000)];
  const partReference = await referenceOf(part.id);
  const file = csv([
    ['2027-05-03', '100.00', await numberOf(full.id), 'b1'],
    ['2027-05-03', '150.00', partReference, 'b2'],
    ['2027-05-03', '51.00', await referenceOf(over.id), 'b3'],
    ['2027-05-03', '7.00', 'hello', 'b4'],
    ['2027-05-03', '7.00', 'hello', 'b4'],
    ['2027-05-03', '-3.00', 'fee', 'b5'],
    ['2027-05-03', '1.001', 'x', 'b6'],
    ['2027-06-03', '1.00', 'x', 'b7'],
  ]);
  const { status, body } = await importFile(file);
  expect(status).toBe(200);
  expect(body.entries.map(({ outcome, problem }) => [outcome, problem])).toEqual([
    ['matched', null],
    ['partial', null],
    ['surplus', null],
    ['unmatched', null],
    ['duplicate', null],
    ['rejected', 'debit'],
    ['rejected', 'amount_invalid'],
    ['rejected', 'date_future'],
  ]);
  expect(body).toMatchObject({ matched: 1, partial: 1, surplus: 1, unmatched: 1, duplicate: 1, rejected: 3 });
  expect(body.entries[2]?.receipt).toMatchObject({ status: 'on_account', remainingAmount: 100 });
  expect(await statusOf(full.id)).toEqual({ status: 'paid', amountDue: 0 });
  expect(await statusOf(part.id)).toEqual({ status: 'outstanding', amountDue: 5_000 });
  expect(await statusOf(over.id)).toEqual({ status: 'paid', amountDue: 0 });
  const events = (await allEvents(t)).length;
  const again = await importFile(file);
  expect(again.body).toMatchObject({
    matched: 0,
    partial: 0,
    surplus: 0,
    unmatched: 0,
    duplicate: 5,
    rejected: 3,
  });
  expect(await allEvents(t)).toHaveLength(events);
  await expectLedgerBalanced(t);
});

it('two imports of one file at the same time record each entry once', async () => {
  const open = await invoice(30_000);
  const file = csv([['2027-05-03', '100.00', await referenceOf(open.id), 'parallel']]);
  const both = await Promise.all([importFile(file), importFile(file)]);
  expect(both.map(({ body }) => body.entries[0]?.outcome).toSorted()).toEqual(['duplicate', 'partial']);
  expect(await statusOf(open.id)).toEqual({ status: 'outstanding', amountDue: 20_000 });
  await expectLedgerBalanced(t);
});

it('camt.053 is imported over GraphQL', async () => {
  const open = await invoice(40_000);
  const content = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct><Ntry><Amt Ccy="EUR">400.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2027-05-03</Dt></BookgDt><AcctSvcrRef>c1</AcctSvcrRef><NtryDtls><TxDtls><RmtInf><Ustrd>${await referenceOf(open.id)}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
  const { bankStatementImport } = await t.graphql<{ bankStatementImport: Report }>(
    'mutation ($input: BankStatementImportInput!) { bankStatementImport(input: $input) { matched entries { outcome receipt { source bankReference } } } }',
    { input: { format: 'camt_053', content } },
  );
  expect(bankStatementImport).toEqual({
    matched: 1,
    entries: [
      {
        outcome: 'matched',
        receipt: { source: 'statement', bankReference: 'DE89370400440532013000/2027-05-03/eur/40000/c1' },
      },
    ],
  });
  expect(await statusOf(open.id)).toEqual({ status: 'paid', amountDue: 0 });
});

it('a file that cannot be read is rejected, and changes nothing', async () => {
  const events = (await allEvents(t)).length;
  const entity = '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>';
  for (const [content, more] of [
    ['a,b\n1,2', {}],
    [entity, { format: 'camt_053' }],
    ['', {}],
    ['x'.repeat(800_001), {}],
    [csv(Array.from({ length: 5_001 }, () => ['2027-05-03', '1.00', '', ''])), {}],
  ] as const) {
    const { status, body } = await importFile(content, more);
    expect([status, body['param'] ?? (body as { error?: { param?: string } }).error?.param]).toEqual([
      400,
      'content',
    ]);
  }
  expect(await allEvents(t)).toHaveLength(events);
});
