import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/platform/clock.ts';
import { serverUrl } from '../support/template.ts';
import { type Door, envelope, invalid, openDoor } from './door.ts';

let now = new Date('2026-11-20T10:00:00.000Z');
const wall: Clock = { now: () => now };

let door: Door;
beforeAll(async () => {
  door = await openDoor({ IDEMPOTENCY_LOCK_TIMEOUT_MS: '300', RATE_LIMIT_PER_MINUTE: '0' }, { wall });
});
afterAll(() => door.close());

const customers = () => door.sandbox.db.customer.count({});
const events = () => door.sandbox.db.event.count({});
const storedKey = (key: string) => door.sandbox.db.idempotencyKey.findFirst({ where: { id: key } });

const create = (key: string, body: unknown, provided: Parameters<Door['ask']>[2] = {}) =>
  door.ask('POST', '/customers', { ...provided, body, headers: { 'Idempotency-Key': key } });

describe('an idempotency key', () => {
  test('returns the first response byte for byte without executing the request again', async () => {
    const first = await create('replay', { email: 'a@example.com', metadata: { b: 1, a: [1, 2] } });
    expect(first.status).toBe(201);
    const before = [await customers(), await events()];
    const again = await create('replay', { metadata: { a: [1, 2], b: 1 }, email: 'a@example.com' });
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect([await customers(), await events()]).toEqual(before);
  });

  test('is rejected with 409 if the body, path, or method differs', async () => {
    const made = await create('mismatch', { email: 'm@example.com' });
    const { id } = made.body as { id: string };
    const before = await customers();
    const rejection = envelope(
      'conflict_error',
      'idempotency_key_mismatch',
      'This idempotency key was already used with different credentials or with a different method, path, or body. Use a new key.',
    );
    const headers = { 'Idempotency-Key': 'mismatch' };
    for (const reply of [
      await create('mismatch', { email: 'other@example.com' }),
      await door.ask('POST', '/customers/batch', {
        body: { customers: [{ email: 'm@example.com' }] },
        headers,
      }),
      await door.ask('PATCH', `/customers/${id}`, { body: { email: 'm@example.com' }, headers }),
    ]) {
      expect(reply.status).toBe(409);
      expect(reply.body).toEqual(rejection);
    }
    expect(await customers()).toBe(before);
  });

  test.each([
    ['a write', 'POST', '/customers', { email: 'c@example.com' }],
    ['a secret', 'POST', '/api-keys', { name: 'Secret' }],
  ])(
    "doesn't return the stored response of %s to the environment's other API keys (PLT-62)",
    async (name, method, path, body) => {
      const headers = { 'Idempotency-Key': `credentials of ${name}` };
      const first = await door.ask(method, path, { body, headers });
      expect(first.status).toBe(201);
      const before = [await customers(), await events(), await door.sandbox.db.apiKey.count({})];
      const key = await door.mint(false);
      const again = await door.ask(method, path, { body, headers, key });
      expect([again.status, again.body]).toEqual([
        409,
        envelope(
          'conflict_error',
          'idempotency_key_mismatch',
          'This idempotency key was already used with different credentials or with a different method, path, or body. Use a new key.',
        ),
      ]);
      // The requests added only the new API key.
      expect([await customers(), await events(), (await door.sandbox.db.apiKey.count({})) - 1]).toEqual(
        before,
      );
      expect((await door.ask(method, path, { body, headers })).text).toBe(first.text);
    },
  );

  test('is valid in only one environment', async () => {
    const live = await door.mint(true);
    const first = await create('environments', { email: 'e@example.com' });
    const second = await create('environments', { email: 'other@example.com' }, { key: live });
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toMatchObject({ email: 'other@example.com', livemode: true });
  });

  test('must have 1 to 200 characters', async () => {
    const before = await customers();
    for (const key of ['', 'x'.repeat(201)]) {
      const reply = await create(key, { email: 'a@example.com' });
      expect(reply.status).toBe(400);
      expect(reply.body).toEqual(invalid(['Idempotency-Key', 'must have 1 to 200 characters']));
    }
    expect(await customers()).toBe(before);
    expect((await create('x'.repeat(200), { email: 'long@example.com' })).status).toBe(201);
  });

  test('is ignored on reads and deletions', async () => {
    await door.mint(false);
    const headers = { 'Idempotency-Key': 'x'.repeat(300) };
    expect((await door.ask('GET', '/customers', { headers })).status).toBe(200);
    const { body } = await door.ask('GET', '/api-keys');
    const [{ id }] = (body as { data: [{ id: string }] }).data;
    expect((await door.ask('DELETE', `/api-keys/${id}`, { headers })).status).toBe(200);
    expect((await door.ask('DELETE', `/api-keys/${id}`, { headers })).status).toBe(404);
  });

  test('can be reused after 24 hours of real time', async () => {
    const start = now;
    const first = await create('expires', { email: 'one@example.com' });
    now = new Date(start.getTime() + 24 * 3_600_000 - 1);
    expect((await create('expires', { email: 'one@example.com' })).text).toBe(first.text);
    expect((await create('expires', { email: 'two@example.com' })).status).toBe(409);
    now = new Date(start.getTime() + 24 * 3_600_000);
    const second = await create('expires', { email: 'two@example.com' });
    expect(second.status).toBe(201);
    expect((await create('expires', { email: 'two@example.com' })).text).toBe(second.text);
  });
});

describe('a rejection with an idempotency key', () => {
  test("is returned again if it's final, and its changes stay rolled back", async () => {
    await create('taken-1', { email: 'taken@example.com', externalId: 'taken' });
    const other = (await create('taken-2', { email: 'free@example.com', externalId: 'free' })).body as {
      id: string;
    };
    const headers = { 'Idempotency-Key': 'taken-3' };
    const ask = () =>
      door.ask('PATCH', `/customers/${other.id}`, {
        body: { externalId: 'taken', fullName: 'New' },
        headers,
      });
    const before = await events();
    const first = await ask();
    expect(first.status).toBe(409);
    expect(first.body).toEqual(
      envelope(
        'conflict_error',
        'duplicate',
        'Another customer already has this external ID. Use another external ID.',
        {
          param: 'externalId',
        },
      ),
    );
    expect((await door.ask('GET', `/customers/${other.id}`)).body).toMatchObject({
      fullName: '',
      externalId: 'free',
    });
    expect(await events()).toBe(before);
    await door.ask('PATCH', '/customers/taken', { body: { externalId: 'no longer' } });
    const again = await ask();
    expect([again.status, again.text]).toEqual([409, first.text]);
    const missing = await door.ask('PATCH', '/customers/nobody', {
      body: {},
      headers: { 'Idempotency-Key': 'missing' },
    });
    expect(missing.status).toBe(404);
    await door.ask('POST', '/customers', { body: { email: 'n@example.com', id: 'nobody' } });
    const still = await door.ask('PATCH', '/customers/nobody', {
      body: {},
      headers: { 'Idempotency-Key': 'missing' },
    });
    expect(still.text).toBe(missing.text);
  });

  test("doesn't use up the key if the caller or the input caused the rejection", async () => {
    expect((await create('free', { email: 'a@example.com' }, { key: null })).status).toBe(401);
    expect(
      (await create('free', { email: 'a@example.com' }, { key: await door.mint(false, ['read']) })).status,
    ).toBe(403);
    expect((await create('free', { email: 'nonsense' })).status).toBe(400);
    expect(await storedKey('free')).toBeNull();
    expect((await create('free', { email: 'a@example.com' })).status).toBe(201);
  });
});

describe('a response with a secret, to a request with an idempotency key', () => {
  test('is stored encrypted and returned again', async () => {
    const ask = () =>
      door.ask('POST', '/api-keys', {
        body: { name: 'made once' },
        headers: { 'Idempotency-Key': 'secret' },
      });
    const [first, again] = [await ask(), await ask()];
    expect(first.status).toBe(201);
    expect(again.text).toBe(first.text);
    const { apiKey } = first.body as { apiKey: string };
    expect(apiKey).toMatch(/^ck_sandbox_/);
    const row = await storedKey('secret');
    expect(row?.isEncrypted).toBe(true);
    expect(row?.body).not.toContain(apiKey);
    expect(door.app.secrets.decrypt(row?.body ?? '')).toBe(first.text);
  });
});

describe('concurrent requests with the same idempotency key', () => {
  test('create one object and return the same response', async () => {
    const before = [await customers(), await events()] as const;
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => create('parallel', { email: 'p@example.com' })),
    );
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(201);
    expect([await customers(), await events()]).toEqual([before[0] + 1, before[1] + 1]);
  });
});

describe('an internal error with an idempotency key', () => {
  test("rolls back all changes, and doesn't use up the key", async () => {
    const { prisma } = door.app.database;
    const environmentId = door.sandbox.environment.id;
    const counter = await prisma.environmentCounter.findUniqueOrThrow({ where: { environmentId } });
    const before = await customers();
    await prisma.environmentCounter.delete({ where: { environmentId } });
    const broken = await create('broken', { email: 'b@example.com' });
    await prisma.environmentCounter.create({ data: counter });
    expect(broken.status).toBe(500);
    expect(broken.body).toEqual(
      envelope(
        'internal_error',
        'internal_error',
        'Something went wrong on our end. Try again, and contact support if the problem continues.',
      ),
    );
    expect(await customers()).toBe(before);
    expect(await storedKey('broken')).toBeNull();
    expect((await create('broken', { email: 'b@example.com' })).status).toBe(201);
  });
});

describe.runIf(serverUrl() !== undefined)('an idempotency key on a PostgreSQL server', () => {
  /** Locks the rows that `statement` selects until `during` completes. */
  async function whileLocked<T>(
    statement: string,
    params: readonly unknown[],
    during: () => Promise<T>,
  ): Promise<T> {
    const locked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holding = door.app.database.transaction(async ({ query }) => {
      await query(statement, params);
      locked.resolve();
      await release.promise;
      throw new Error('given up');
    });
    const ended = holding.catch((error: unknown) => error);
    await locked.promise;
    try {
      return await during();
    } finally {
      release.resolve();
      await ended;
    }
  }

  test('is rejected with status 503 before execution if the idempotency key table is locked', async () => {
    const before = await customers();
    const reply = await whileLocked('LOCK TABLE "IdempotencyKey" IN ACCESS EXCLUSIVE MODE', [], () =>
      create('locked', { email: 'l@example.com' }),
    );
    expect(reply.status).toBe(503);
    expect(reply.body).toMatchObject({ error: { type: 'internal_error', code: 'idempotency_unavailable' } });
    expect(await customers()).toBe(before);
    expect((await create('locked', { email: 'l@example.com' })).status).toBe(201);
  });

  test('is rejected with status 409 after the maximum wait if another process is using it', async () => {
    const before = await customers();
    const reply = await whileLocked(
      `INSERT INTO "IdempotencyKey" ("environmentId", id, fingerprint, state, "leaseUntil", progress, "isEncrypted", "createdAt", "expiresAt")
       VALUES ($1, 'busy', 'x', 'claimed', now(), '{}', false, now(), now())`,
      [door.sandbox.environment.id],
      async () => {
        const began = performance.now();
        const rejection = await create('busy', { email: 'l@example.com' });
        expect(performance.now() - began).toBeGreaterThanOrEqual(290);
        return rejection;
      },
    );
    expect(reply.status).toBe(409);
    expect(reply.body).toMatchObject({ error: { type: 'conflict_error', code: 'idempotency_in_progress' } });
    expect(await customers()).toBe(before);
  });

  test("waits only up to the limit for another request with the same key, but longer for the operation's locks", async () => {
    const { body } = await create('waits-1', { email: 'w@example.com', externalId: 'w' });
    const { id } = body as { id: string };
    const waiting = whileLocked(
      'SELECT 1 FROM "Customer" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE',
      [door.sandbox.environment.id, id],
      async () => {
        const requested = door.ask('PATCH', '/customers/w', {
          body: { fullName: 'W' },
          headers: { 'Idempotency-Key': 'waits-2' },
        });
        await pause(500);
        return { requested };
      },
    );
    expect((await (await waiting).requested).status).toBe(200);
  });
});
