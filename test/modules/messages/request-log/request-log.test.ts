import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '../../../../src/domain/time/period.ts';
import { removeOld } from '../../../../src/worker/retention.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf } from '../../../support/people.ts';
import { pause } from '../../../support/usage-load.ts';

type Entry = {
  readonly id: string;
  readonly transport: string;
  readonly method: string;
  readonly route: string;
  readonly operation: string;
  readonly status: number;
  readonly code: string | null;
  readonly callerId: string;
  readonly customerId: string | null;
  readonly idempotencyKey: string | null;
  readonly replayOf: string | null;
  readonly ipAddress: string | null;
  readonly count: number;
  readonly createdAt: string;
  readonly address: string | null;
  readonly requestBody: string | null;
  readonly responseBody: string | null;
};

let t: TestApp;
beforeAll(async () => {
  t = await startApp({ env: { REQUEST_LOG_DAYS: '7', REQUEST_LOG_PER_MINUTE: '1000' } });
});
afterAll(() => t.close());

const requestIdOf = ({ headers }: { readonly headers: Headers }): string => headers.get('x-request-id') ?? '';

/** Returns the recorded request with an ID. */
async function entryOf(id: string, key = t.sandboxKey): Promise<Entry> {
  await t.app.requestLog.flush();
  const { status, body } = await t.rest<Entry>('GET', `/request-log/${id}`, undefined, { key });
  expect(status).toBe(200);
  return body;
}

/** Returns the recorded requests that match a query, newest first. */
async function list(query: string, key = t.sandboxKey): Promise<Entry[]> {
  await t.app.requestLog.flush();
  const { body } = await t.rest<{ data: Entry[] }>('GET', `/request-log?${query}`, undefined, { key });
  return body.data;
}

describe('a request over REST', () => {
  it('is recorded with its masked bodies', async () => {
    const created = await t.rest<{ id: string }>(
      'POST',
      '/customers',
      { email: 'ann@acme.test', fullName: 'Ann Lee', externalId: 'acme-17', metadata: { plan: 'gold' } },
      { headers: { 'idempotency-key': 'first-try', 'user-agent': 'ann@acme.test/1' } },
    );
    const entry = await entryOf(requestIdOf(created));
    expect(entry).toMatchObject({
      transport: 'rest',
      method: 'POST',
      route: '/api/v1/customers',
      operation: 'customerCreate',
      status: 201,
      code: null,
      customerId: created.body.id,
      idempotencyKey: 'first-try',
      replayOf: null,
      ipAddress: '127.0.0.0/24',
      count: 1,
      address: '/api/v1/customers',
    });
    expect(entry.requestBody).toBe(
      '{"email":"••••st","fullName":"••••ee","externalId":"••••17","metadata":{"plan":"••••ld"}}',
    );
    expect(JSON.parse(entry.responseBody ?? '')).toMatchObject({ id: created.body.id, email: '••••st' });
  });

  it('keeps no part of personal data in the live environment', async () => {
    const { headers } = await t.rest(
      'POST',
      '/customers',
      { email: 'bo@acme.test', fullName: 'Bo' },
      { key: t.liveKey },
    );
    const entry = await entryOf(requestIdOf({ headers }), t.liveKey);
    expect(entry.requestBody).toBe('{"email":"••••","fullName":"••••"}');
    expect(JSON.stringify(entry)).not.toMatch(/acme|Bo\b/);
  });

  it('is recorded with the code of its error', async () => {
    const { headers } = await t.rest('GET', '/customers/none');
    expect(await entryOf(requestIdOf({ headers }))).toMatchObject({
      operation: 'customer',
      status: 404,
      code: 'customer_not_found',
    });
  });

  it('is recorded without a response that contains a secret', async () => {
    const created = await t.rest<{ apiKey: string }>('POST', '/api-keys', { name: 'Deployment' });
    expect((await entryOf(requestIdOf(created))).responseBody).toBeNull();
  });

  it('leaves no record without valid credentials', async () => {
    const { headers, status } = await t.rest('GET', '/plans', undefined, { key: 'ck_sandbox_wrong' });
    expect(status).toBe(401);
    await t.app.requestLog.flush();
    expect((await t.rest('GET', `/request-log/${requestIdOf({ headers })}`)).status).toBe(404);
  });
});

describe('a request over GraphQL', () => {
  it('is recorded with renamed fields and literals masked', async () => {
    await t.graphql(
      'mutation ($m: String!) { c: customerCreate(input: { email: $m, fullName: "Cy Fox" }) { id who: email n: fullName } }',
      { m: 'cy@acme.test' },
    );
    const [entry] = await list('transport=graphql&operation=customerCreate');
    const { requestBody, responseBody, route } = await entryOf(entry?.id ?? '');
    expect(route).toBe('/graphql');
    expect(requestBody).toContain('fullName: \\"••••\\"');
    expect(requestBody).toContain('"variables":{"m":"••••st"}');
    expect(responseBody).toMatch(/^\{"data":\{"c":\{"id":"cus_\w+","who":"••••st","n":"••••ox"\}\}\}$/);
  });

  it('is recorded with the code of its error', async () => {
    await t.graphqlFailure('{ customer(id: "none") { id } }');
    expect(await list('transport=graphql&code=customer_not_found')).toMatchObject([
      { operation: 'customer', code: 'customer_not_found' },
    ]);
  });
});

describe('a request that fails before its operation runs', () => {
  it.each([
    ['JSON', 'application/json'],
    ['another type', 'application/json; charset=latin1'],
  ])('is recorded over GraphQL with a body of %s above the size limit', async (_name, type) => {
    const response = await fetch(`${t.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': t.sandboxKey, 'content-type': type },
      body: JSON.stringify({ query: '{ plans { edges { node { id } } } }', extra: 'x'.repeat(3_000_000) }),
    });
    expect(response.status).toBe(413);
    expect(await entryOf(requestIdOf(response))).toMatchObject({
      transport: 'graphql',
      route: '/graphql',
      status: 413,
      code: 'validation_error',
    });
  });
});

describe('an export stream', () => {
  const stream = (query: string) =>
    fetch(`${t.url}/api/v1/exports/stream?${query}`, { headers: { 'x-api-key': t.sandboxKey } });

  it('is recorded without its rows, and is never repeated', async () => {
    const response = await stream('kind=plans&format=csv');
    await response.text();
    const id = requestIdOf(response);
    expect(await entryOf(id)).toMatchObject({
      operation: 'exportStream',
      route: '/api/v1/exports/stream',
      address: '/api/v1/exports/stream?kind=plans&format=csv',
      status: 200,
      responseBody: null,
    });
    const replay = await t.rest('POST', `/request-log/${id}/replay`, {});
    expect([replay.status, JSON.stringify(replay.body)]).toEqual([
      400,
      expect.stringContaining("can't be repeated"),
    ]);
  });

  it('is recorded with the code of its error', async () => {
    const response = await stream('kind=nothing');
    expect(await entryOf(requestIdOf(response))).toMatchObject({
      operation: 'exportStream',
      status: 400,
      code: 'validation_error',
    });
  });
});

describe('a request over MCP', () => {
  it('is recorded once if it executes an operation', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${t.sandboxKey}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${t.url}/mcp`), { requestInit }));
    await client.callTool({ name: 'plans', arguments: {} });
    expect(
      (await list('transport=mcp'))
        .filter(({ operation }) => operation !== '')
        .map(({ operation, route }) => [operation, route]),
    ).toEqual([
      ['plans', '/api/v1/plans'],
      ['notifications/initialized', '/mcp'],
      ['initialize', '/mcp'],
    ]);
  });
});

describe('frequent requests', () => {
  it('are counted per minute, except failed ones', async () => {
    const check = () => t.rest('GET', '/feature-access?customerId=none&featureCode=none');
    expect((await check()).status).toBe(400);
    await t.app.requestLog.flush();
    const failed = await list('route=/api/v1/feature-access');
    expect(failed).toMatchObject([{ count: 1, status: 400 }]);
    const batch = (): Promise<unknown> =>
      t.rest('POST', '/usage/batch', { items: [{ release: { hold: 'none' } }] });
    for (let count = 0; count < 3; count++) await batch();
    await t.app.requestLog.flush();
    const counted = await list('operation=usageBatch');
    expect(counted.map(({ count }) => count).reduce((sum, count) => sum + count, 0)).toBe(3);
    expect(counted[0]).toMatchObject({ ipAddress: null, status: 200, customerId: null });
    expect(counted[0]?.id).toMatch(/^minute-/);
  });

  it('are counted if an environment has read more than 100 times in a minute', async () => {
    const { sandboxKey: key } = await t.otherTenant();
    // Requests of two minutes are counted separately.
    const leftMs = 60_000 - (Date.now() % 60_000);
    if (leftMs < 10_000) await pause(leftMs);
    for (let count = 0; count < 110; count++) await t.rest('GET', '/plan-groups', undefined, { key });
    const newest = await list('operation=planGroups&limit=100', key);
    const oldest = newest.at(-1)?.createdAt ?? '';
    const counted = await list(`operation=planGroups&limit=100&to=${oldest}`, key);
    const entries = [...newest, ...counted].filter(({ id }) => id.startsWith('minute-'));
    expect(entries.reduce((sum, { count }) => sum + count, 0)).toBe(10);
  });
});

describe('the list', () => {
  it('filters by customer, caller, time, status, and text', async () => {
    const { body: customer } = await t.rest<{ id: string }>('POST', '/customers', {
      email: 'di@acme.test',
      externalId: 'unusual-words',
    });
    const read = await t.rest('GET', `/customers/${customer.id}`);
    const ids = async (query: string) => (await list(query)).map(({ id }) => id);
    expect(await ids('customerId=unusual-words&operation=customer')).toEqual([requestIdOf(read)]);
    expect(await ids('customerId=nobody')).toEqual([]);
    expect(await ids(`text=${customer.id}&operation=customer`)).toEqual([requestIdOf(read)]);
    expect(await ids('text=unusual-words&operation=customer')).toEqual([]);
    expect(await ids('status=200&callerId=key_none')).toEqual([]);
    expect(await ids('from=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await ids(`to=2000-01-01T00:00:00Z`)).toEqual([]);
    expect((await list('failed=true')).every(({ status }) => status >= 400)).toBe(true);
    const { status, body } = await t.rest('GET', '/request-log?text=abc&from=2020-01-01T00:00:00Z');
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('24 hours')]);
  });

  it('searches for text within exactly 24 hours', async () => {
    const { sandboxKey: key, sandboxId: environmentId } = await t.otherTenant();
    const { headers } = await t.rest('GET', '/customers/searched-words', undefined, { key });
    const id = requestIdOf({ headers });
    await t.app.requestLog.flush();
    const { query } = t.app.database;
    const foundAfter = async (ageMs: number): Promise<boolean> => {
      for (const table of ['RequestRecord', 'RequestBlock'])
        await query(`UPDATE "${table}" SET "createdAt" = $2 WHERE "environmentId" = $1`, [
          environmentId,
          new Date(Date.now() - ageMs),
        ]);
      return (await list('text=searched-words&route=/api/v1/customers/{id}', key)).some(
        (entry) => entry.id === id,
      );
    };
    expect(await foundAfter(dayMs - 60_000)).toBe(true);
    expect(await foundAfter(dayMs + 60_000)).toBe(false);
  });

  it('returns further pages', async () => {
    await t.app.requestLog.flush();
    const first = await t.rest<{ data: Entry[]; nextCursor: string }>('GET', '/request-log?limit=2');
    const cursor = encodeURIComponent(String(first.body.nextCursor));
    const second = await t.rest<{ data: Entry[] }>('GET', `/request-log?limit=2&cursor=${cursor}`);
    expect(new Set([...first.body.data, ...second.body.data].map(({ id }) => id)).size).toBe(4);
  });

  it('is only readable with the scopes read and keys', async () => {
    const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "Reader", scopes: [read] }) { apiKey } }',
    );
    const { status } = await t.rest('GET', '/request-log', undefined, { key: apiKeyCreate.apiKey });
    expect(status).toBe(403);
  });

  it('contains no request of another organization', async () => {
    const tenant = await t.otherTenant();
    const { headers } = await t.rest('GET', '/plans', undefined, { key: tenant.sandboxKey });
    await t.app.requestLog.flush();
    const id = requestIdOf({ headers });
    expect((await t.rest('GET', `/request-log/${id}`)).status).toBe(404);
    expect((await t.rest('GET', `/request-log/${id}`, undefined, { key: tenant.liveKey })).status).toBe(404);
    expect((await entryOf(id, tenant.sandboxKey)).operation).toBe('plans');
  });
});

describe('a replay', () => {
  type Replay = { requestId: string; status: number; isDryRun: boolean; body: Record<string, unknown> };
  const customers = async (key = t.sandboxKey): Promise<number> => {
    const { body } = await t.rest<{ data: unknown[] }>('GET', '/customers?limit=100', undefined, { key });
    return body.data.length;
  };

  it('runs a write as a dry run first, and then with a new idempotency key', async () => {
    const created = await t.rest('POST', '/customers', { email: 'ed@acme.test' });
    const id = requestIdOf(created);
    await t.app.requestLog.flush();
    const before = await customers();
    const path = `/request-log/${id}/replay`;
    const missing = await t.rest('POST', path, {});
    expect([missing.status, JSON.stringify(missing.body)]).toEqual([400, expect.stringContaining('/email')]);
    const values = [{ pointer: '/email', value: 'ed2@acme.test' }];
    const dry = await t.rest<Replay>('POST', path, { values });
    expect(dry.body).toMatchObject({ status: 201, isDryRun: true, body: { email: 'ed2@acme.test' } });
    expect(await customers()).toBe(before);
    const done = await t.rest<Replay>('POST', path, { values, dryRun: false });
    expect(done.body).toMatchObject({ status: 201, isDryRun: false });
    expect(await customers()).toBe(before + 1);
    expect(await entryOf(done.body.requestId)).toMatchObject({ replayOf: id, operation: 'customerCreate' });
  });

  it('repeats only reads in the live environment', async () => {
    const key = t.liveKey;
    const write = await t.rest(
      'POST',
      '/features',
      { name: 'Calls', code: 'calls', type: 'boolean' },
      { key },
    );
    const read = await t.rest('GET', '/features', undefined, { key });
    await t.app.requestLog.flush();
    const replay = (id: string) =>
      t.rest<Replay>('POST', `/request-log/${id}/replay`, { dryRun: false }, { key });
    expect(await replay(requestIdOf(write))).toMatchObject({
      status: 403,
      body: { error: { code: 'sandbox_only' } },
    });
    expect(await replay(requestIdOf(read))).toMatchObject({
      status: 200,
      body: { status: 200, isDryRun: false, body: { data: [{ code: 'calls' }] } },
    });
  });

  it('has the permissions of the key that replays', async () => {
    const read = await t.rest('GET', '/metrics/mrr');
    const { apiKeyCreate } = await t.graphql<{ apiKeyCreate: { apiKey: string } }>(
      'mutation { apiKeyCreate(input: { name: "Log", scopes: [read, write, keys] }) { apiKey } }',
    );
    await t.app.requestLog.flush();
    const { body } = await t.rest<Replay>(
      'POST',
      `/request-log/${requestIdOf(read)}/replay`,
      {},
      {
        key: apiKeyCreate.apiKey,
      },
    );
    expect(body).toMatchObject({ status: 403, body: { error: { code: 'forbidden' } } });
  });
});

describe('the log', () => {
  it('contains none of the values that were masked', async () => {
    await t.app.requestLog.flush();
    const records = await t.app.database.query('SELECT * FROM "RequestRecord"');
    expect(records.length).toBeGreaterThan(20);
    expect(
      JSON.stringify(records, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toMatch(/acme\.test|ck_(?:live|sandbox)_\w{8}/);
  });

  it('is deleted after the retention period', async () => {
    await t.app.requestLog.flush();
    const { query } = t.app.database;
    await query(`UPDATE "RequestRecord" SET "createdAt" = $1 WHERE operation = 'customer'`, [
      new Date(Date.now() - 8 * dayMs),
    ]);
    const [old] = await query<{ count: bigint }>(
      `SELECT count(*) AS count FROM "RequestRecord" WHERE operation = 'customer'`,
    );
    expect(Number(old?.count)).toBeGreaterThan(0);
    expect(await removeOld(t.app, 'requestRecords')).toBe(Number(old?.count));
    expect(await removeOld(t.app, 'requestRecords')).toBe(0);
    expect(await removeOld(t.app, 'requestBlocks')).toBe(0);
  });
});

describe('the changes of members and API keys', () => {
  type Change = {
    readonly operation: string;
    readonly callerKind: string;
    readonly callerName: string | null;
    readonly customer: { readonly email: string } | null;
  };
  const changesOf = async (filter: string): Promise<readonly Change[]> => {
    await t.app.requestLog.flush();
    const { requestLog } = await t.graphql<{ requestLog: { nodes: readonly Change[] } }>(
      `{ requestLog(first: 100, ${filter}) { nodes { operation callerKind callerName customer { email } } } }`,
    );
    return requestLog.nodes;
  };

  it('are separate from the requests that read, and name the person and the customer', async () => {
    const { headers, memberId } = await memberOf(t, t.organizationId, 'admin');
    const asMember = async (query: string): Promise<void> => {
      const response = await fetch(`${t.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers, 'x-environment': 'sandbox' },
        body: JSON.stringify({ query }),
      });
      expect(response.status).toBe(200);
      await response.text();
    };
    await asMember('mutation { customerCreate(input: { email: "kay@acme.test" }) { id } }');
    await asMember('{ customers(first: 1) { nodes { id } } }');
    const change = {
      operation: 'customerCreate',
      callerKind: 'member',
      callerName: 'Ada',
      customer: { email: 'kay@acme.test' },
    };
    expect(await changesOf(`changes: true, callerId: "${memberId}"`)).toEqual([change]);
    expect(await changesOf(`changes: true, callerKind: member`)).toEqual([change]);
    expect(
      (await changesOf(`changes: false, callerId: "${memberId}"`)).map(({ operation }) => operation),
    ).toEqual(['customers']);
    const byKeys = await changesOf('changes: true, callerKind: key');
    expect(byKeys.length).toBeGreaterThan(0);
    expect(byKeys.every(({ callerKind }) => callerKind === 'key')).toBe(true);
  });
});
