import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Guard } from '../../../../src/request/context.ts';
import { type Agent, Approvals, type Called } from '../../../support/approvals.ts';
import { createConsumer, of } from '../../../support/consumers.ts';
import {
  createActiveSubscription,
  firstShop,
  latestTransaction,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Approved calls that Quittance makes as the API keys that requested them (AGT-75).

const began = '2026-03-02T09:00:00.000Z';
let now = new Date(began);

let t: TestApp;
let shop: Shop;
let approvals: Approvals;
beforeAll(async () => {
  t = await startApp({ wall: { now: () => now } });
  shop = firstShop(t);
  approvals = await Approvals.open(shop);
});
afterAll(() => t.close());
beforeEach(() => {
  now = new Date(began);
});

type Call = readonly [method: string, path: string, body?: object];

/** Requests the approval of a refund of a paid transaction. */
async function askRefund(price = 6_000, policy: object = { approveAbove: 5_000 }) {
  const { id } = await createActiveSubscription(shop, { price });
  const transaction = await latestTransaction(shop, id);
  const agent = await approvals.agent(policy);
  const call: Call = ['POST', `/transactions/${transaction}/refund`];
  return { agent, call, transaction, approvalId: await approvals.ask(agent, call) };
}

const refunds = async (transaction: string): Promise<string[]> =>
  (
    await t.app.database.query<{ amountMinor: bigint }>(
      'SELECT "amountMinor" FROM "Refund" WHERE "environmentId" = $1 AND "transactionId" = $2',
      [t.sandboxId, transaction],
    )
  ).map(({ amountMinor }) => String(amountMinor));

const moneyOf = async ({ id }: Agent): Promise<string> => {
  const [row] = await t.app.database.query<{ gauges: Record<string, { used: string }> }>(
    'SELECT gauges FROM "OperationGauges" WHERE id = $1',
    [id],
  );
  return Object.entries(row?.gauges ?? {}).find(([key]) => key.includes('"day"'))?.[1].used ?? '0';
};

const decided = async (approvalId: string) =>
  (await approvals.events('approval.decided')).filter(({ data }) => data['approvalId'] === approvalId);

describe('an approved call that Quittance makes', () => {
  it('runs once as the API key, and its response is returned to repeated calls for 24 hours', async () => {
    const { agent, call, transaction, approvalId } = await askRefund(6_000, {
      approveAbove: 5_000,
      maxAmountPerDay: 20_000,
    });
    expect(await approvals.read(approvalId)).toMatchObject({ status: 'pending', canRun: true, ranAt: null });
    const made = await approvals.decide(approvalId, { run: true, note: 'Agreed by phone' });
    expect(made).toMatchObject({
      status: 'used',
      canRun: false,
      note: 'Agreed by phone',
      usedAt: began,
      ranAt: began,
      error: null,
      result: { object: 'refund', amount: 6_000, status: 'succeeded' },
    });
    expect(await refunds(transaction)).toEqual(['6000']);
    expect(await moneyOf(agent)).toBe('6000');
    const [refunded] = (await approvals.events('payment.refunded')).slice(-1);
    expect(refunded).toMatchObject({ source: 'api', actorId: agent.id });
    expect(await decided(approvalId)).toEqual([
      {
        source: 'dashboard',
        actorId: made.decidedBy,
        data: expect.objectContaining({
          decision: 'approve',
          decidedBy: made.decidedBy,
          ran: true,
        }) as object,
      },
    ]);

    now = new Date('2026-03-03T08:59:59.000Z');
    for (const headers of [{}, { 'x-quittance-approval': approvalId }, { 'idempotency-key': 'repeated' }]) {
      const repeated = await approvals.call(agent, call, headers as Record<string, string>);
      expect([repeated.status, repeated.body]).toEqual([200, made.result]);
    }
    const simulated = await approvals.call(agent, call, { 'x-quittance-dry-run': '1' });
    expect(simulated.body).toMatchObject({ ...made.result, dryRun: { events: [], money: [] } });
    const { transactionRefund } = await t.graphql<{ transactionRefund: object }>(
      'mutation ($id: ID!) { transactionRefund(input: { id: $id }) { id amount createdAt transaction { id } } }',
      { id: transaction },
      { key: agent.key },
    );
    expect(transactionRefund).toEqual({
      id: made.result?.['id'],
      amount: 6_000,
      createdAt: began,
      transaction: { id: transaction },
    });
    expect(await moneyOf(agent)).toBe('6000');
    expect(await refunds(transaction)).toEqual(['6000']);

    now = new Date('2026-03-03T09:00:00.000Z');
    const expired = await approvals.call(agent, call);
    expect([expired.status, expired.body.error.code]).toEqual([400, 'validation_error']);
    expect(await refunds(transaction)).toEqual(['6000']);
  });

  it('returns the REST status of the operation, and only to the API key that requested the call', async () => {
    const policy = { approveOperations: ['customers'] };
    const [agent, other] = [await approvals.agent(policy), await approvals.agent(policy)];
    const call: Call = ['POST', '/customers', { email: `${shop.next('ran')}@example.com`, fullName: 'Ada' }];
    const approvalId = await approvals.ask(agent, call);
    const { result } = await approvals.run(approvalId);
    const repeated = await approvals.call(agent, call);
    expect([repeated.status, repeated.body]).toEqual([201, result]);
    expect((await approvals.call(other, call)).body.error.details['reason']).toBe('approval_required');
    const own = await approvals.read(approvalId, { key: agent.key });
    expect([own.result, (await approvals.read(approvalId, { key: other.key })).result]).toEqual([
      result,
      null,
    ]);
    expect((await approvals.call(agent, ['GET', `/approvals/${approvalId}`])).body).toMatchObject({
      status: 'used',
      ranAt: began,
    });
  });

  it('returns its response to the API key that names the approval after the policy was removed', async () => {
    const { agent, call, transaction, approvalId } = await askRefund();
    await approvals.setPolicy(agent, {});
    const { result } = await approvals.run(approvalId);
    const repeated = await approvals.call(agent, call, { 'x-quittance-approval': approvalId });
    expect(repeated.body).toEqual(result);
    expect(await refunds(transaction)).toEqual(['6000']);
  });

  it('can be made after an approval without `run`', async () => {
    const { transaction, approvalId } = await askRefund();
    expect(await approvals.decide(approvalId)).toMatchObject({
      status: 'approved',
      canRun: true,
      ranAt: null,
    });
    expect(await approvals.run(approvalId)).toMatchObject({ status: 'used', ranAt: began });
    expect(await refunds(transaction)).toEqual(['6000']);
    expect((await decided(approvalId)).map(({ data }) => data['ran'])).toEqual([false]);
  });

  it('returns its response to a repeated tool call over MCP', async () => {
    const agent = await approvals.agent({ approveOperations: ['customerCreate'] });
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${agent.key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${t.url}/mcp`), { requestInit }));
    const values = { email: `${shop.next('tool')}@example.com`, fullName: 'Agent Smith' };
    const rejected = await client.callTool({ name: 'customer_create', arguments: values });
    const { error } = rejected.structuredContent as Called;
    const approvalId = String(error.details['approvalId']);
    const { result } = await approvals.run(approvalId);
    for (const more of [{}, { approvalId }]) {
      const repeated = await client.callTool({ name: 'customer_create', arguments: { ...values, ...more } });
      expect(repeated.structuredContent).toEqual(result);
    }
    await client.close();
  });

  it('runs an operation without a REST route', async () => {
    const agent = await approvals.agent({ approveOperations: ['customerNoteCreate'] });
    const { customerId } = await createActiveSubscription(shop);
    const text = `mutation ($input: CustomerNoteCreateInput!) { customerNoteCreate(input: $input) { id text customer { id } } }`;
    const variables = { input: { customerId, text: 'Called back' } };
    const { errors } = await t.graphqlFailure(text, variables, { key: agent.key });
    const details = errors[0]?.extensions['details'] as { approvalId: string } | undefined;
    const { result } = await approvals.run(String(details?.approvalId));
    const repeated = await t.graphql<{ customerNoteCreate: { id: string } }>(text, variables, {
      key: agent.key,
    });
    expect(repeated.customerNoteCreate).toMatchObject({ text: 'Called back', customer: { id: customerId } });
    expect(result).toMatchObject({ id: repeated.customerNoteCreate.id });
  });
});

describe('concurrent decisions and calls', () => {
  it.each([1, 2, 3])('make an approved call once: %j', async () => {
    const { agent, call, transaction, approvalId } = await askRefund();
    const second = await approvals.member();
    const [first, other, repeated, again] = await Promise.allSettled([
      approvals.run(approvalId),
      approvals.run(approvalId, second),
      approvals.call(agent, call, { 'x-quittance-approval': approvalId }),
      approvals.call(agent, call),
    ]);
    expect([first.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    for (const one of [repeated, again])
      expect(
        one.status === 'fulfilled' && [200, 403, 409].includes(one.value.status),
        JSON.stringify(one),
      ).toBe(true);
    expect(await refunds(transaction)).toEqual(['6000']);
    expect(await decided(approvalId)).toHaveLength(1);
    expect((await approvals.call(agent, call)).body).toEqual((await approvals.read(approvalId)).result);
  });

  it('let the API key make a call that was approved, or Quittance, but not both', async () => {
    const { agent, call, transaction, approvalId } = await askRefund();
    await approvals.decide(approvalId);
    const [ran, called] = await Promise.allSettled([
      approvals.run(approvalId),
      approvals.call(agent, call, { 'x-quittance-approval': approvalId }),
    ]);
    expect(called.status).toBe('fulfilled');
    expect(await refunds(transaction)).toEqual(['6000']);
    const { ranAt } = await approvals.read(approvalId);
    expect(ranAt).toBe(ran.status === 'fulfilled' ? began : null);
  });
});

const runText =
  'mutation ($id: ID!) { approvalDecide(input: { id: $id, decision: approve, run: true }) { id } }';

describe("an approved call that Quittance can't make", () => {
  /** Checks that the approval and the call are unchanged. */
  async function unchanged(approvalId: string, transaction: string, made: string[] = []): Promise<void> {
    expect(await approvals.read(approvalId)).toMatchObject({
      status: 'pending',
      decidedBy: null,
      usedAt: null,
      ranAt: null,
      result: null,
      error: null,
    });
    expect(await decided(approvalId)).toEqual([]);
    expect(await refunds(transaction)).toEqual(made);
  }

  it('has other effects than the approved ones', async () => {
    const { agent, call, transaction, approvalId } = await askRefund();
    await t.graphql(`mutation { transactionRefund(input: { id: "${transaction}", amount: 500 }) { id } }`);
    expect(await approvals.refusal(approvalId)).toMatchObject({
      code: 'forbidden',
      details: {
        reason: 'preview_changed',
        approvalId,
        preview: { money: [{ currency: 'usd', amount: 5_500 }] },
      },
    });
    await unchanged(approvalId, transaction, ['500']);
    expect((await approvals.call(agent, call)).body.error.details['approvalId']).not.toBe(approvalId);
  });

  it('would fail', async () => {
    const { transaction, approvalId } = await askRefund();
    await t.graphql(`mutation { transactionRefund(input: { id: "${transaction}" }) { id } }`);
    expect(await approvals.refusal(approvalId)).toMatchObject({ code: 'validation_error', param: 'id' });
    await unchanged(approvalId, transaction, ['6000']);
  });

  it('ends with an internal error', async () => {
    const { agent, transaction, approvalId } = await askRefund(6_000, {
      approveAbove: 5_000,
      maxAmountPerDay: 20_000,
    });
    const { guard } = t.app;
    const broken: { guard: Guard } = t.app;
    broken.guard = async (ctx, operation, run) => {
      await guard(ctx, operation, run);
      throw new Error('The process is broken.');
    };
    try {
      expect(await approvals.refusal(approvalId)).toMatchObject({ code: 'internal_error' });
    } finally {
      broken.guard = guard;
    }
    await unchanged(approvalId, transaction);
    expect(await moneyOf(agent)).toBe('0');
    expect(await approvals.run(approvalId)).toMatchObject({ status: 'used', error: null });
    expect(await refunds(transaction)).toEqual(['6000']);
  });

  it('exceeds the policy', async () => {
    const { agent, transaction, approvalId } = await askRefund();
    await approvals.setPolicy(agent, { maxAmountPerDay: 5_999 });
    expect(await approvals.refusal(approvalId)).toMatchObject({ details: { reason: 'policy_amount' } });
    await approvals.setPolicy(agent, { operations: { deny: ['transactionRefund'] } });
    expect(await approvals.refusal(approvalId)).toMatchObject({ details: { reason: 'policy_operation' } });
    await unchanged(approvalId, transaction);
    expect(await moneyOf(agent)).toBe('0');
  });

  it('was requested by an API key that was deleted or has expired', async () => {
    const { agent, transaction, approvalId } = await askRefund();
    await shop.rest('DELETE', `/api-keys/${agent.id}`);
    expect(await approvals.read(approvalId)).toMatchObject({ canRun: false });
    expect(await approvals.refusal(approvalId)).toMatchObject({ code: 'validation_error', param: 'run' });
    await unchanged(approvalId, transaction);

    const expiring = await askRefund();
    await t.app.database.query('UPDATE "ApiKey" SET "expiresAt" = $2 WHERE id = $1', [
      expiring.agent.id,
      now,
    ]);
    expect(await approvals.refusal(expiring.approvalId)).toMatchObject({ param: 'run' });
    await unchanged(expiring.approvalId, expiring.transaction);
  });

  it('has lost the scope of its operation', async () => {
    const { agent, transaction, approvalId } = await askRefund();
    await t.app.database.query('UPDATE "ApiKey" SET scopes = $2 WHERE id = $1', [agent.id, ['read']]);
    expect(await approvals.refusal(approvalId)).toMatchObject({ code: 'forbidden' });
    await unchanged(approvalId, transaction);
  });

  it('is decided by an API key, or by a member without the role', async () => {
    const { agent, transaction, approvalId } = await askRefund();
    const { errors } = await t.graphqlFailure(runText, { id: approvalId }, { key: agent.key });
    expect(errors[0]?.extensions['code']).toBe('unauthorized');
    await unchanged(approvalId, transaction);

    const other = await approvals.agent({});
    const keys = await approvals.agent({ approveOperations: ['apiKeyDelete'] });
    const deletion = await approvals.ask(keys, ['DELETE', `/api-keys/${other.id}`]);
    const member = await approvals.member('member');
    expect(await approvals.refusal(deletion, { run: true }, member)).toMatchObject({ code: 'forbidden' });
    expect(await approvals.read(deletion)).toMatchObject({ status: 'pending', decidedBy: null });
    expect((await approvals.call(other, ['GET', '/plans'])).status).toBe(200);
    const { result } = await approvals.run(deletion);
    expect(result).toMatchObject({ id: other.id, deleted: true });
    expect((await approvals.read(deletion, approvals.as(member))).result).toBeNull();
    expect((await approvals.call(other, ['GET', '/plans'])).status).toBe(401);
  });

  it('returns a secret', async () => {
    const agent = await approvals.agent({ approveOperations: ['webhookCreate'] });
    const approvalId = await approvals.ask(agent, [
      'POST',
      '/webhooks',
      { url: 'https://example.com/hook', events: ['customer.created'] },
    ]);
    expect(await approvals.read(approvalId)).toMatchObject({ canRun: false });
    expect(await approvals.refusal(approvalId)).toMatchObject({ code: 'validation_error', param: 'run' });
    expect(await approvals.read(approvalId)).toMatchObject({ status: 'pending', decidedBy: null });
    expect(await approvals.decide(approvalId)).toMatchObject({ status: 'approved' });
  });

  it('has a secret among its arguments, which the approval does not contain', async () => {
    const agent = await approvals.agent({ approveOperations: ['connectedAccountCreate'] });
    const { errors } = await t.graphqlFailure(
      'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }',
      { input: { name: 'Own account', secretKey: 'sk_test_1', publishableKey: 'pk_test_1' } },
      { key: agent.key },
    );
    const details = errors[0]?.extensions['details'] as { approvalId: string } | undefined;
    const approvalId = String(details?.approvalId);
    const { approval } = await t.graphql<{ approval: { arguments: unknown } }>(
      'query ($id: ID!) { approval(id: $id) { arguments } }',
      { id: approvalId },
    );
    expect(approval.arguments).toEqual({ input: { name: 'Own account', publishableKey: 'pk_test_1' } });
    expect(await approvals.read(approvalId)).toMatchObject({ canRun: false });
    expect(await approvals.refusal(approvalId)).toMatchObject({ code: 'validation_error', param: 'run' });
    expect(await approvals.read(approvalId)).toMatchObject({ status: 'pending', decidedBy: null });
  });

  it('records usage, or raises a limit', async () => {
    const consumer = await createConsumer(shop);
    const agent = await approvals.agent({ approveOperations: ['usageTrack'] });
    const tracked = await approvals.ask(agent, ['POST', '/usage/events', of(consumer)]);
    await shop.rest('POST', '/limits', {
      scope: { customer: consumer.customerId },
      measure: 'calls',
      window: { kind: 'day' },
      amount: 0,
      action: 'approve',
    });
    const limited = await shop.rest<{ error: { details: { approvalId: string } } }>(
      'POST',
      '/usage/events',
      of(consumer),
    );
    for (const id of [tracked, limited.body.error.details.approvalId]) {
      expect(await approvals.read(id)).toMatchObject({ canRun: false });
      expect(await approvals.refusal(id)).toMatchObject({ code: 'validation_error', param: 'run' });
      expect(await approvals.read(id)).toMatchObject({ status: 'pending', decidedBy: null, usedAt: null });
    }
  });

  it('is rejected, was decided, or has expired', async () => {
    const { transaction, approvalId } = await askRefund();
    expect(await approvals.refusal(approvalId, { decision: 'reject', run: true })).toMatchObject({
      param: 'run',
    });
    await unchanged(approvalId, transaction);
    now = new Date('2026-03-03T09:00:00.000Z');
    const fresh = await approvals.member();
    expect(await approvals.refusal(approvalId, { run: true }, fresh)).toMatchObject({ param: 'id' });
    now = new Date(began);
    await unchanged(approvalId, transaction);
    await approvals.decide(approvalId, { decision: 'reject' });
    expect(await approvals.refusal(approvalId)).toMatchObject({ param: 'id' });
    expect(await refunds(transaction)).toEqual([]);
  });

  it('is decided in a dry run', async () => {
    const { transaction, approvalId } = await askRefund();
    const options = approvals.as(approvals.admin);
    const headers = { ...options.headers, 'x-quittance-dry-run': '1' };
    expect(await t.graphql(runText, { id: approvalId }, { ...options, headers })).toBeNull();
    await unchanged(approvalId, transaction);
  });
});

describe('an API key with 100 pending approvals', () => {
  it('requests no further approval, but repeats its requests', async () => {
    const { agent, call, approvalId } = await askRefund();
    await t.app.database.query(
      `INSERT INTO "Approval" SELECT (jsonb_populate_record(a, jsonb_build_object('id', a.id || n, 'seq', a.seq + n))).*
       FROM "Approval" a, generate_series(1, 99) n WHERE a."environmentId" = $1 AND a.id = $2`,
      [t.sandboxId, approvalId],
    );
    const { id } = await createActiveSubscription(shop, { price: 7_000 });
    const other: Call = ['POST', `/transactions/${await latestTransaction(shop, id)}/refund`];
    const rejected = await approvals.call(agent, other);
    expect([rejected.status, rejected.body.error.code]).toEqual([429, 'rate_limited']);
    const repeated = await approvals.call(agent, call);
    expect(repeated.body.error.details).toMatchObject({ reason: 'approval_required', approvalId });
    now = new Date(now.getTime() + 25 * 3_600_000);
    const later = await approvals.call(agent, other);
    expect(later.body.error.details).toMatchObject({ reason: 'approval_required' });
  });
});
