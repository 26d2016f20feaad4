import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { firstShop, type Shop } from '../../../support/factories.ts';
import { type CallOptions, startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf, type Session } from '../../../support/people.ts';

type Json = Readonly<Record<string, unknown>>;
type Failure = { readonly error: { readonly code: string; readonly details: Json } };

let t: TestApp;
let shop: Shop;
let admin: Session;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  admin = await memberOf(t, t.organizationId, 'admin');
});
afterAll(() => t.close());

const asAdmin = (): CallOptions => ({
  key: null,
  headers: { ...admin.headers, 'x-organization': t.organizationId, 'x-environment': 'sandbox' },
});

/** Creates an API key with a policy. */
async function keyWith(policy: object): Promise<string> {
  const { body } = await t.rest<{ id: string; apiKey: string }>('POST', '/api-keys', { name: 'Agent' });
  const set = await t.rest('PUT', `/api-keys/${body.id}/policy`, policy, asAdmin());
  expect(set.status, JSON.stringify(set.body)).toBe(200);
  return body.apiKey;
}

const approve = (id: string) =>
  t.graphql(
    `mutation ($id: ID!) { approvalDecide(input: { id: $id, decision: approve }) { id } }`,
    { id },
    asAdmin(),
  );

const track = (key: string, consumer: Consumer, headers: Record<string, string> = {}, body: Json = {}) =>
  t.rest<Failure & Json>('POST', '/usage/events', { ...of(consumer), ...body }, { key, headers });

const mutation = 'mutation ($input: UsageTrackInput!) { usageTrack(input: $input) { id } }';

const recorded = async ({ customerId }: Consumer): Promise<number> => {
  const [row] = await t.app.database.query<{ count: bigint }>(
    'SELECT count(*) FROM "UsageEvent" WHERE "environmentId" = $1 AND "customerId" = $2',
    [t.sandboxId, customerId],
  );
  return Number(row?.count);
};

describe('usage of an API key with a policy', () => {
  it('is recorded only after its approval over REST, once', async () => {
    const consumer = await createConsumer(shop);
    const key = await keyWith({ approveOperations: ['usageTrack'] });
    const rejected = await track(key, consumer);
    expect([rejected.status, rejected.body.error]).toMatchObject([
      403,
      { code: 'forbidden', details: { reason: 'approval_required' } },
    ]);
    expect(await recorded(consumer)).toBe(0);
    const approvalId = String(rejected.body.error.details['approvalId']);
    await approve(approvalId);
    const headers = { 'x-quittance-approval': approvalId };
    expect((await track(key, consumer, headers)).status).toBe(200);
    expect((await track(key, consumer, headers)).status).toBe(403);
    expect(await recorded(consumer)).toBe(1);
  });

  it.each([{}, { 'idempotency-key': 'approved usage' }])(
    'is recorded only after its approval over GraphQL: %j',
    async (headers) => {
      const consumer = await createConsumer(shop);
      const key = await keyWith({ approveOperations: ['usage'] });
      const variables = { input: of(consumer) };
      const { errors } = await t.graphqlFailure(mutation, variables, { key, headers });
      const details = errors[0]?.extensions['details'] as Json;
      expect(details).toMatchObject({ reason: 'approval_required' });
      expect(await recorded(consumer)).toBe(0);
      await approve(String(details['approvalId']));
      await t.graphql(mutation, variables, { key, headers });
      expect(await recorded(consumer)).toBe(1);
    },
  );

  it('keeps its approval if the usage is rejected', async () => {
    const consumer = await createConsumer(shop);
    const key = await keyWith({ approveOperations: ['usageTrack'] });
    const unknown = { featureCode: 'unknown' };
    const approvalId = String((await track(key, consumer, {}, unknown)).body.error.details['approvalId']);
    await approve(approvalId);
    for (const _attempt of [1, 2])
      expect((await track(key, consumer, {}, unknown)).body.error.code).toBe('feature_not_found');
  });

  it('counts a repeated request once, and not if it is rejected', async () => {
    const consumer = await createConsumer(shop);
    const key = await keyWith({ maxCallsPerHour: 2 });
    const headers = { 'idempotency-key': 'counted usage' };
    const first = await track(key, consumer, headers);
    expect(first.status).toBe(200);
    for (const _retry of [1, 2]) expect((await track(key, consumer, headers)).body).toEqual(first.body);
    const variables = { input: of(consumer) };
    const options = { key, headers: { 'idempotency-key': 'counted usage over GraphQL' } };
    expect((await track(key, consumer, {}, { featureCode: 'unknown' })).status).toBe(404);
    const second = await t.graphql(mutation, variables, options);
    expect((await track(key, consumer)).body.error.details).toMatchObject({ reason: 'policy_operation' });
    expect(await t.graphql(mutation, variables, options)).toEqual(second);
    expect((await track(key, consumer, headers)).body).toEqual(first.body);
    expect(await recorded(consumer)).toBe(2);
  });

  it('counts concurrent requests with the same key once', async () => {
    const consumer = await createConsumer(shop);
    const key = await keyWith({ maxCallsPerHour: 2 });
    const headers = { 'idempotency-key': 'concurrent usage' };
    const answers = await Promise.all([1, 2, 3].map(() => track(key, consumer, headers)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await track(key, consumer)).status).toBe(200);
    expect((await track(key, consumer)).status).toBe(403);
  });

  it('applies the policy to dry runs, without counting them', async () => {
    const [consumer, foreign] = [await createConsumer(shop), await createConsumer(shop)];
    const dryRun = { 'x-quittance-dry-run': '1' };
    const denied = await keyWith({ operations: { deny: ['usageTrack'] } });
    expect((await track(denied, consumer, dryRun)).body.error.details).toMatchObject({
      reason: 'policy_operation',
    });
    const key = await keyWith({ customers: { ids: [consumer.customerId] }, maxCallsPerHour: 1 });
    expect((await track(key, foreign, dryRun)).body.error.details).toMatchObject({
      reason: 'policy_customer',
    });
    for (const _run of [1, 2]) {
      const simulated = await track(key, consumer, dryRun);
      expect([simulated.status, simulated.body]).toMatchObject([
        200,
        { dryRun: { isSimulated: true, events: [{ kind: 'usage.recorded' }] } },
      ]);
    }
    expect((await track(key, consumer)).status).toBe(200);
    expect((await track(key, consumer, dryRun)).status).toBe(403);
    expect(await recorded(consumer)).toBe(1);
  });
});

describe('concurrent equal calls that need an approval', () => {
  it('request one approval', async () => {
    const key = await keyWith({ approveOperations: ['customerCreate'] });
    const body = { email: 'raced@example.com' };
    const calls = await Promise.all(
      [1, 2, 3, 4].map(() => t.rest<Failure>('POST', '/customers', body, { key })),
    );
    expect(calls.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
    const ids = new Set(calls.map((call) => call.body.error.details['approvalId']));
    expect(ids.size).toBe(1);
    const events = await t.app.database.query(
      `SELECT 1 FROM "Event" WHERE "environmentId" = $1 AND kind = 'approval.requested' AND data->>'approvalId' = $2`,
      [t.sandboxId, [...ids][0]],
    );
    expect(events).toHaveLength(1);
  });
});
