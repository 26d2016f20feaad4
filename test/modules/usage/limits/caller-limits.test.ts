import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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
type Failure = { readonly error: { readonly code: string; readonly details: Json } };
type Key = { readonly id: string; readonly apiKey: string };

const start = new Date('2026-03-02T09:00:00.000Z');
let now = start;

let t: TestApp;
let shop: Shop;
let admin: Awaited<ReturnType<typeof memberOf>>;
beforeAll(async () => {
  t = await startApp({ wall: { now: () => now } });
  shop = firstShop(t);
  admin = await memberOf(t, t.organizationId, 'admin');
});
afterAll(() => t.close());
beforeEach(() => {
  now = start;
});

const asMember = ({ headers }: Session) => ({
  key: null,
  headers: { ...headers, 'x-organization': t.organizationId, 'x-environment': 'sandbox' },
});

const createKey = async (name = 'Agent'): Promise<Key> =>
  (await t.rest<Key>('POST', '/api-keys', { name })).body;

const limit = (body: object, session = admin): Promise<Answer<Json & Failure>> =>
  t.rest('POST', '/limits', body, asMember(session));

const addCustomer = (key: Key): Promise<Answer<Json & Failure>> =>
  t.rest('POST', '/customers', { email: 'ada@example.com' }, { key: key.apiKey });

const addition = 'mutation { customerCreate(input: { email: "ada@example.com" }) { id } }';

const refund = async (key: Key, price: number, headers: Record<string, string> = {}) => {
  const { id } = await createActiveSubscription(shop, { price });
  const transaction = await latestTransaction(shop, id);
  return t.rest<Json & Failure>('POST', `/transactions/${transaction}/refund`, undefined, {
    key: key.apiKey,
    headers,
  });
};

const count = async (table: string): Promise<number> => {
  const [row] = await t.app.database.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "${table}" WHERE "environmentId" = $1`,
    [t.sandboxId],
  );
  return row?.count ?? 0;
};

const crossings = async (limitId: unknown, filter = ''): Promise<Json[]> =>
  (await shop.rest<{ data: Json[] }>('GET', `/limit-crossings?limitId=${String(limitId)}${filter}`)).body
    .data;

const eventsOf = async (kind: string, limitId: unknown): Promise<Json[]> =>
  (
    await t.app.database.query<{ data: Json }>(
      `SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = $2 AND data->>'limitId' = $3 ORDER BY position`,
      [t.sandboxId, kind, limitId],
    )
  ).map(({ data }) => data);

describe('a limit on the calls of an API key', () => {
  it('counts mutations over REST and GraphQL in real time, and reports the first rejection of a window (LIM-10, LIM-30)', async () => {
    const key = await createKey();
    const created = await limit({
      scope: { apiKey: key.id },
      measure: 'calls',
      filter: { operations: ['customerCreate'] },
      window: { kind: 'day' },
      amount: 2,
      action: 'block',
    });
    expect([created.status, created.body]).toMatchObject([
      201,
      { scope: { apiKey: key.id }, filter: { operations: ['customerCreate'] }, amount: 2 },
    ]);
    expect((await addCustomer(key)).status).toBe(201);
    await t.graphql(addition, {}, { key: key.apiKey });
    const customers = await count('Customer');
    const third = await addCustomer(key);
    expect([third.status, third.body.error]).toMatchObject([
      403,
      {
        code: 'forbidden',
        details: {
          reason: 'policy_operation',
          limits: [
            {
              limitId: created.body['id'],
              node: { kind: 'apiKey', key: key.id },
              used: '2',
              amount: '2',
              asked: '1',
              resetsAt: '2026-03-03T00:00:00.000Z',
            },
          ],
        },
      },
    ]);
    const { errors } = await t.graphqlFailure(addition, {}, { key: key.apiKey });
    expect(errors[0]?.extensions).toMatchObject({ code: 'forbidden', status: 403 });
    expect(await count('Customer')).toBe(customers);
    expect((await t.rest('GET', '/customers', undefined, { key: key.apiKey })).status).toBe(200);
    expect(await crossings(created.body['id'])).toMatchObject([
      { kind: 'reached', cause: 'amount', threshold: '2', value: '2', customer: null },
    ]);
    expect(await eventsOf('limit.reached', created.body['id'])).toMatchObject([
      { customerId: null, node: { kind: 'apiKey', key: key.id, path: [] }, measure: 'calls', unit: 'calls' },
    ]);
    now = new Date('2026-03-03T00:00:00.000Z');
    expect((await addCustomer(key)).status).toBe(201);
  });

  it('counts the mutations of each API key separately, and a limit replaces the template (LIM-20, LIM-21, LIM-22)', async () => {
    const [one, other, exempt] = [await createKey(), await createKey(), await createKey()];
    const terms = {
      measure: 'calls',
      filter: { operations: ['customers'] },
      window: { kind: 'rolling', minutes: 60 },
    };
    const template = await limit({
      scope: { each: 'apiKey', in: { organization: true } },
      ...terms,
      amount: 1,
      action: 'block',
    });
    expect(template.status).toBe(201);
    const free = await limit({ scope: { apiKey: exempt.id }, ...terms, replaces: template.body['id'] });
    expect(free.status).toBe(201);
    const statuses = [];
    for (const key of [one, one, other, other, exempt, exempt])
      statuses.push((await addCustomer(key)).status);
    expect(statuses).toEqual([201, 403, 201, 403, 201, 201]);
    expect(await eventsOf('limit.reached', template.body['id'])).toMatchObject([
      { node: { key: one.id }, cause: 'amount' },
      { node: { key: other.id }, cause: 'amount' },
    ]);
    await t.rest('DELETE', `/limits/${String(template.body['id'])}`, undefined, asMember(admin));
    expect((await addCustomer(one)).status).toBe(201);
  });

  it('names the API key in crossings, also after the API key is deleted', async () => {
    const [one, other] = [await createKey('Importer'), await createKey('Agent')];
    const { body } = await limit({
      scope: { each: 'apiKey', in: { organization: true } },
      measure: 'calls',
      filter: { operations: ['customers'] },
      window: { kind: 'day' },
      amount: 1,
      action: 'notify',
    });
    for (const key of [one, other]) expect((await addCustomer(key)).status).toBe(201);
    expect((await shop.rest('DELETE', `/api-keys/${other.id}`)).status).toBe(200);
    const about = ({ apiKeyId, memberId, callerName, budget, customer }: Json) => ({
      apiKeyId,
      memberId,
      callerName,
      budget,
      customer,
    });
    const shared = { memberId: null, budget: null, customer: null };
    const [importer, agent] = [
      { apiKeyId: one.id, callerName: 'Importer', ...shared },
      { apiKeyId: other.id, callerName: 'Agent', ...shared },
    ];
    expect((await crossings(body['id'])).map(about)).toEqual([agent, importer]);
    expect((await crossings(body['id'], `&callerId=${one.id}`)).map(about)).toEqual([importer]);
    await t.rest('DELETE', `/limits/${String(body['id'])}`, undefined, asMember(admin));
  });

  it('is raised for one API key until the window ends (LIM-44)', async () => {
    const key = await createKey();
    const { body } = await limit({
      scope: { apiKey: key.id },
      measure: 'calls',
      filter: { operations: ['customerCreate'] },
      window: { kind: 'day' },
      amount: 1,
      action: 'block',
    });
    expect((await addCustomer(key)).status).toBe(201);
    expect((await addCustomer(key)).status).toBe(403);
    const path = `/limits/${String(body['id'])}/raises`;
    expect((await t.rest('POST', path, { amount: 1 }, { key: key.apiKey })).status).toBe(403);
    const raise = await t.rest<Json>('POST', path, { amount: 1 }, asMember(admin));
    expect([raise.status, raise.body]).toMatchObject([201, { amount: 1, until: '2026-03-03T00:00:00.000Z' }]);
    expect(await eventsOf('limit.raised', body['id'])).toMatchObject([
      { node: { kind: 'apiKey', key: key.id }, raise: '1', customerId: null },
    ]);
    expect((await addCustomer(key)).status).toBe(201);
    const rejected = await addCustomer(key);
    expect(rejected.body.error.details).toMatchObject({ limits: [{ amount: '1', raise: '1', used: '2' }] });
    await t.rest('DELETE', `${path}/${String(raise.body['id'])}`, undefined, asMember(admin));
    expect(await eventsOf('limit.raise_ended', body['id'])).toHaveLength(1);
  });

  it('is deleted with its API key, and keeps its history', async () => {
    const [key, other] = [await createKey(), await createKey()];
    const terms = {
      measure: 'calls',
      filter: { operations: ['customerCreate'] },
      window: { kind: 'day' },
      amount: 1,
      action: 'notify',
    };
    const { body } = await limit({ scope: { apiKey: key.id }, ...terms });
    const unrelated = await limit({ scope: { apiKey: other.id }, ...terms });
    expect((await addCustomer(key)).status).toBe(201);
    expect((await shop.rest('DELETE', `/api-keys/${key.id}`)).status).toBe(200);
    const listed = (await shop.rest<{ data: Json[] }>('GET', '/limits?limit=100')).body.data.map(
      ({ id }) => id,
    );
    expect(listed).not.toContain(body['id']);
    expect(listed).toContain(unrelated.body['id']);
    expect((await shop.rest('GET', `/limits/${String(body['id'])}`)).status).toBe(404);
    expect(await crossings(body['id'])).toMatchObject([{ kind: 'reached', apiKeyId: key.id }]);
  });

  it('requires an approval with the action `approve` (AGT-13)', async () => {
    const key = await createKey();
    const { body } = await limit({
      scope: { apiKey: key.id },
      measure: 'calls',
      filter: { operations: ['customerCreate'] },
      window: { kind: 'day' },
      amount: 1,
      action: 'approve',
    });
    expect((await addCustomer(key)).status).toBe(201);
    const customers = await count('Customer');
    const rejected = await addCustomer(key);
    expect([rejected.status, rejected.body.error.details]).toMatchObject([
      403,
      { reason: 'approval_required', limits: [{ limitId: body['id'], action: 'approve' }] },
    ]);
    expect(await count('Customer')).toBe(customers);
    await t.graphql(
      'mutation ($id: ID!) { approvalDecide(input: { id: $id, decision: approve }) { id } }',
      { id: rejected.body.error.details['approvalId'] },
      asMember(admin),
    );
    expect((await addCustomer(key)).status).toBe(201);
  });

  it('is set by members with the role `admin` only, and never by API keys', async () => {
    const key = await createKey();
    const body = {
      scope: { apiKey: key.id },
      measure: 'calls',
      window: { kind: 'day' },
      amount: 1,
      action: 'block',
    };
    const before = await count('Limit');
    expect((await t.rest('POST', '/limits', body, { key: key.apiKey })).status).toBe(403);
    expect((await limit(body, await memberOf(t, t.organizationId, 'member'))).status).toBe(403);
    const statuses = async (changes: object) => {
      const { status, body: answer } = await limit({ ...body, ...changes });
      return [status, (answer as unknown as { error: { param?: string } }).error.param];
    };
    expect(await statuses({ scope: { apiKey: 'key_none' } })).toEqual([404, 'scope.apiKey']);
    expect(await statuses({ scope: { member: 'mem_none' } })).toEqual([404, 'scope.member']);
    expect(await statuses({ scope: { apiKey: key.id, organization: true } })).toEqual([400, 'scope']);
    expect(await statuses({ filter: { operations: ['credits_purchase'] } })).toEqual([
      400,
      'filter.operations',
    ]);
    expect(await statuses({ window: { kind: 'usage_window' } })).toEqual([400, 'window.kind']);
    expect(await statuses({ action: 'throttle' })).toEqual([400, 'action']);
    expect(await statuses({ measure: 'drawn', asset: 'credits' })).toEqual([400, 'measure']);
    expect(await count('Limit')).toBe(before);
  });
});

const addAs = (session: Session) =>
  t.rest<Failure>('POST', '/customers', { email: 'bob@example.com' }, asMember(session));

describe('a limit on the calls of members', () => {
  it('counts the mutations of each member, and never prevents a change of the limit', async () => {
    const created = await limit({
      scope: { each: 'member', in: { organization: true } },
      measure: 'calls',
      filter: { operations: ['customers', 'usage'] },
      window: { kind: 'day' },
      amount: 1,
      action: 'block',
    });
    expect(created.status).toBe(201);
    expect((await addAs(admin)).status).toBe(201);
    expect((await addAs(admin)).status).toBe(403);
    expect((await createCustomer(shop)).id).toMatch(/^cus_/);
    const [crossing] = await crossings(created.body['id'], `&callerId=${admin.memberId}`);
    expect(crossing).toMatchObject({ apiKeyId: null, memberId: admin.memberId, callerName: 'Ada' });
    const path = `/limits/${String(created.body['id'])}`;
    const changed = await t.rest('PATCH', path, { amount: 2 }, asMember(admin));
    expect(changed.status).toBe(200);
    expect((await addAs(admin)).status).toBe(201);
    expect((await t.rest('DELETE', path, undefined, asMember(admin))).status).toBe(200);
  });
});

it('deletes the limits of a removed member in the sandbox and the live environment, and keeps those of other members', async () => {
  const owner = await memberOf(t, t.organizationId, 'owner');
  const [leaving, staying] = [
    await memberOf(t, t.organizationId, 'admin'),
    await memberOf(t, t.organizationId, 'admin'),
  ];
  const create = async (member: string, environment: string): Promise<unknown> => {
    const { headers } = asMember(owner);
    const request = { key: null, headers: { ...headers, 'x-environment': environment } };
    const terms = { measure: 'calls', window: { kind: 'day' }, amount: 5, action: 'block' };
    const { status, body } = await t.rest<Json>('POST', '/limits', { scope: { member }, ...terms }, request);
    expect(status, JSON.stringify(body)).toBe(201);
    return body['id'];
  };
  const ended = [await create(leaving.memberId, 'sandbox'), await create(leaving.memberId, 'live')];
  const unrelated = await create(staying.memberId, 'sandbox');
  expect((await addAs(leaving)).status).toBe(201);
  const removal = 'mutation ($id: ID!) { memberRemove(input: { id: $id }) { deletedId } }';
  const { headers } = asMember(owner);
  const live = { key: null, headers: { ...headers, 'x-environment': 'live' } };
  await t.graphql(removal, { id: leaving.memberId }, live);
  const rows = await t.app.database.query<{ id: string; isDeleted: boolean }>(
    `SELECT id, "deletedAt" IS NOT NULL AS "isDeleted" FROM "Limit" WHERE id = ANY($1) ORDER BY id`,
    [[...ended, unrelated]],
  );
  expect(new Map(rows.map(({ id, isDeleted }) => [id, isDeleted]))).toEqual(
    new Map([...ended.map((id) => [id, true] as const), [unrelated, false] as const].toSorted()),
  );
  const gauges = await t.app.database.query('SELECT id FROM "OperationGauges" WHERE id = $1', [
    leaving.memberId,
  ]);
  expect(gauges).toEqual([]);
});

describe('a limit on the money of an API key', () => {
  it('holds the money of a call, and reports thresholds and rejections (LIM-25, LIM-69, LIM-72)', async () => {
    const key = await createKey();
    const created = await limit({
      scope: { apiKey: key.id },
      measure: 'money',
      currency: 'usd',
      window: { kind: 'day' },
      amount: 10_000,
      thresholds: [{ bps: 5_000 }],
      action: 'block',
    });
    expect([created.status, created.body]).toMatchObject([201, { filter: { operations: [] } }]);
    expect((await refund(key, 6_000)).status).toBe(200);
    const rejected = await refund(key, 4_100);
    expect([rejected.status, rejected.body.error.details]).toMatchObject([
      403,
      {
        reason: 'policy_amount',
        limits: [{ unit: 'usd', amount: '100', used: '60', asked: '41', remaining: '40' }],
      },
    ]);
    const retried = await refund(key, 4_200, { 'idempotency-key': 'retried' });
    expect(retried.status).toBe(403);
    expect(await crossings(created.body['id'])).toMatchObject([
      { kind: 'reached', cause: 'rejected', threshold: '100', value: '60' },
      { kind: 'threshold', cause: null, threshold: '50', value: '60' },
    ]);
    expect((await refund(key, 4_000)).status).toBe(200);
    expect(await eventsOf('limit.reached', created.body['id'])).toHaveLength(1);
    expect((await addCustomer(key)).status).toBe(201);
  });

  it('rejects other currencies, and operations that move no money', async () => {
    const key = await createKey();
    const terms = { scope: { apiKey: key.id }, measure: 'money', window: { kind: 'day' }, amount: 1 };
    const paramOf = async (changes: object) =>
      ((await limit({ ...terms, ...changes })).body as unknown as { error: { param: string } }).error.param;
    expect(await paramOf({ currency: 'eur' })).toBe('currency');
    expect(await paramOf({})).toBe('currency');
    expect(await paramOf({ currency: 'usd', filter: { operations: ['customerCreate'] } })).toBe(
      'filter.operations',
    );
  });
});
