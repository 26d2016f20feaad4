import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createCustomer,
  createDebit,
  createPricedPlan,
  createSubscription,
  type MadeSubscription,
  otherShop,
  type Shop,
  setCurrency,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Bank debits at checkout: the offered instruments, and entered bank accounts (INS-5, INS-62, INS-132, INS-140).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t);
  await t.settings({ checkout: { bankDebits: true } }, shop.environmentId);
});
afterAll(() => t.close());

type Instrument = { instrument: string; mandateVersion: string | null; testAccounts: { number: string }[] };
const fields = 'instruments { instrument mandateVersion testAccounts { number } }';

/** Subscription of a customer in Germany to a plan with a price in euros. */
async function german(): Promise<MadeSubscription> {
  const plan = await createPricedPlan(shop, { price: 5_000 });
  await setCurrency(shop, plan.id, 'eur', 1);
  return subscribeTo(shop, (await createCustomer(shop, 'DE')).id, plan.id);
}

const offered = async ({ token }: MadeSubscription): Promise<Instrument[]> =>
  (
    await t.graphql<{ checkout: { instruments: Instrument[] } }>(
      `query ($token: String!) { checkout(token: $token) { ${fields} } }`,
      { token },
      { key: null },
    )
  ).checkout.instruments;

const version = async (subscription: MadeSubscription): Promise<string> =>
  (await offered(subscription)).at(-1)?.mandateVersion ?? '';

const billing = (country: string) => ({
  billingAddress: { line1: '1 Main St', city: 'Springfield', postalCode: '12345', state: 'IL', country },
});
const pay = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
const sepa = 'DE89 3704 0044 0532 0130 00';

describe('the instruments of a checkout', () => {
  it("depend on the payer's country and the currency", async () => {
    const euro = await offered(await german());
    expect(euro.map(({ instrument }) => instrument)).toEqual(['card', 'sepa_debit']);
    expect(euro[0]).toEqual({ instrument: 'card', mandateVersion: null, testAccounts: [] });
    expect(euro[1]?.testAccounts).toContainEqual({ number: 'DE62370400440532013001' });
    const us = await subscribeTo(
      shop,
      (await createCustomer(shop, 'US')).id,
      (await createPricedPlan(shop)).id,
    );
    expect((await offered(us)).map(({ instrument }) => instrument)).toEqual(['card', 'ach_debit']);
    const french = await subscribeTo(shop, (await createCustomer(shop, 'FR')).id, us.planId);
    expect((await offered(french)).map(({ instrument }) => instrument)).toEqual(['card']);
  });

  it('follow the country that the payer entered', async () => {
    const plan = await createPricedPlan(shop, { price: 5_000 });
    await setCurrency(shop, plan.id, 'eur', 1);
    const { token } = await subscribeTo(shop, (await createCustomer(shop)).id, plan.id);
    const { checkoutQuote } = await t.graphql<{ checkoutQuote: { instruments: Instrument[] } }>(
      `query ($input: CheckoutQuoteInput!) { checkoutQuote(input: $input) { ${fields} } }`,
      { input: { token, country: 'DE' } },
      { key: null },
    );
    expect(checkoutQuote.instruments.map(({ instrument }) => instrument)).toEqual(['card', 'sepa_debit']);
  });

  it('contain only cards until the organization turns bank debits on', async () => {
    const other = await otherShop(t, 'Cards only');
    const { token } = await createSubscription(other);
    const { checkout } = await t.graphql<{ checkout: { instruments: Instrument[] } }>(
      `query ($token: String!) { checkout(token: $token) { ${fields} } }`,
      { token },
      { key: null },
    );
    expect(checkout.instruments).toEqual([{ instrument: 'card', mandateVersion: null, testAccounts: [] }]);
    const { errors } = await t.graphqlFailure(
      pay,
      { input: { token, bankAccount: { accountNumber: sepa, mandateVersion: '1' }, ...billing('US') } },
      { key: null },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'provider_unsupported' });
  });
});

describe('an entered bank account', () => {
  it('pays by SEPA debit, and its mandate contains the accepted text version', async () => {
    const subscription = await german();
    const mandateVersion = await version(subscription);
    expect(
      await t.graphql(
        pay,
        {
          input: {
            token: subscription.token,
            bankAccount: { accountNumber: sepa, mandateVersion },
            ...billing('DE'),
          },
        },
        { key: null },
      ),
    ).toEqual({ checkoutPay: { status: 'paid' } });
    const { customer } = await t.graphql<{ customer: unknown }>(
      'query ($id: ID!) { customer(id: $id) { paymentMethods { instrument last4 mandates { status textVersion } } } }',
      { id: subscription.customerId },
      { key: shop.key },
    );
    expect(customer).toEqual({
      paymentMethods: [
        {
          instrument: 'sepa_debit',
          last4: '3000',
          mandates: [{ status: 'active', textVersion: mandateVersion }],
        },
      ],
    });
  });

  it('completes the checkout at settlement if the organization waits for it', async () => {
    const other = await otherShop(t, 'Waits');
    await t.settings({ checkout: { bankDebits: true }, accessWhileProcessing: 'wait' }, other.environmentId);
    const { token } = await createSubscription(other);
    const read = `query ($token: String!) { checkout(token: $token) { status nextStep collection { amount } ${fields} } }`;
    const { checkout: before } = await t.graphql<{ checkout: { instruments: Instrument[] } }>(
      read,
      { token },
      { key: null },
    );
    const bankAccount = {
      accountNumber: '000123456789',
      routingNumber: '110000000',
      mandateVersion: before.instruments.at(-1)?.mandateVersion,
    };
    expect(await t.graphql(pay, { input: { token, bankAccount, ...billing('US') } }, { key: null })).toEqual({
      checkoutPay: { status: 'processing' },
    });
    expect(await t.graphql(read, { token }, { key: null })).toMatchObject({
      checkout: { status: 'open', nextStep: 'wait', collection: { amount: 4_900 } },
    });
    await other.rest('POST', '/test-clock', { advanceDays: 14 });
    await expect
      .poll(async () => (await t.graphql<{ checkout: unknown }>(read, { token }, { key: null })).checkout, {
        timeout: 20_000,
      })
      .toMatchObject({ status: 'paid', nextStep: 'none', collection: null });
  });

  it.each([
    ['wrong check digits', { accountNumber: 'DE88370400440532013000' }, 'bankAccount.accountNumber'],
    ['an unknown account', { accountNumber: 'NL91ABNA0417164300' }, 'bankAccount.accountNumber'],
    ['no routing number', { accountNumber: '000123456789' }, 'bankAccount.routingNumber'],
    [
      'a wrong routing number',
      { accountNumber: '000123456789', routingNumber: '110000001' },
      'bankAccount.routingNumber',
    ],
    [
      'an outdated mandate text',
      { accountNumber: sepa, mandateVersion: '2001-01-01' },
      'bankAccount.mandateVersion',
    ],
  ])('is rejected with %s, and nothing changes (INS-62)', async (_problem, account, field) => {
    const subscription = await german();
    const bankAccount = { mandateVersion: await version(subscription), ...account };
    const { errors } = await t.graphqlFailure(
      pay,
      { input: { token: subscription.token, bankAccount, ...billing('DE') } },
      { key: null },
    );
    expect(errors[0]?.extensions).toMatchObject({
      code: 'validation_error',
      details: [expect.objectContaining({ field: expect.stringContaining(field) })],
    });
    const { body } = await shop.rest('GET', `/subscriptions/${subscription.id}`);
    expect(body['status']).toBe('pending_payment');
  });
});

describe('sandboxAttemptReport', () => {
  it('reports a result immediately, and rejects a stage that the debit cannot reach', async () => {
    const { id } = await createDebit(shop);
    const report = (stage: string, code?: string) => ({ input: { id, stage, code } });
    const simulate =
      'mutation ($input: SandboxAttemptReportInput!) { sandboxAttemptReport(input: $input) { status stage declineCode reports { stage code isContradiction } } }';
    expect(await t.graphql(simulate, report('settled'), { key: shop.key })).toMatchObject({
      sandboxAttemptReport: { status: 'succeeded', stage: 'settled' },
    });
    expect(await t.graphql(simulate, report('returned', 'R10'), { key: shop.key })).toMatchObject({
      sandboxAttemptReport: { status: 'failed', stage: 'returned', declineCode: 'R10' },
    });
    const { errors } = await t.graphqlFailure(simulate, report('settled'), { key: shop.key });
    expect(errors[0]?.extensions).toMatchObject({ code: 'validation_error' });
  });
});
