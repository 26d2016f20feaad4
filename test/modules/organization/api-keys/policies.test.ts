import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { guard } from '../../../../src/engine/policy/guard.ts';
import { amountInUsd } from '../../../../src/engine/policy/preview.ts';
import { RequestContext } from '../../../../src/request/context.ts';
import {
  createActiveSubscription,
  createCustomer,
  firstShop,
  latestTransaction,
  type Shop,
} from '../../../support/factories.ts';
import { type Answer, startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf, type Session } from '../../../support/people.ts';

type Json = Readonly<Record<string, unknown>>;
type Failure = {
  readonly error: { readonly code: string; readonly details: Json & { readonly reason: string } };
};

let now = new Date('2026-03-02T09:00:00.000Z');

let t: TestApp;
let shop: Shop;
let admin: Session;
beforeAll(async () => {
  t = await startApp({ wall: { now: () => now } });
  shop = firstShop(t);
  admin = await memberOf(t, t.organizationId, 'admin');
});
afterAll(() => t.close());
beforeEach(() => {
  now = new Date('2026-03-02T09:00:00.000Z');
});

const asMember = ({ headers }: Session) => ({
  key: null,
  headers: { ...headers, 'x-organization': t.organizationId, 'x-environment': 'sandbox' },
});

type Key = { readonly id: string; readonly apiKey: string };

/** Creates an API key with a policy. */
async function keyWith(policy: object): Promise<Key> {
  const { body } = await t.rest<Key>('POST', '/api-keys', { name: 'Agent' });
  const set = await t.rest('PUT', `/api-keys/${body.id}/policy`, policy, asMember(admin));
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  return body;
}

/** Returns a paid transaction of an amount in cents. */
async function paid(price: number): Promise<string> {
  const { id } = await createActiveSubscription(shop, { price });
  return latestTransaction(shop, id);
}

const refund = (
  key: Key,
  id: string,
  headers: Record<string, string> = {},
): Promise<Answer<Json & Failure>> =>
  t.rest('POST', `/transactions/${id}/refund`, undefined, { key: key.apiKey, headers });

const decide = (id: string, decision: 'approve' | 'reject', session = admin) =>
  t.graphql<{ approvalDecide: Json }>(
    `mutation ($id: ID!) { approvalDecide(input: { id: $id, decision: ${decision} }) { id status decidedBy } }`,
    { id },
    asMember(session),
  );

const moneyOf = async ({ id }: Key): Promise<string> => {
  const [row] = await t.app.database.query<{ gauges: Record<string, { used: string }> }>(
    'SELECT gauges FROM "OperationGauges" WHERE id = $1',
    [id],
  );
  const day = Object.entries(row?.gauges ?? {}).find(([key]) => key.includes('"day"'));
  return day?.[1].used ?? '0';
};

const events = async (kind: string): Promise<Json[]> =>
  (
    await t.app.database.query<{ data: Json }>(
      'SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = $2 ORDER BY position',
      [t.sandboxId, kind],
    )
  ).map(({ data }) => data);

describe('a policy of an API key', () => {
  it('limits the money of a call and of a day, and requires approvals (AGT-E1, E28)', async () => {
    const key = await keyWith({ maxAmountPerCall: 10_000, maxAmountPerDay: 20_000, approveAbove: 5_000 });
    expect((await refund(key, await paid(4_000))).status).toBe(200);
    expect(await moneyOf(key)).toBe('4000');
    const transaction = await paid(6_000);
    const rejected = await refund(key, transaction);
    expect(rejected.status).toBe(403);
    const { error } = rejected.body;
    expect(error).toMatchObject({
      code: 'forbidden',
      details: {
        reason: 'approval_required',
        approvalId: expect.stringMatching(/^apr_[0-9A-Za-z]{22}$/) as string,
        expiresAt: '2026-03-03T09:00:00.000Z',
        previewHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
        preview: { money: [{ currency: 'usd', amount: 6_000 }] },
        limits: [{ measure: 'money', action: 'approve', amount: '50', asked: '60', unit: 'usd' }],
      },
    });
    expect(await moneyOf(key)).toBe('4000');
    const approvalId = String(error.details['approvalId']);
    const simulated = await refund(key, transaction, { 'x-quittance-dry-run': '1' });
    expect(simulated.body['dryRun']).toMatchObject({ previewHash: error.details['previewHash'] });
    const again = await refund(key, transaction);
    expect(again.body.error.details['approvalId']).toBe(approvalId);
    expect((await decide(approvalId, 'approve')).approvalDecide).toMatchObject({
      id: approvalId,
      status: 'approved',
    });
    expect((await refund(key, transaction, { 'x-quittance-approval': approvalId })).status).toBe(200);
    expect(await moneyOf(key)).toBe('10000');
    const large = await refund(key, await paid(12_000));
    expect(large.body.error.details).toMatchObject({ reason: 'policy_amount' });
    expect(await moneyOf(key)).toBe('10000');
  });

  it('never lets parallel calls pass the amount of a day', async () => {
    const key = await keyWith({ maxAmountPerDay: 20_000 });
    expect((await refund(key, await paid(10_000))).status).toBe(200);
    const three = await Promise.all([paid(4_500), paid(4_500), paid(4_500)]);
    const answers = await Promise.all(three.map((id) => refund(key, id)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 403]);
    expect(answers.find(({ status }) => status === 403)?.body.error.details).toMatchObject({
      reason: 'policy_amount',
      limits: [{ window: { kind: 'day' }, amount: '200', used: '190', asked: '45', remaining: '10' }],
    });
    expect(await moneyOf(key)).toBe('19000');
    now = new Date('2026-03-03T00:00:00.000Z');
    expect((await refund(key, await paid(4_500))).status).toBe(200);
    expect(await moneyOf(key)).toBe('4500');
  });

  it('releases the money of a rejected call, and does not count a repeated call', async () => {
    const key = await keyWith({ maxAmountPerDay: 20_000 });
    const id = await paid(3_000);
    const headers = { 'idempotency-key': 'repeated' };
    const first = await refund(key, id, headers);
    expect(first.status).toBe(200);
    expect((await refund(key, id, headers)).body).toEqual(first.body);
    expect((await refund(key, id)).status).toBe(400);
    expect(await moneyOf(key)).toBe('3000');
  });

  it('keeps the money of an interrupted call counted until the end of the day', async () => {
    const key = await keyWith({ maxAmountPerDay: 10_000 });
    const ctx = new RequestContext(t.app, 'interrupted');
    const { policy } = await t.app.database.prisma.apiKey.findFirstOrThrow({ where: { id: key.id } });
    if (policy === null) throw new Error('The key has no policy.');
    ctx.become(
      { kind: 'key', apiKeyId: key.id, scopes: ['finance'], policy },
      (await t.context()).environment,
    );
    const started = Promise.withResolvers<void>();
    const operation = {
      name: 'transactionRefund',
      kind: 'mutation',
      movesMoney: true,
      isPreviewable: true,
      role: 'member',
      args: {},
    } as const;
    // The process ends while the payment provider is called.
    void guard(ctx, operation, async (inner) => {
      const { transaction, effects } = inner;
      if (effects?.isPreview === true && transaction !== null)
        effects.noteMoney({ ...inner, transaction }, { id: 'ref_1', currency: 'usd', amount: 7_000n });
      else {
        started.resolve();
        await new Promise(() => undefined);
      }
    });
    await started.promise;
    expect(await moneyOf(key)).toBe('7000');
    expect((await refund(key, await paid(4_000))).body.error.details.reason).toBe('policy_amount');
    expect((await refund(key, await paid(3_000))).status).toBe(200);
  });

  it('converts money to US cents, half up, and requires an approval without an exchange rate (AGT-E2)', async () => {
    const ctx = await t.context();
    const money = [{ currency: 'eur', amount: 4_600 }];
    expect(await amountInUsd(ctx, money, now)).toBeNull();
    const usd = async (unitsPerUsd: number) => {
      await t.rest('PUT', '/fx-rates', { currency: 'eur', day: '2026-03-02', unitsPerUsd });
      return amountInUsd(ctx, money, now);
    };
    expect(await usd(92_000_000)).toBe(5_000n);
    expect(await usd(91_000_000)).toBe(5_055n);
    expect(await usd(90_999_999)).toBe(5_055n);
  });

  it('rejects a call whose effects have changed since the approval (AGT-E5)', async () => {
    const key = await keyWith({ approveAbove: 5_000 });
    const id = await paid(6_000);
    const approvalId = String((await refund(key, id)).body.error.details['approvalId']);
    await decide(approvalId, 'approve');
    await t.graphql(`mutation { transactionRefund(input: { id: "${id}", amount: 2000 }) { id } }`);
    const changed = await refund(key, id, { 'x-quittance-approval': approvalId });
    expect(changed.status).toBe(403);
    expect(changed.body.error.details).toMatchObject({
      reason: 'preview_changed',
      preview: { money: [{ currency: 'usd', amount: 4_000 }] },
    });
    expect((await refund(key, id)).status).toBe(200);
  });

  it('names queries, mutations, and live fields over REST and GraphQL', async () => {
    const operations = { allow: ['customer', 'featureAccess', 'usageTrack', 'featureAccessChanged'] };
    const { id } = await keyWith({ operations });
    const { apiKeyPolicySet } = await t.graphql<{ apiKeyPolicySet: Json }>(
      'mutation ($input: ApiKeyPolicySetInput!) { apiKeyPolicySet(input: $input) { operations { allow } } }',
      { input: { id, operations } },
      asMember(admin),
    );
    expect(apiKeyPolicySet).toEqual({ operations });
  });

  it('limits operations and customers over REST, GraphQL, and MCP', async () => {
    const [own, foreign] = [await createCustomer(shop), await createCustomer(shop)];
    const key = await keyWith({
      operations: { deny: ['planCreate', 'messages'] },
      customers: { ids: [own.id] },
    });
    const update = (id: string) =>
      t.rest<Failure>('PATCH', `/customers/${id}`, { fullName: 'Grace' }, { key: key.apiKey });
    expect((await update(own.id)).status).toBe(200);
    const rejected = await update(foreign.id);
    expect([rejected.status, rejected.body.error.details.reason]).toEqual([403, 'policy_customer']);
    const events = await t.rest<Failure>('GET', '/webhooks', undefined, { key: key.apiKey });
    expect([events.status, events.body.error.details.reason]).toEqual([403, 'policy_operation']);
    const { errors } = await t.graphqlFailure(
      `mutation { customerUpdate(input: { id: "${foreign.id}", fullName: "Eve" }) { id } }`,
      {},
      { key: key.apiKey },
    );
    expect(errors[0]?.extensions).toMatchObject({
      code: 'forbidden',
      details: { reason: 'policy_customer' },
    });
    const usage = await t.rest<Failure>(
      'POST',
      '/usage/batch',
      { items: [{ event: { customerId: foreign.id, featureCode: 'calls' } }] },
      { key: key.apiKey },
    );
    expect([usage.status, usage.body.error.details.reason]).toEqual([403, 'policy_customer']);
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key.apiKey}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${t.url}/mcp`), { requestInit }));
    const called = await client.callTool({ name: 'customer', arguments: { id: foreign.id } });
    expect(called).toMatchObject({ isError: true, structuredContent: { error: { code: 'forbidden' } } });
  });

  it('limits the number of mutations in an hour', async () => {
    const key = await keyWith({ maxCallsPerHour: 2 });
    const create = () =>
      t.rest<Failure>(
        'POST',
        '/customers',
        { email: `${shop.next('caller')}@example.com` },
        { key: key.apiKey },
      );
    expect([(await create()).status, (await create()).status]).toEqual([201, 201]);
    const third = await create();
    expect(third.body.error.details).toMatchObject({
      reason: 'policy_operation',
      limits: [{ measure: 'calls', amount: '2', used: '2', fitsAt: '2026-03-02T10:00:00.000Z' }],
    });
    now = new Date('2026-03-02T10:00:00.000Z');
    expect((await create()).status).toBe(201);
  });

  it('requires the approval of operations over MCP and GraphQL, whatever they move', async () => {
    const key = await keyWith({ approveOperations: ['customerCreate'] });
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${key.apiKey}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${t.url}/mcp`), { requestInit }));
    const values = { email: 'agent@example.com', fullName: 'Agent Smith' };
    const rejected = await client.callTool({ name: 'customer_create', arguments: values });
    const { error } = rejected.structuredContent as Failure;
    expect(error.details.reason).toBe('approval_required');
    const approvalId = String(error.details['approvalId']);
    await decide(approvalId, 'approve');
    const done = await client.callTool({ name: 'customer_create', arguments: { ...values, approvalId } });
    expect(done).toMatchObject({ structuredContent: { fullName: 'Agent Smith' } });
    const { errors } = await t.graphqlFailure(
      'mutation { customerCreate(input: { email: "other@example.com" }) { id } }',
      {},
      { key: key.apiKey },
    );
    expect(errors[0]?.extensions).toMatchObject({ details: { reason: 'approval_required' } });
  });

  it('is set by admins only, and recorded as an event', async () => {
    const key = await keyWith({ maxAmountPerCall: 100 });
    const path = `/api-keys/${key.id}/policy`;
    const own = await t.rest('PUT', path, {}, { key: key.apiKey });
    expect(own.status).toBe(401);
    const member = await memberOf(t, t.organizationId, 'member');
    expect((await t.rest('PUT', path, {}, asMember(member))).status).toBe(403);
    expect((await t.rest('GET', path)).body).toEqual({
      operations: null,
      customers: null,
      maxAmountPerCall: 100,
      maxAmountPerDay: null,
      maxCallsPerHour: null,
      approveAbove: null,
      approveOperations: [],
    });
    expect((await events('api_key.policy_changed')).at(-1)).toEqual({
      apiKeyId: key.id,
      name: 'Agent',
      changedFields: ['maxAmountPerCall'],
    });
    const created = await t.rest<Failure>('POST', '/api-keys', { name: 'Other' }, { key: key.apiKey });
    expect(created.status).toBe(403);
  });

  it.each([
    [{ maxAmountPerCall: -1 }, 'maxAmountPerCall'],
    [{ operations: { allow: ['doesNotExist'] } }, 'operations.allow'],
    [{ operations: { deny: ['payoutCreated'] } }, 'operations.deny'],
    [{ approveOperations: ['customer'], operations: { deny: ['customerCreat'] } }, 'operations.deny'],
    [{ approveOperations: ['usageTracks'] }, 'approveOperations'],
    [{ operations: { allow: [], deny: [] } }, 'operations'],
    [{ customers: {} }, 'customers'],
    [{ maxAmountPerCall: 100, approveAbove: 200 }, 'approveAbove'],
    [{ maxAmountPerCall: 300, maxAmountPerDay: 200 }, 'maxAmountPerCall'],
  ])('is rejected if it is invalid: %j', async (policy, param) => {
    const key = await keyWith({ maxAmountPerCall: 100 });
    const set = await t.rest('PUT', `/api-keys/${key.id}/policy`, policy, asMember(admin));
    expect([set.status, set.body]).toMatchObject([400, { error: { code: 'validation_error', param } }]);
    expect((await t.rest('GET', `/api-keys/${key.id}/policy`)).body).toMatchObject({ maxAmountPerCall: 100 });
  });
});

describe('an approval', () => {
  /** Creates a pending approval of a refund. */
  async function pending() {
    const key = await keyWith({ approveAbove: 0 });
    const transaction = await paid(1_500);
    const approvalId = String((await refund(key, transaction)).body.error.details['approvalId']);
    return { key, transaction, approvalId };
  }

  const failure = async (id: string, options: Parameters<TestApp['graphqlFailure']>[2]) =>
    (
      await t.graphqlFailure(
        'mutation ($id: ID!) { approvalDecide(input: { id: $id, decision: approve }) { id } }',
        { id },
        options,
      )
    ).errors[0]?.extensions['code'];

  it('is decided by a member of the tenant, once, and never by an API key', async () => {
    const { approvalId } = await pending();
    expect(await failure(approvalId, {})).toBe('unauthorized');
    const other = await t.otherTenant();
    const stranger = await memberOf(t, other.organizationId, 'owner');
    const options = { key: null, headers: { ...stranger.headers, 'x-organization': other.organizationId } };
    expect(await failure(approvalId, options)).toBe('not_found');
    expect((await decide(approvalId, 'reject')).approvalDecide).toMatchObject({ status: 'rejected' });
    expect((await decide(approvalId, 'reject')).approvalDecide).toMatchObject({ status: 'rejected' });
    expect(await failure(approvalId, asMember(admin))).toBe('validation_error');
    expect((await events('approval.decided')).filter((data) => data['approvalId'] === approvalId)).toEqual([
      expect.objectContaining({ decision: 'reject', operation: 'transactionRefund' }),
    ]);
  });

  it('can be used once, by the API key that requested it', async () => {
    const { key, transaction, approvalId } = await pending();
    await decide(approvalId, 'approve');
    const other = await keyWith({ approveAbove: 0 });
    const foreign = await refund(other, transaction, { 'x-quittance-approval': approvalId });
    expect(foreign.body.error.details.reason).toBe('approval_required');
    expect((await refund(key, transaction)).status).toBe(200);
    const { body } = await t.rest('GET', `/approvals/${approvalId}`);
    expect(body).toMatchObject({ status: 'used', usedAt: '2026-03-02T09:00:00.000Z', amountUsd: 1_500 });
    expect((await t.rest('GET', `/approvals/${approvalId}`, undefined, { key: other.apiKey })).status).toBe(
      200,
    );
  });

  it('expires after 24 hours', async () => {
    const { key, transaction, approvalId } = await pending();
    now = new Date('2026-03-03T09:00:00.000Z');
    const fresh = await memberOf(t, t.organizationId, 'admin');
    expect(await failure(approvalId, asMember(fresh))).toBe('validation_error');
    const again = await refund(key, transaction);
    expect(again.body.error.details['approvalId']).not.toBe(approvalId);
    const { body } = await t.rest('GET', '/approvals?status=expired');
    expect((body['data'] as Json[]).map(({ id }) => id)).toContain(approvalId);
  });
});
