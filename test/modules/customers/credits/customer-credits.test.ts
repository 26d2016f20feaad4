import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  createCredit,
  createCustomer,
  createPricedPlan,
  firstShop,
  latestInvoice,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { tablesRead } from '../../../support/statements.ts';

const fields = `id amount appliedAmount reversedAmount revokedAmount remainingAmount currency reason source expiresAt createdAt object livemode`;
const create = `mutation ($input: CustomerCreditCreateInput!) { customerCreditCreate(input: $input) { ${fields} } }`;
const revoke = `mutation ($customerId: ID!, $creditId: ID!) { customerCreditRevoke(input: { customerId: $customerId, creditId: $creditId }) {
  id: creditId remainingAmount revokedAmount currency object livemode credit { revokedAmount } } }`;
const list = `query ($id: ID!, $first: Int, $after: String) {
  customerCredits(customerId: $id, first: $first, after: $after) { edges { node { ${fields} customer { id } } } pageInfo { hasNextPage endCursor } } }`;
const balance =
  'query ($id: ID!) { customer(id: $id) { creditBalance { currency amount } credits { edges { node { id } } } } }';

type Credit = { id: string; remainingAmount: number; [field: string]: unknown };
type Listed = {
  customerCredits: { edges: { node: Credit }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
};

const morning = '2027-03-01T08:00:00.000Z';

describe('the customer credit API', () => {
  let t: TestApp;
  let shop: Shop;
  const wall = new MovableClock(morning);
  const grant = async (id: string, more: Record<string, unknown> = {}): Promise<Credit> =>
    (
      await t.graphql<{ customerCreditCreate: Credit }>(create, {
        input: { customerId: id, amount: 2_500, currency: 'usd', reason: 'An outage.', ...more },
      })
    ).customerCreditCreate;
  const credits = async (id: string): Promise<Credit[]> =>
    (await t.graphql<Listed>(list, { id })).customerCredits.edges.map(({ node }) => node);
  const customer = async (): Promise<string> => (await createCustomer(shop)).id;

  beforeAll(async () => {
    t = await startApp({ wall });
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  it("grants credits by customer ID or external ID in the customer's currency, with or without an expiration date", async () => {
    const { id, externalId } = await createCustomer(shop);
    const granted = {
      id: expect.stringMatching(/^crd_[0-9A-Za-z]{22}$/),
      amount: 2_500,
      appliedAmount: 0,
      reversedAmount: 0,
      revokedAmount: 0,
      remainingAmount: 2_500,
      currency: 'usd',
      reason: 'An outage.',
      source: 'api',
      expiresAt: null,
      createdAt: morning,
      object: 'customer_credit',
      livemode: false,
    };
    expect(await grant(id)).toEqual(granted);
    const reason = `${'🙏 آسفون '.repeat(40)}.`;
    const ends = '2027-03-01T08:00:00.001Z';
    expect(await grant(externalId, { currency: 'jpy', amount: 1, reason, expiresAt: ends })).toEqual({
      ...granted,
      amount: 1,
      remainingAmount: 1,
      currency: 'jpy',
      reason,
      expiresAt: ends,
    });
    const { status, body } = await t.rest('POST', `/customers/${externalId}/credits`, {
      amount: 900_000_000_000_000,
      currency: 'thb',
      reason: 'Most.',
      expiresAt: null,
    });
    const most = {
      amount: 900_000_000_000_000,
      remainingAmount: 900_000_000_000_000,
      currency: 'thb',
      reason: 'Most.',
    };
    expect({ status, body }).toEqual({ status: 201, body: { ...granted, ...most } });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['amount of 0', { amount: 0 }, 'amount'],
    ['negative amount', { amount: -5 }, 'amount'],
    ['fractional amount', { amount: 0.5 }, 'amount'],
    ['amount above the limit', { amount: 900_000_000_000_001 }, 'amount'],
    ['amount of 2⁵³', { amount: 2 ** 53 }, 'amount'],
    ['currency that is not supported', { currency: 'xau' }, 'currency'],
    ['currency in uppercase', { currency: 'USD' }, 'currency'],
    ['empty reason', { reason: '' }, 'reason'],
    ['reason of 1,001 characters', { reason: 'r'.repeat(1_001) }, 'reason'],
    ['expiry at the current time', { expiresAt: morning }, 'expiresAt'],
    ['expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['expiry date', { expiresAt: '2028-02-30T00:00:00Z' }, 'expiresAt'],
    ['source field', { source: 'migration' }, 'source'],
  ])('rejects an invalid %s', async (_what, more, field) => {
    const id = await customer();
    const { status, body } = await t.rest<{
      error: { code: string; param: string; details: { field: string }[] };
    }>('POST', `/customers/${id}/credits`, { amount: 100, currency: 'usd', reason: 'Sorry.', ...more });
    expect({ status, code: body.error.code, param: body.error.param }).toEqual({
      status: 400,
      code: 'validation_error',
      param: field,
    });
    expect(body.error.details.map((problem) => problem.field)).toEqual([field]);
    expect(await credits(id)).toEqual([]);
  });

  it("limits the total of a customer's credits to a safe integer", async () => {
    const id = await customer();
    const amount = 900_000_000_000_000;
    for (let count = 0; count < 10; count++) await grant(id, { amount });
    expect(
      await rejection(t, create, { input: { customerId: id, amount, currency: 'usd', reason: 'Too much.' } }),
    ).toMatchObject({
      code: 'validation_error',
      message: "The customer's credit in usd would exceed the maximum of 9007199254740991 (in minor units).",
      param: 'amount',
    });
    expect(await t.graphql(balance, { id })).toMatchObject({
      customer: { creditBalance: [{ currency: 'usd', amount: 9_000_000_000_000_000 }] },
    });
  });

  it('revokes the remaining amount of a credit once (BIL-19)', async () => {
    const { id, externalId } = await createCustomer(shop);
    const { id: creditId } = await grant(id, { currency: 'eur' });
    const revoked = {
      id: creditId,
      remainingAmount: 0,
      currency: 'eur',
      object: 'customer_credit',
      livemode: false,
    };
    const address = `/customers/${externalId}/credits/${creditId}/revoke`;
    expect((await t.rest('POST', address)).body).toEqual({ ...revoked, revokedAmount: 2_500 });
    expect((await t.rest('POST', address, {})).body).toEqual({ ...revoked, revokedAmount: 0 });
    expect(await credits(id)).toMatchObject([
      { amount: 2_500, appliedAmount: 0, revokedAmount: 2_500, remainingAmount: 0 },
    ]);
    const { customerCreditRevoke } = await t.graphql<Record<string, unknown>>(revoke, {
      customerId: id,
      creditId,
    });
    expect(customerCreditRevoke).toEqual({ ...revoked, revokedAmount: 0, credit: { revokedAmount: 2_500 } });
  });

  it("doesn't find another customer's or environment's credits", async () => {
    const [id, other] = [await customer(), await customer()];
    const { id: creditId } = await grant(id);
    const missing = {
      code: 'not_found',
      status: 404,
      message: "The customer doesn't have this credit.",
      param: 'creditId',
    };
    expect(await rejection(t, revoke, { customerId: other, creditId })).toEqual(missing);
    expect(await rejection(t, revoke, { customerId: id, creditId: 'crd_none' })).toEqual(missing);
    const { sandboxKey } = await t.otherTenant();
    for (const key of [t.liveKey, sandboxKey]) {
      const nobody = { code: 'customer_not_found', status: 404 };
      expect(await rejection(t, revoke, { customerId: id, creditId }, { key })).toMatchObject(nobody);
      expect(await rejection(t, list, { id }, { key })).toMatchObject(nobody);
      expect(
        await rejection(
          t,
          create,
          { input: { customerId: id, amount: 1, currency: 'usd', reason: 'None.' } },
          { key },
        ),
      ).toMatchObject(nobody);
    }
  });

  it('shows expired credits with an amount of 0, and no longer uses or revokes them', async () => {
    const id = await customer();
    const { id: creditId } = await grant(id, { expiresAt: '2027-03-02T00:00:00Z' });
    await grant(id, { amount: 100 });
    wall.set('2027-03-01T23:59:59.999Z');
    expect(await t.graphql(balance, { id })).toMatchObject({
      customer: { creditBalance: [{ currency: 'usd', amount: 2_600 }] },
    });
    wall.set('2027-03-02T00:00:00.000Z');
    expect(await credits(id)).toMatchObject([
      { remainingAmount: 100 },
      { remainingAmount: 0, revokedAmount: 0, amount: 2_500 },
    ]);
    expect(await t.graphql(balance, { id })).toMatchObject({
      customer: { creditBalance: [{ currency: 'usd', amount: 100 }] },
    });
    expect((await t.rest('POST', `/customers/${id}/credits/${creditId}/revoke`)).body).toMatchObject({
      revokedAmount: 0,
      remainingAmount: 0,
    });
    const plan = await createPricedPlan(shop, { price: 2_000 });
    const subscription = await subscribeTo(shop, id, plan.id);
    const { body } = await t.rest('GET', `/invoices/${await latestInvoice(shop, subscription.id)}`);
    expect(body).toMatchObject({ subtotal: 2_000, total: 1_900 });
    wall.set(morning);
  });

  it('shows each credit on the line items that use it', async () => {
    const id = await customer();
    const { id: creditId } = await grant(id, { amount: 300 });
    const subscription = await subscribeTo(shop, id, (await createPricedPlan(shop, { price: 2_000 })).id);
    const invoice = await latestInvoice(shop, subscription.id);
    const query =
      'query ($id: ID!) { invoice(id: $id) { total lineItems { lineType description amount unitAmount credit { id } } } }';
    expect(await t.graphql(query, { id: invoice })).toMatchObject({
      invoice: {
        total: 1_700,
        lineItems: [
          { lineType: 'plan_base', amount: 2_000, credit: null },
          {
            lineType: 'credit',
            description: 'Customer credit of 2027-03-01',
            amount: -300,
            unitAmount: -300,
            credit: { id: creditId },
          },
        ],
      },
    });
    await t.rest('PATCH', `/invoices/${invoice}/status`, { status: 'void' });
    expect(await credits(id)).toMatchObject([
      { amount: 300, appliedAmount: 300, reversedAmount: 300, remainingAmount: 300 },
    ]);
  });

  it('lists credits from newest to oldest, and returns all of them if the request has no page arguments', async () => {
    const id = await customer();
    const made: string[] = [];
    for (let index = 0; index < 27; index++) made.unshift((await grant(id, { amount: index + 1 })).id);
    const { body } = await t.rest<{ data: Credit[]; hasMore: boolean }>('GET', `/customers/${id}/credits`);
    expect({ ids: body.data.map((credit) => credit.id), hasMore: body.hasMore }).toEqual({
      ids: made,
      hasMore: false,
    });
    const page = async (args: Record<string, unknown>) =>
      (await t.graphql<Listed>(list, { id, ...args })).customerCredits;
    const first = await page({ first: 20 });
    const second = await page({ first: 20, after: first.pageInfo.endCursor });
    expect([...first.edges, ...second.edges].map(({ node }) => node.id)).toEqual(made);
    expect(first.edges[0]?.node['customer']).toEqual({ id });
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
  });

  it.each([1, 10])(
    'reads the credits and balances of %d customers with one statement per table',
    async (first) => {
      for (let index = 0; index < first; index++)
        await createCredit(shop, await customer(), { currency: index % 2 === 0 ? 'usd' : 'eur' });
      const operation = `{ customers(first: ${first}) { edges { node { creditBalance { amount } credits(first: 2) { edges { node { id } } } } } } }`;
      const { data, tables } = await tablesRead(t, operation);
      expect((data as { customers: { edges: { node: object }[] } }).customers.edges[0]?.node).toMatchObject({
        creditBalance: [{ amount: 500 }],
      });
      expect(tables.toSorted()).toEqual(['Customer', 'Lot', 'Lot']);
    },
  );
});
