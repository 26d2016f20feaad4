import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { Approvals } from '../support/approvals.ts';
import {
  createActiveSubscription,
  createPayer,
  latestTransaction,
  otherShop,
  requested,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { booksBalance } from '../support/links.ts';
import { chargingSandboxes, openProcessor, type Processor } from '../support/processor.ts';

// Approved calls that Quittance makes, with a remote payment provider. In any order, and after any interruption, the call is made at most once.

let processor: Processor;
let t: TestApp;
let shop: Shop;
let approvals: Approvals;
beforeAll(async () => {
  processor = await openProcessor();
  t = await startApp({ env: { PLATFORM_PROCESSOR_URL: processor.url }, gateways: chargingSandboxes });
});
beforeEach(async () => {
  processor.plays('settles');
  shop = await otherShop(t);
  approvals = await Approvals.open(shop);
});
afterEach(() => booksBalance(shop));
afterAll(async () => {
  await t.close();
  await processor.close();
});

type Call = readonly [method: string, path: string, body?: object];

/** Requests the approval of a refund of 60.00. */
async function askRefund() {
  const { id } = await createActiveSubscription(shop, { price: 6_000 });
  const transaction = await latestTransaction(shop, id);
  const agent = await approvals.agent({ approveAbove: 5_000, maxAmountPerDay: 20_000 });
  const call: Call = ['POST', `/transactions/${transaction}/refund`];
  return { agent, call, approvalId: await approvals.ask(agent, call) };
}

/** Returns the refunds at the provider. */
const refunded = (): string[] =>
  [...processor.made.values()].filter(({ kind }) => kind === 'refund').map(({ status }) => status);

/** Changes the idempotency record of an approved call as though the process had ended at this point. */
const interrupt = (approvalId: string, state: 'claimed' | 'applied') =>
  t.app.database.query(
    `UPDATE "IdempotencyKey" SET state = $3::"IdempotencyState", "leaseUntil" = "createdAt", status = NULL, body = NULL
     WHERE "environmentId" = $1 AND id = $2`,
    [shop.environmentId, `approval\n${approvalId}`, state],
  );

test('two members, and the API key, have a call made once', async () => {
  for (let round = 0; round < 3; round++) {
    const before = refunded().length;
    const { agent, call, approvalId } = await askRefund();
    const second = await approvals.member();
    const [first, other] = await Promise.allSettled([
      approvals.run(approvalId),
      approvals.run(approvalId, second),
      approvals.call(agent, call),
      approvals.call(agent, call, { 'idempotency-key': `repeated ${round}` }),
    ]);
    expect([first.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(refunded().slice(before)).toEqual(['settled']);
    const decisions = await approvals.events('approval.decided');
    expect(decisions.filter(({ data }) => data['approvalId'] === approvalId)).toHaveLength(1);
    const { result } = await approvals.read(approvalId);
    expect(result).toMatchObject({ object: 'refund', amount: 6_000, status: 'succeeded' });
    expect((await approvals.call(agent, call)).body).toEqual(result);
  }
});

test('a declined call returns its error to the member, and to the repeated call', async () => {
  const { agent, call, approvalId } = await askRefund();
  processor.plays('declines');
  const made = await approvals.run(approvalId);
  expect(made).toMatchObject({ status: 'used', result: null, error: { code: 'payment_failed' } });
  const before = refunded().length;
  processor.plays('settles');
  for (const headers of [{}, { 'x-quittance-approval': approvalId }] as Record<string, string>[]) {
    const repeated = await approvals.call(agent, call, headers);
    expect([repeated.status, repeated.body.error.code]).toEqual([402, 'payment_failed']);
    expect(repeated.body.error.message).toBe(made.error?.['message']);
  }
  expect(refunded()).toHaveLength(before);
});

test.each([
  ['the API key', {}],
  ['the API key with an idempotency key', { 'idempotency-key': 'completes' }],
  ['the member', null],
])('interrupted work is completed once by %s', async (_who, headers) => {
  const { agent, call, approvalId } = await askRefund();
  const before = refunded().length;
  const { result } = await approvals.run(approvalId);
  await interrupt(approvalId, 'applied');
  expect((await approvals.read(approvalId)).result).toBeNull();
  if (headers === null) expect((await approvals.run(approvalId)).result).toEqual(result);
  else expect((await approvals.call(agent, call, headers)).body).toEqual(result);
  expect((await approvals.read(approvalId)).result).toEqual(result);
  expect(refunded().slice(before)).toEqual(['settled']);
});

test('a call whose outcome is unknown is never made again', async () => {
  const { agent, call, approvalId } = await askRefund();
  const before = refunded().length;
  await approvals.run(approvalId);
  await interrupt(approvalId, 'claimed');
  const repeated = await approvals.call(agent, call);
  expect([repeated.status, repeated.body.error.code]).toEqual([409, 'idempotency_in_progress']);
  expect(await approvals.run(approvalId)).toMatchObject({ status: 'used', result: null, error: null });
  expect(refunded().slice(before)).toEqual(['settled']);
});

test("a charge is declined after its approval, and isn't repeated", async () => {
  const { customerId } = await createPayer(shop);
  const agent = await approvals.agent({ approveAbove: 0 });
  const call: Call = ['POST', '/payments/charge', requested({ customerId })];
  const approvalId = await approvals.ask(agent, call);
  const before = processor.made.size;
  processor.plays('declines');
  const { error } = await approvals.run(approvalId);
  expect(error).toMatchObject({ code: 'payment_failed' });
  processor.plays('settles');
  const repeated = await approvals.call(agent, call);
  expect([repeated.status, repeated.body.error]).toMatchObject([
    402,
    { code: 'payment_failed', message: error?.['message'], details: { declineCode: 'card_declined' } },
  ]);
  const { errors } = await t.graphqlFailure(
    'mutation ($input: PaymentChargeInput!) { paymentCharge(input: $input) { id } }',
    { input: requested({ customerId }) },
    { key: agent.key },
  );
  expect(errors[0]).toMatchObject({ message: error?.['message'], extensions: { code: 'payment_failed' } });
  expect(processor.made.size).toBe(before + 1);
});

test('a charge whose provider responds late is made once', async () => {
  const { customerId } = await createPayer(shop);
  const agent = await approvals.agent({ approveAbove: 0 });
  const call: Call = ['POST', '/payments/charge', requested({ customerId })];
  const approvalId = await approvals.ask(agent, call);
  const before = processor.taken().length;
  const calls = processor.calls.length;
  processor.plays('settles late');
  const made = approvals.run(approvalId);
  await processor.received(calls + 1);
  const meanwhile = await approvals.call(agent, call);
  expect([meanwhile.status, meanwhile.body.error.code]).toEqual([409, 'idempotency_in_progress']);
  processor.answerLate();
  const { result } = await made;
  expect(result).toMatchObject({ object: 'payment', status: 'succeeded' });
  const repeated = await approvals.call(agent, call);
  expect([repeated.status, repeated.body]).toEqual([201, result]);
  expect(processor.taken().slice(before)).toEqual(['4200']);
});

test('a charge without a response from the provider is made once', async () => {
  const { customerId } = await createPayer(shop);
  const agent = await approvals.agent({ approveAbove: 0 });
  const call: Call = ['POST', '/payments/charge', requested({ customerId })];
  const approvalId = await approvals.ask(agent, call);
  const before = processor.taken().length;
  processor.plays('settles silently');
  const { result } = await approvals.run(approvalId);
  expect(result).toMatchObject({ object: 'payment', status: 'processing' });
  expect((await approvals.call(agent, call)).body).toEqual(result);
  expect(processor.taken().slice(before)).toEqual(['4200']);
});
