import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixedClock } from '../../../../src/platform/clock.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

const create = `mutation ($input: ApiKeyCreateInput!) { apiKeyCreate(input: $input) {
  id name apiKey prefix scopes expiresAt lastUsedAt createdAt object livemode } }`;
const list =
  '{ apiKeys { edges { node { id name apiKey prefix expiresAt lastUsedAt createdAt object livemode } } pageInfo { hasNextPage } } }';
const remove =
  'mutation ($id: ID!) { apiKeyDelete(input: { id: $id }) { id: deletedId deleted object livemode } }';

type Key = {
  id: string;
  name: string;
  apiKey: string;
  prefix: string;
  scopes: string[];
  expiresAt: string | null;
  createdAt: string;
};

const now = new Date('2026-03-01T08:00:00.000Z');

describe('API key management', () => {
  let t: TestApp;
  const make = async (input: Record<string, unknown>, key?: string): Promise<Key> =>
    (await t.graphql<{ apiKeyCreate: Key }>(create, { input }, key === undefined ? {} : { key }))
      .apiKeyCreate;
  const listed = async (key: string): Promise<Key[]> =>
    (await t.graphql<{ apiKeys: { edges: { node: Key }[] } }>(list, {}, { key })).apiKeys.edges.map(
      ({ node }) => node,
    );

  beforeAll(async () => {
    t = await startApp({ wall: fixedClock(now) });
  });
  afterAll(() => t.close());

  it('returns a sandbox key in full once, and stores only its hash and prefix', async () => {
    const key = await make({ name: 'CI' });
    expect(key).toEqual({
      id: expect.stringMatching(/^key_[0-9A-Za-z]{22}$/),
      name: 'CI',
      apiKey: expect.stringMatching(/^ck_sandbox_[A-Za-z0-9_-]{43}$/),
      prefix: key.apiKey.slice(0, 18),
      scopes: ['read', 'write', 'finance', 'keys'],
      expiresAt: null,
      lastUsedAt: null,
      createdAt: '2026-03-01T08:00:00.000Z',
      object: 'api_key',
      livemode: false,
    });
    const rows = await t.app.database.query<{ hash: string }>(
      'SELECT hash FROM "ApiKeyHash" WHERE "apiKeyId" = $1',
      [key.id],
    );
    expect(rows).toEqual([{ hash: createHash('sha256').update(key.apiKey).digest('hex') }]);
    const stored = await t.app.database.query<{ row: object }>(
      'SELECT to_jsonb(k) AS row FROM "ApiKey" k WHERE id = $1',
      [key.id],
    );
    expect(JSON.stringify(stored)).not.toContain(key.apiKey);
  });

  it("lists the environment's keys from newest to oldest, without secrets", async () => {
    const other = await t.otherTenant();
    const first = await make({ name: 'first' }, other.sandboxKey);
    const second = await make({ name: 'second' }, other.sandboxKey);
    await make({ name: 'live one' }, other.liveKey);
    const keys = await listed(other.sandboxKey);
    expect(keys.slice(0, 2)).toEqual([
      {
        id: second.id,
        name: 'second',
        apiKey: null,
        prefix: second.prefix,
        expiresAt: null,
        lastUsedAt: null,
        createdAt: now.toISOString(),
        object: 'api_key',
        livemode: false,
      },
      {
        id: first.id,
        name: 'first',
        apiKey: null,
        prefix: first.prefix,
        expiresAt: null,
        lastUsedAt: null,
        createdAt: now.toISOString(),
        object: 'api_key',
        livemode: false,
      },
    ]);
    expect(keys).toHaveLength(3);
  });

  it('creates live keys only with a live key', async () => {
    const key = await make({ name: 'live' }, t.liveKey);
    expect(key).toMatchObject({
      apiKey: expect.stringMatching(/^ck_live_[A-Za-z0-9_-]{43}$/),
      prefix: key.apiKey.slice(0, 18),
      livemode: true,
    });
  });

  it('calculates the expiration time from real time', async () => {
    expect(await make({ name: 'short', expiresInDays: 30 })).toMatchObject({
      expiresAt: '2026-03-31T08:00:00.000Z',
    });
  });

  it('grants the requested scopes without duplicates, and no other scopes', async () => {
    const key = await make({ name: 'reader', scopes: ['keys', 'read', 'keys'] });
    expect(key.scopes).toEqual(['read', 'keys']);
    const reader = await make({ name: 'reader', scopes: ['read'] });
    expect(await rejection(t, list, {}, { key: reader.apiKey })).toMatchObject({
      code: 'forbidden',
      status: 403,
    });
    expect(await rejection(t, create, { input: { name: 'more' } }, { key: reader.apiKey })).toMatchObject({
      code: 'forbidden',
      status: 403,
    });
  });

  it('creates keys only with scopes that the calling key has, and grants all of them by default (PLT-13)', async () => {
    const own = await make({ name: 'deployer', scopes: ['read', 'keys'] });
    expect((await make({ name: 'default' }, own.apiKey)).scopes).toEqual(['read', 'keys']);
    expect((await make({ name: 'fewer', scopes: ['keys'] }, own.apiKey)).scopes).toEqual(['keys']);
    const byRest = await t.rest<{ apiKey: string }>(
      'POST',
      '/api-keys',
      { name: 'REST' },
      { key: own.apiKey },
    );
    expect(byRest.status).toBe(201);
    const listedBefore = (await listed(t.sandboxKey)).length;
    for (const scope of ['write', 'finance'])
      expect(
        await rejection(
          t,
          create,
          { input: { name: 'wider', scopes: ['read', scope] } },
          { key: own.apiKey },
        ),
      ).toMatchObject({
        code: 'forbidden',
        status: 403,
        param: 'scopes',
        message: `An API key can grant only its own scopes, and this key doesn't have the scope ${scope}. Remove the scope from the request.`,
      });
    expect((await listed(t.sandboxKey)).length).toBe(listedBefore);
    const write = await t.rest('POST', '/customers', { email: 'a@b.test' }, { key: byRest.body.apiKey });
    expect(write.status).toBe(403);
  });

  it('reports every invalid input in one response', async () => {
    expect(await rejection(t, create, { input: { name: '', expiresInDays: 0, scopes: [] } })).toEqual({
      code: 'validation_error',
      status: 400,
      message: 'expiresInDays: must be at least 1.',
      param: 'expiresInDays',
      details: [
        { field: 'expiresInDays', message: 'must be at least 1' },
        { field: 'name', message: 'must have at least 1 character' },
        { field: 'scopes', message: 'must have at least 1 item' },
      ],
    });
  });

  it('revokes a key immediately and permanently, even the calling key, and closes its WebSocket connections', async () => {
    const key = await make({ name: 'gone' });
    const hinted = new Promise<void>((resolve) => t.app.pubsub.onHint(`key:${key.id}`, resolve));
    expect(await t.graphql(remove, { id: key.id }, { key: key.apiKey })).toEqual({
      apiKeyDelete: { id: key.id, deleted: true, object: 'api_key', livemode: false },
    });
    await hinted;
    expect(await rejection(t, list, {}, { key: key.apiKey })).toMatchObject({
      code: 'unauthorized',
      status: 401,
    });
    expect(await t.app.database.query('SELECT 1 FROM "ApiKeyHash" WHERE "apiKeyId" = $1', [key.id])).toEqual(
      [],
    );
    expect(await rejection(t, remove, { id: key.id })).toMatchObject({
      code: 'api_key_not_found',
      status: 404,
      param: 'id',
    });
  });

  it("doesn't find another environment's keys", async () => {
    const live = await make({ name: 'live' }, t.liveKey);
    expect(await rejection(t, remove, { id: live.id })).toMatchObject({
      code: 'api_key_not_found',
      status: 404,
    });
  });
});
