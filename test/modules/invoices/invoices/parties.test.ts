import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { invoicePdf } from '../../../../src/modules/invoices/invoices/draw.ts';
import { requireInvoice } from '../../../../src/modules/invoices/invoices/store.ts';
import { systemContext } from '../../../../src/request/context.ts';
import {
  createAdjustment,
  createCustomer,
  createPastDueSubscription,
  createPricedPlan,
  createSubscription,
  latestInvoice,
  otherShop,
  payment,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { textsOf } from '../../../support/pdf.ts';

let t: TestApp;
let shop: Shop;

beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  shop = await otherShop(t);
});

type Parties = {
  readonly buyer: Record<string, unknown>;
  readonly seller: Record<string, unknown>;
  readonly frozenAt: string | null;
};

const parties = async (id: string): Promise<Parties> => {
  const { invoice } = await t.graphql<{ invoice: Parties }>(
    `query ($id: ID!) { invoice(id: $id) { frozenAt
       buyer { name email taxDocument documentType language address { line1 city country } }
       seller { name address taxId country language color } } }`,
    { id },
    { key: shop.key },
  );
  return invoice;
};

const changeSeller = (input: object) => t.settings(input, shop.environmentId);

const pdfOf = async (id: string): Promise<Buffer> => {
  const ctx = await systemContext(t.app, shop.environmentId);
  return (await invoicePdf(ctx, await requireInvoice(ctx, id))).content;
};

const rows = async (): Promise<number> => {
  const [row] = await t.app.database.query<{ count: bigint }>(
    `SELECT count(*) FROM "InvoiceParty" WHERE "environmentId" = $1`,
    [shop.environmentId],
  );
  return Number(row?.count);
};

test("an invoice keeps the customer's and the organization's details from the time of issue, and its PDF never changes", async () => {
  await changeSeller({
    issuerName: 'Quarry Inc.',
    issuerAddress: 'Dock 4\nPort City',
    issuerTaxId: 'US-77',
    accentColor: '#aa0000',
  });
  const { id: customerId, externalId } = await createCustomer(shop, 'DE');
  const { id } = await createAdjustment(shop, { customerId });
  const frozen = {
    buyer: {
      name: `Name of ${externalId}`,
      email: `${externalId}@shop.test`,
      taxDocument: null,
      documentType: null,
      language: null,
      address: { line1: '1 Main St', city: 'Town', country: 'DE' },
    },
    seller: {
      name: 'Quarry Inc.',
      address: 'Dock 4\nPort City',
      taxId: 'US-77',
      country: null,
      language: 'en',
      color: '#aa0000',
    },
    frozenAt: null,
  };
  expect(await parties(id)).toEqual(frozen);
  const before = await pdfOf(id);

  await shop.rest('PATCH', `/customers/${customerId}`, {
    fullName: 'Somebody Else',
    email: 'else@shop.test',
    taxDocument: 'DE136695976',
    address: { line1: '9 Other St', city: 'Elsewhere', postalCode: '99999', country: 'FR' },
  });
  await changeSeller({
    issuerName: 'Newname Ltd.',
    issuerAddress: null,
    issuerTaxId: null,
    accentColor: null,
    language: 'es',
  });

  expect(await parties(id)).toEqual(frozen);
  expect((await pdfOf(id)).equals(before)).toBe(true);
  const later = await createAdjustment(shop, { customerId });
  expect(await parties(later.id)).toMatchObject({
    buyer: { name: 'Somebody Else' },
    seller: { name: 'Newname Ltd.', language: 'es' },
  });
});

test('invoices with the same customer or organization details share one stored record', async () => {
  const { id: customerId } = await createCustomer(shop);
  await createAdjustment(shop, { customerId });
  expect(await rows()).toBe(2);
  await createAdjustment(shop, { customerId });
  expect(await rows()).toBe(2);
  await createAdjustment(shop);
  expect(await rows()).toBe(3);
});

test("a first invoice records the customer details entered at checkout, and the organization's details at the time of payment (BIL-30)", async () => {
  const { id, token } = await createSubscription(shop);
  const invoiceId = await latestInvoice(shop, id);
  expect((await parties(invoiceId)).buyer).toMatchObject({ address: null });
  await changeSeller({ issuerName: 'Newname Ltd.' });
  const billingAddress = { line1: '7 Typed St', city: 'Typedtown', postalCode: '10115', country: 'DE' };
  const operation = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
  await t.graphql(
    operation,
    { input: { ...payment(token), billingAddress, taxDocument: 'DE136695976' } },
    { key: null },
  );
  expect(await parties(invoiceId)).toMatchObject({
    buyer: {
      address: { line1: '7 Typed St', city: 'Typedtown', country: 'DE' },
      taxDocument: 'DE136695976',
      documentType: 'VAT',
      language: null,
    },
    seller: { name: 'Newname Ltd.' },
  });
});

test("an invoice document and its line items keep the customer's language from the time of issue", async () => {
  const { id: customerId } = await createCustomer(shop);
  const speaks = (language: string) =>
    shop.rest('PATCH', `/customers/${customerId}`, { metadata: { language } });
  await speaks('es');
  const plan = await createPricedPlan(shop, { price: 4_900 });
  const { id } = await subscribeTo(shop, customerId, plan.id);
  const invoiceId = await latestInvoice(shop, id);
  expect(await parties(invoiceId)).toMatchObject({ buyer: { language: 'es' }, seller: { language: 'en' } });
  const spanish = await pdfOf(invoiceId);
  const texts = textsOf(spanish)
    .flat()
    .map((text) => text.replaceAll('\u00A0', ' '));
  const { name } = (await shop.rest<{ name: string }>('GET', `/plans/${plan.id}`)).body;
  expect(texts).toEqual(
    expect.arrayContaining(['Factura', 'Facturar a', 'Precio unitario', `${name} (mensual)`, '49,00 US$']),
  );
  // The API returns the stored descriptions of line items.
  const { lineItems } = (
    await t.graphql<{ invoice: { lineItems: { description: string }[] } }>(
      'query ($id: ID!) { invoice(id: $id) { lineItems { description } } }',
      { id: invoiceId },
      { key: shop.key },
    )
  ).invoice;
  expect(lineItems).toEqual([{ description: `${name} (monthly)` }]);

  await speaks('en');
  await changeSeller({ language: 'es' });
  expect((await pdfOf(invoiceId)).equals(spanish)).toBe(true);
  const english = await createAdjustment(shop, { customerId, amount: -100 });
  expect(textsOf(await pdfOf(english.id)).flat()).toContain('Credit note');
  expect(await parties(english.id)).toMatchObject({ buyer: { language: 'en' }, seller: { language: 'es' } });
});

test('an invoice document links to the payment page of an unpaid checkout or renewal, and shows the card that paid the invoice', async () => {
  const open = await createSubscription(shop);
  const checkout = (await pdfOf(await latestInvoice(shop, open.id))).toString('latin1');
  expect(checkout).toContain(`/URI (${t.app.config.publicUrl}/checkout/${open.token})`);

  const { id } = await createPastDueSubscription(shop);
  const { data } = (
    await shop.rest<{ data: { id: string; status: string }[] }>('GET', `/invoices?subscriptionId=${id}`)
  ).body;
  expect(data.map(({ status }) => status)).toEqual(['outstanding', 'paid']);
  const [owed, paid] = await Promise.all(data.map((invoice) => pdfOf(invoice.id)));
  expect(owed?.toString('latin1')).toContain(`/URI (${t.app.config.publicUrl}/recover/`);
  expect(textsOf(owed ?? Buffer.alloc(0)).flat()).not.toContain('Paid with');
  expect(paid?.toString('latin1')).not.toContain('/URI');
  expect(textsOf(paid ?? Buffer.alloc(0)).flat()).toContain('Visa ending in 0341');

  const { id: adjustmentId } = await createAdjustment(shop);
  expect((await pdfOf(adjustmentId)).toString('latin1')).not.toContain('/URI');
});
