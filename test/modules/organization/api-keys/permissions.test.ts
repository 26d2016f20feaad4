import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCustomer, firstShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Permissions of API keys by area (AGT-70, AGT-71).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Key = { id: string; apiKey: string; scopes: string[]; permissions: string[]; operations: string[] };

const createText =
  'mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) { id apiKey scopes permissions operations } }';
/** Returns the payloads of the events about removed permissions of a key. */
const narrowEvents = async (id: string): Promise<unknown[]> =>
  (
    await t.app.database.query<{ data: unknown }>(
      `SELECT data FROM "Event" WHERE "environmentId" = $1 AND kind = 'api_key.narrowed' AND data->>'apiKeyId' = $2 ORDER BY position`,
      [t.sandboxId, id],
    )
  ).map(({ data }) => data);

const narrowText =
  'mutation ($input: ApiKeyPermissionsNarrowInput!) { apiKeyPermissionsNarrow(input: $input) { scopes permissions } }';

const create = async (input: object, key = t.sandboxKey): Promise<Key> =>
  (await t.graphql<{ apiKeyCreate: Key }>(createText, { input: { name: 'Key', ...input } }, { key }))
    .apiKeyCreate;
const failure = async (text: string, input: object, key = t.sandboxKey) =>
  (await t.graphqlFailure(text, { input }, { key })).errors[0]?.extensions as Record<string, unknown>;
const keyCount = () => t.app.database.prisma.apiKey.count();
const statusOf = async (key: string, method: string, path: string, body?: object): Promise<number> =>
  (await t.rest(method, path, body, { key })).status;

describe('a key with permissions', () => {
  it('can call only the operations of its areas, over REST, GraphQL, and MCP', async () => {
    const key = await create({ permissions: ['usage:write', 'customers:read'] });
    expect(key).toMatchObject({
      scopes: ['read', 'write'],
      permissions: ['customers:read', 'usage:write'],
    });
    expect(key.operations.join(' ')).toContain('customers');
    expect(key.operations).toContain('usageTrack');
    expect(key.operations).not.toContain('customerCreate');
    expect(key.operations).not.toContain('invoices');
    const before = await t.app.database.prisma.customer.count();
    expect(await statusOf(key.apiKey, 'GET', '/customers')).toBe(200);
    expect(await statusOf(key.apiKey, 'GET', '/invoices')).toBe(403);
    const { status, body } = await t.rest('POST', '/customers', { email: 'a@b.test' }, { key: key.apiKey });
    expect([status, body]).toMatchObject([
      403,
      { error: { code: 'forbidden', details: { reason: 'permission', permission: 'customers:write' } } },
    ]);
    const tools = await fetch(`${t.url}/mcp?toolsets=all`, {
      method: 'POST',
      headers: {
        'x-api-key': key.apiKey,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    });
    const listed = await tools.text();
    expect(listed).toContain('"usage_track"');
    expect(listed).not.toContain('"customer_create"');
    expect(await t.app.database.prisma.customer.count()).toBe(before);
  });

  it('reads related objects only in its areas', async () => {
    const { id: customer } = await createCustomer(shop);
    const { apiKey } = await create({ permissions: ['customers:read'] });
    const read = (selection: string) => `query ($id: ID!) { customer(id: $id) { ${selection} } }`;
    expect(await t.graphql(read('id'), { id: customer }, { key: apiKey })).toEqual({
      customer: { id: customer },
    });
    const nested = read('invoices { nodes { id } }');
    const { errors } = await t.graphqlFailure(nested, { id: customer }, { key: apiKey });
    expect(errors[0]?.extensions).toMatchObject({ details: { permission: 'invoices:read' } });
    const wider = await create({ permissions: ['customers:read', 'invoices:read'] });
    expect(await t.graphql(nested, { id: customer }, { key: wider.apiKey })).toEqual({
      customer: { invoices: { nodes: [] } },
    });
    const byNode = 'query ($id: ID!) { node(id: $id) { id } }';
    expect(await t.graphql(byNode, { id: customer }, { key: apiKey })).toEqual({ node: { id: customer } });
    const other = await create({ permissions: ['invoices:read'] });
    expect(await t.graphql(byNode, { id: customer }, { key: other.apiKey })).toEqual({ node: null });
  });

  it('equals a key with scopes if its permissions apply to all areas', async () => {
    expect(await create({ permissions: ['*:write', '*:read'] })).toMatchObject({
      scopes: ['read', 'write'],
      permissions: ['*:read', '*:write'],
    });
    const { apiKey } = await create({ scopes: ['read'] });
    const { body } = await t.rest('POST', '/customers', { email: 'a@b.test' }, { key: apiKey });
    expect(body).toMatchObject({ error: { message: expect.stringContaining('scope write') as string } });
  });

  it('creates only keys whose permissions it has', async () => {
    const parent = await create({ permissions: ['organization:keys', '*:read', 'usage:write'] });
    const before = await keyCount();
    for (const permissions of [['*:write'], ['customers:write'], ['usage:finance'], ['*:keys']])
      expect(await failure(createText, { name: 'Key', permissions }, parent.apiKey)).toMatchObject({
        code: 'forbidden',
        param: 'permissions',
      });
    expect(await failure(createText, { name: 'Key', scopes: ['write'] }, parent.apiKey)).toMatchObject({
      code: 'forbidden',
      param: 'scopes',
    });
    expect(await keyCount()).toBe(before);
    expect((await create({ permissions: ['usage:read', 'usage:write'] }, parent.apiKey)).permissions).toEqual(
      ['usage:read', 'usage:write'],
    );
    // By default, a key has the permissions of the key that creates it.
    expect((await create({}, parent.apiKey)).permissions).toEqual(parent.permissions);
    expect((await create({ scopes: ['read'] }, parent.apiKey)).permissions).toEqual(['*:read']);
    const { status } = await t.rest('POST', '/api-keys', { name: 'REST', permissions: ['invoices:read'] });
    expect(status).toBe(201);
  });

  it.each([
    { permissions: [] },
    { permissions: ['usage'] },
    { permissions: ['usage:admin'] },
    { permissions: ['webhooks:read'] },
    { permissions: Array.from({ length: 53 }, () => '*:read') },
    { permissions: ['*:read'], scopes: ['read'] },
  ])('rejects %j', async (input) => {
    const before = await keyCount();
    expect(await failure(createText, { name: 'Key', ...input })).toMatchObject({ code: 'validation_error' });
    expect(await keyCount()).toBe(before);
  });

  it('can lose permissions, but not gain any', async () => {
    const key = await create({ permissions: ['*:read', 'usage:write', 'customers:write'] });
    expect(await statusOf(key.apiKey, 'POST', '/customers', { email: 'n@b.test' })).toBe(201);
    const wider = { id: key.id, permissions: ['*:read', 'catalog:write'] };
    expect(await failure(narrowText, wider)).toMatchObject({ code: 'validation_error' });
    expect(await failure(narrowText, { id: 'key_none', permissions: ['*:read'] })).toMatchObject({
      code: 'api_key_not_found',
    });
    expect(await statusOf(key.apiKey, 'POST', '/customers', { email: 'm@b.test' })).toBe(201);
    const narrowed = { input: { id: key.id, permissions: ['usage:write', 'invoices:read'] } };
    expect(await t.graphql(narrowText, narrowed)).toEqual({
      apiKeyPermissionsNarrow: { scopes: ['read', 'write'], permissions: ['usage:write', 'invoices:read'] },
    });
    expect(await statusOf(key.apiKey, 'POST', '/customers', { email: 'o@b.test' })).toBe(403);
    expect(await statusOf(key.apiKey, 'GET', '/customers')).toBe(403);
    expect(await statusOf(key.apiKey, 'GET', '/invoices')).toBe(200);
    // The same permissions again cause no event.
    await t.graphql(narrowText, narrowed);
    expect(await narrowEvents(key.id)).toEqual([
      {
        apiKeyId: key.id,
        name: 'Key',
        before: ['*:read', 'customers:write', 'usage:write'],
        permissions: ['usage:write', 'invoices:read'],
      },
    ]);
    expect((await t.rest('PATCH', `/api-keys/${key.id}`, { permissions: ['invoices:read'] })).status).toBe(
      200,
    );
    expect(await statusOf(key.apiKey, 'GET', '/invoices')).toBe(200);
  });
});
