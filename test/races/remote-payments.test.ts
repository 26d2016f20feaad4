import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  createCustomer,
  createPayer,
  createPayment,
  createSubscription,
  type MadePayment,
  otherShop,
  payment,
  requested,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { attemptsAt, booksBalance, confirmLink, outcomeOf, seePayment, tryLink } from '../support/links.ts';
import { chargingSandboxes, openProcessor, type Processor } from '../support/processor.ts';

// Concurrent payments for links, and charges, through a remote payment provider. In any order, the customer is charged at most once, and no
// attempt that could still charge the customer stays open at the provider.

let processor: Processor;
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  processor = await openProcessor();
  t = await startApp({ env: { PLATFORM_PROCESSOR_URL: processor.url }, gateways: chargingSandboxes });
});
beforeEach(async () => {
  shop = await otherShop(t);
  processor.plays('settles');
});
afterEach(() => booksBalance(shop));
afterAll(async () => {
  await t.close();
  await processor.close();
});

const newLink = async (): Promise<MadePayment> =>
  createPayment(shop, { customerId: (await createCustomer(shop)).id });
const cancel = async ({ id }: MadePayment): Promise<string> => {
  const { status, body } = await shop.rest<{ error?: { code: string } }>('POST', `/payments/${id}/cancel`);
  return status === 200 ? 'canceled' : (body.error?.code ?? 'nothing');
};

/** Attempts for a link at the provider: settled attempts, and attempts that await the payer's confirmation. */
const atProcessor = async ({ id }: MadePayment) => verdictsOn((await seePayment(shop, id)).transactions);

function verdictsOn(transactions: readonly { readonly id: string }[]): { settled: string[]; open: string[] } {
  const made = transactions.flatMap((one) => {
    const verdict = processor.made.get(one.id);
    return verdict === undefined ? [] : [{ id: one.id, status: verdict.status }];
  });
  const idsOf = (status: string) => made.filter((one) => one.status === status).map((one) => one.id);
  return { settled: idsOf('settled'), open: idsOf('requires_action') };
}

test('a payment link that is paid several times concurrently is charged once', async () => {
  for (let round = 0; round < 3; round++) {
    const link = await createPayment(shop);
    const email = `round${round}@payer.test`;
    const sent = await Promise.all([1, 2, 3].map(() => tryLink(shop, link, undefined, { email })));
    expect(sent.filter((one) => one === 'paid')).toHaveLength(1);
    for (const one of sent) expect(['paid', 'charge_in_progress', 'no_outstanding_invoice']).toContain(one);
    expect([await attemptsAt(shop, link.id), (await atProcessor(link)).settled.length]).toEqual([
      ['succeeded'],
      1,
    ]);
  }
});

test('a payment link that is paid and canceled concurrently ends up either paid or canceled (PAY-5)', async () => {
  for (let round = 0; round < 4; round++) {
    const link = await newLink();
    const [paid, canceled] = await Promise.all([tryLink(shop, link), cancel(link)]);
    const { status } = await seePayment(shop, link.id);
    const { settled } = await atProcessor(link);
    if (paid === 'paid')
      expect([canceled, status, settled.length]).toEqual(['payment_not_cancelable', 'succeeded', 1]);
    else
      expect([paid, canceled, status, settled.length]).toEqual([
        'no_outstanding_invoice',
        'canceled',
        'canceled',
        0,
      ]);
  }
});

test('a payment link that is paid in several browser windows waits for one authentication, and the other attempts are canceled', async () => {
  processor.plays('asks');
  for (let round = 0; round < 4; round++) {
    const link = await newLink();
    expect(await tryLink(shop, link)).toBe('requires_action');
    const sent = await Promise.all([1, 2, 3, 4].map(() => tryLink(shop, link)));
    // Another browser window can cancel this window's attempt before the attempt's status is returned.
    for (const one of sent)
      expect(['requires_action', 'charge_in_progress', 'payment_failed']).toContain(one);
    const { open } = await atProcessor(link);
    const { status, transactions } = await seePayment(shop, link.id);
    expect([status, open]).toEqual([
      'requires_action',
      transactions.filter((one) => one.status === 'pending').map(({ id }) => id),
    ]);
    expect(open).toHaveLength(1);
    // Confirms all attempts that are still open.
    for (const id of open) processor.decides(id, { status: 'settled' });
    expect(new Set(await Promise.all([1, 2, 3].map(() => confirmLink(shop, link))))).toContain('paid');
    expect([(await seePayment(shop, link.id)).status, (await atProcessor(link)).settled.length]).toEqual([
      'succeeded',
      1,
    ]);
  }
});

test('a checkout that is paid in several browser windows waits for one authentication, and the other attempts are canceled', async () => {
  processor.plays('asks');
  const pay = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
  const confirm =
    'mutation ($input: CheckoutAuthenticateInput!) { checkoutAuthenticate(input: $input) { status } }';
  for (let round = 0; round < 3; round++) {
    const { id, token } = await createSubscription(shop);
    const send = () => outcomeOf(t.graphql(pay, { input: payment(token) }, { key: null }));
    expect(await send()).toBe('requires_action');
    for (const one of await Promise.all([1, 2, 3, 4].map(send)))
      expect(['requires_action', 'charge_in_progress']).toContain(one);
    const transactions = await t.app.database.query<{ id: string; status: string }>(
      'SELECT id, status FROM "Transaction" WHERE "environmentId" = $1 AND "subscriptionId" = $2',
      [shop.environmentId, id],
    );
    const { open } = verdictsOn(transactions);
    expect(open).toEqual(transactions.filter(({ status }) => status === 'pending').map((one) => one.id));
    expect(open).toHaveLength(1);
    processor.decides(open[0] ?? '', { status: 'settled' });
    const ended = outcomeOf(t.graphql(confirm, { input: { token, succeed: true } }, { key: null }));
    expect([await ended, verdictsOn(transactions).settled.length]).toEqual(['paid', 1]);
  }
});

test('a payment link is charged at most once if the payer authenticates during another payment or a cancellation', async () => {
  for (let round = 0; round < 6; round++) {
    const link = await newLink();
    processor.plays('asks', 'settles');
    expect(await tryLink(shop, link)).toBe('requires_action');
    const { open } = await atProcessor(link);
    const rival = round % 2 === 0 ? tryLink(shop, link) : cancel(link);
    const passed = new Promise((resolve) => setTimeout(resolve, round * 3)).then(() => {
      if (processor.made.get(open[0] ?? '')?.status === 'requires_action')
        processor.decides(open[0] ?? '', { status: 'settled' });
      return confirmLink(shop, link);
    });
    await Promise.all([rival, passed]);
    const { status, invoice } = await seePayment(shop, link.id);
    const after = await atProcessor(link);
    expect([after.settled.length, invoice?.total ?? null, after.open]).toEqual(
      status === 'succeeded' ? [1, 4_200, []] : [0, null, []],
    );
    expect(['succeeded', 'canceled']).toContain(status);
  }
});

test('concurrent charges to one customer each succeed exactly once', async () => {
  const { customerId } = await createPayer(shop);
  const before = processor.taken().length;
  const charged = await Promise.all(
    [1, 2, 3].map(() => shop.rest('POST', '/payments/charge', requested({ customerId }))),
  );
  expect(charged.map(({ status, body }) => [status, body['status']])).toEqual(
    Array.from({ length: 3 }, () => [201, 'succeeded']),
  );
  expect(processor.taken().slice(before)).toEqual(['4200', '4200', '4200']);
});
