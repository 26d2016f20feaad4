import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoicePdf } from '../../src/modules/invoices/invoices/draw.ts';
import { requireInvoice } from '../../src/modules/invoices/invoices/store.ts';
import {
  cards,
  createCustomer,
  createPricedPlan,
  firstShop,
  payment,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { textsOf } from '../support/pdf.ts';
import { closeStory } from '../support/recompute.ts';
import { rejection } from '../support/refusals.ts';
import { advance, expectLedgerBalanced, setClock } from '../support/stories.ts';

// A merchant in Spain, with tax registrations in Spain, Germany, Texas, and Japan, sells a plan for 49.00 a month (BIL-15, BIL-20, BIL-21,
// PAY-18).

let t: TestApp;
let shop: Shop;
let planId: string;

const register = (input: object) =>
  t.graphql(
    'mutation ($input: TaxRegistrationCreateInput!) { taxRegistrationCreate(input: $input) { id } }',
    { input },
  );

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  await setClock(t, '2027-01-10T10:00:00Z');
  await t.settings({ country: 'ES' });
  for (const input of [
    { country: 'ES' },
    { country: 'DE' },
    { country: 'US', region: 'TX' },
    { country: 'JP' },
  ])
    await register(input);
  planId = (await createPricedPlan(shop, { price: 4_900 })).id;
  // 49.00 × 40.51 = 1,984.99, rounded to ¥1,985.
  await setCurrency(shop, planId, 'jpy', 40.51);
});
afterAll(() => closeStory(t));

const address = (country: string, state?: string) => ({
  line1: '1 Main St',
  city: 'Town',
  postalCode: '12345',
  country,
  state,
});

const checkoutPay = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

const pay = async (token: string | null, typed: object = {}, number: string = cards.pays): Promise<string> =>
  (
    await t.graphql<{ checkoutPay: { status: string } }>(
      checkoutPay,
      { input: { ...payment(token, number), ...typed } },
      {
        key: null,
      },
    )
  ).checkoutPay.status;

type Taxed = {
  id: string;
  status: string;
  total: number;
  tax: { treatment: string; ratePpm: number; taxable: number; amount: number };
};

const invoices = async (subscriptionId: string): Promise<Taxed[]> => {
  const { subscription } = await t.graphql<{ subscription: { invoices: { edges: { node: Taxed }[] } } }>(
    `query ($id: ID!) { subscription(id: $id) { invoices(first: 50) { edges { node {
       id status total tax { treatment ratePpm taxable amount country region } } } } } }`,
    { id: subscriptionId },
  );
  return subscription.invoices.edges.map(({ node }) => node).toReversed();
};

/** Returns each invoice's status, tax treatment, tax, and total, from oldest to newest. */
const taxes = async (subscriptionId: string): Promise<string[]> =>
  (await invoices(subscriptionId)).map(
    ({ status, tax, total }) => `${status} ${tax.treatment} ${tax.amount} ${total}`,
  );

const start = async (country?: string) => subscribeTo(shop, (await createCustomer(shop, country)).id, planId);

describe('tax calculations over several months', () => {
  let berlin: string;
  let lyon: string;
  let austin: string;
  let tokyo: string;
  let odense: string;

  it('taxes a German consumer based on the address entered at checkout', async () => {
    const { id, token } = await start();
    expect(await taxes(id)).toEqual(['outstanding untaxed 0 4900']);
    // 49.00 × 19% = 9.31.
    expect(await pay(token, { billingAddress: address('DE') })).toBe('paid');
    expect(await taxes(id)).toEqual(['paid taxed 931 5831']);
    berlin = id;
  });

  it("keeps the tax after a payer's card is declined, and recalculates it for the next payer", async () => {
    const { id, token } = await start();
    const declined = { input: { ...payment(token, cards.declines), billingAddress: address('DE') } };
    expect((await t.graphqlFailure(checkoutPay, declined, { key: null })).errors[0]?.extensions['code']).toBe(
      'charge_failed',
    );
    expect(await taxes(id)).toEqual(['outstanding taxed 931 5831']);
    expect(await pay(token, { billingAddress: address('NO') })).toBe('paid');
    expect(await taxes(id)).toEqual(['paid untaxed 0 4900']);
  });

  it('bills a French business without tax, and adds a reverse charge note to the document', async () => {
    const { id, token } = await start('FR');
    expect(await pay(token, { taxDocument: 'FR 40 303 265 045' })).toBe('paid');
    expect(await taxes(id)).toEqual(['paid reverse_charge 0 4900']);
    const [invoice] = await invoices(id);
    const ctx = await t.context();
    const { content } = await invoicePdf(ctx, await requireInvoice(ctx, invoice?.id ?? ''));
    expect(textsOf(content).flat().join(' ')).toContain(
      'Reverse charge: the recipient is liable for the tax.',
    );
    lyon = id;
  });

  it('applies Texas state tax, and requires the state', async () => {
    const { id, token } = await start();
    const withoutState = { input: { ...payment(token), billingAddress: address('US') } };
    expect(await rejection(t, checkoutPay, withoutState, { key: null })).toEqual({
      code: 'payment_failed',
      status: 402,
      message:
        "The tax couldn't be calculated. The tax in US depends on the state or province, and the payer's state or province isn't known.",
      details: { reason: 'tax_not_computed' },
    });
    // 49.00 × 6.25% = 3.0625.
    expect(await pay(token, { billingAddress: address('US', 'Texas') })).toBe('paid');
    expect(await taxes(id)).toEqual(['paid taxed 306 5206']);
    austin = id;
    const oregon = await start();
    expect(await pay(oregon.token, { billingAddress: address('US', 'OR') })).toBe('paid');
    expect(await taxes(oregon.id)).toEqual(['paid untaxed 0 4900']);
  });

  it('rounds tax in yen to whole yen', async () => {
    const { id, token } = await start('JP');
    expect(await pay(token)).toBe('paid');
    // ¥1,985 × 10% = ¥198.5.
    expect(await taxes(id)).toEqual(['paid taxed 199 2184']);
    tokyo = id;
  });

  it('taxes renewals like first charges, from the start of the tax registration', async () => {
    const { id, token } = await start('DK');
    expect(await pay(token)).toBe('paid');
    odense = id;
    expect(await advance(t, { frozenTime: '2027-02-20T00:00:00Z' })).toMatchObject({
      status: 'completed',
      failed: 0,
    });
    await register({ country: 'DK' });
    expect(await advance(t, { frozenTime: '2027-03-20T00:00:00Z' })).toMatchObject({
      status: 'completed',
      failed: 0,
    });
    // 49.00 × 25% = 12.25.
    expect(await taxes(odense)).toEqual([
      'paid untaxed 0 4900',
      'paid untaxed 0 4900',
      'paid taxed 1225 6125',
    ]);
    expect(await taxes(berlin)).toEqual(Array(3).fill('paid taxed 931 5831'));
    expect(await taxes(lyon)).toEqual(Array(3).fill('paid reverse_charge 0 4900'));
    expect(await taxes(austin)).toEqual(Array(3).fill('paid taxed 306 5206'));
    expect(await taxes(tokyo)).toEqual(Array(3).fill('paid taxed 199 2184'));
    await expectLedgerBalanced(t);
  });

  type Run = {
    testClock: { latestRun: { items: { dueAt: string; status: string; error: string | null }[] } };
  };
  const items = async () => {
    const { testClock } = await t.graphql<Run>(
      '{ testClock { latestRun { items { dueAt status error } } } }',
    );
    return testClock.latestRun.items.map(
      ({ dueAt, status, error }) => `${dueAt.slice(0, 10)} ${status} ${error ?? '-'}`,
    );
  };

  it('fails a renewal without changes while the tax is unavailable, and renews in the next run (BIL-20, BIL-56)', async () => {
    const lost = await start('CA');
    expect(await pay(lost.token)).toBe('paid');
    await register({ country: 'CA', region: 'QC' });
    const before = await taxes(lost.id);
    // The five subscriptions that started in January renew on the 10th. The Canadian subscription that started on March 20 fails to renew
    // on April 20.
    expect(await advance(t, { frozenTime: '2027-04-20T12:00:00Z' })).toMatchObject({
      status: 'completed',
      failed: 1,
    });
    const failure =
      "payment_failed: The tax couldn't be calculated. The tax in CA depends on the state or province, and the payer's state or province isn't known.";
    expect((await items()).filter((item) => !item.endsWith('completed -'))).toEqual([
      `2027-04-20 failed ${failure}`,
    ]);
    expect(await taxes(lost.id)).toEqual(before);
    const patch = await shop.rest('PATCH', `/customers/${lost.customerId}`, {
      address: { ...address('CA'), state: 'Québec' },
    });
    expect(patch.status).toBe(200);
    expect(await advance(t, { advanceDays: 1 })).toMatchObject({ status: 'completed', failed: 0 });
    expect(await items()).toEqual(['2027-04-20 completed -']);
    // The merchant is registered only in the province: 49.00 × 9.975% = 4.88775.
    expect(await taxes(lost.id)).toEqual([...before, 'paid taxed 489 5389']);
  });

  it('rejects operations that create an invoice while tax is unavailable, and changes nothing (BIL-20)', async () => {
    const customer = await createCustomer(shop, 'US');
    const failure = { error: { code: 'payment_failed' } };
    const creation = await shop.rest('POST', '/subscriptions', { customerId: customer.id, planId });
    expect(creation).toMatchObject({ status: 402, body: failure });
    const adjustment = await shop.rest('POST', '/invoices', {
      customerId: customer.id,
      amount: 700,
      description: 'Work',
    });
    expect(adjustment).toMatchObject({ status: 402, body: failure });
    const { body } = await shop.rest<{ data: unknown[] }>('GET', `/invoices?customerId=${customer.id}`);
    expect(body.data).toEqual([]);
  });

  it('records the collected tax as a liability in the ledger', async () => {
    const [payable] = await t.app.database.query<{ owed: string }>(
      `SELECT sum(CASE WHEN "creditAccount" = 'tax_payable' THEN "amountMinor" ELSE -"amountMinor" END)::text AS owed FROM "LedgerTransfer"
       WHERE "environmentId" = $1 AND 'tax_payable' IN ("debitAccount", "creditAccount") AND currency = 'usd'`,
      [t.sandboxId],
    );
    // Tax is charged in Berlin and Austin for four months, in Odense for two months, and in Québec once: 4 × 9.31 + 4 × 3.06 + 2 × 12.25 +
    // 4.89.
    expect(payable?.owed).toBe('7887');
    await expectLedgerBalanced(t);
  });
});
