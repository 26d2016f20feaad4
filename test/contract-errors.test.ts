import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { App } from '../src/context.ts';
import { restHandler } from '../src/rest/app.ts';
import { schema } from '../src/schema.ts';
import { openDoor } from './rest/door.ts';
import { type ContractOperation, errorCodes, nameOf, operations, problemsOf, resourceShape } from './support/contract.ts';
import { dump } from './support/dump.ts';
import { clockSettled, firstShop, type Shop } from './support/factories.ts';
import { type Answer, startApp, type TestApp } from './support/harness.ts';
import { provocations } from './support/provocations.ts';
import { routeName, routes } from './support/queries.ts';
import { addressOf, type Request, requests } from './support/requests.ts';
import { serverUrl } from './support/template.ts';

// Every documented error of every operation offered: provoked, told in the documented envelope, and without a trace in the database.

const registered = new Set(routes.map(routeName));
const built = operations.filter((operation) => registered.has(nameOf(operation)));

/** Codes that come from what all operations share, and are provoked for each of them below. */
const shared = {
  always: ['unauthorized', 'forbidden', 'rate_limited', 'internal_error'],
  keyed: ['invalid_json', 'idempotency_in_progress', 'idempotency_key_mismatch', 'idempotency_unavailable'],
} as const;

const documentedCodes = ({ errors }: ContractOperation): string[] =>
  errors.flatMap(({ ref, code }) => (ref === 'common' ? [...shared.always] : code === undefined ? [] : [code]));

const commonCodes = new Set<string>([...shared.always, ...shared.keyed, 'validation_error', 'sandbox_only']);

/** The codes that are an operation's own. */
const ownCodes = (operation: ContractOperation): string[] => documentedCodes(operation).filter((code) => !commonCodes.has(code));

const takes = (operation: ContractOperation, code: string): boolean => documentedCodes(operation).includes(code);

type Failure = { readonly error: { readonly type: string; readonly code: string; readonly message: string; readonly doc_url: string } };

/** Holds a refusal to its code's status and type and to the envelope. */
function expectRefused({ status, body }: Pick<Answer<unknown>, 'status' | 'body'>, code: string): void {
  const facts = errorCodes.find((known) => known.code === code);
  expect({ status, body }).toMatchObject({ status: facts?.status, body: { error: { code, type: facts?.type } } });
  expect(problemsOf(resourceShape('Error'), body)).toEqual([]);
  expect((body as Failure).error.doc_url.endsWith(`/docs/api-reference/2026-08-27/errors/${code}.md`)).toBe(true);
}

test('each error an operation documents of its own is provoked, or has a reason why it cannot be', () => {
  const listed = Object.fromEntries(
    built.map((operation) => [nameOf(operation), ownCodes(operation).sort()]).filter(([, codes]) => codes?.length),
  );
  expect(Object.fromEntries(Object.entries(provocations).map(([name, codes]) => [name, Object.keys(codes).sort()]))).toEqual(listed);
});

describe('over HTTP', () => {
  let t: TestApp;
  let shop: Shop;
  let sendLimited: Send;
  let sendBroken: Send;
  beforeAll(async () => {
    t = await startApp();
    shop = firstShop(t);
    sendLimited = await limitedDoor(t);
    sendBroken = brokenDoor(t);
  });
  afterAll(() => t.close());

  const send = (operation: ContractOperation, request: Request, options = {}) =>
    shop.rest(operation.method, addressOf(operation.path, request), request.body, options);

  /** Sends a request that must be refused and leave nothing behind. */
  async function expectRefusedWithoutTrace(code: string, call: () => Promise<Answer<unknown>>): Promise<void> {
    // A run that a fixture started would go on meanwhile.
    await clockSettled(shop);
    const before = await dump(t.app.database.query);
    const answer = await call();
    expectRefused(answer, code);
    expect(await dump(t.app.database.query)).toEqual(before);
  }

  const own = built.flatMap((operation) =>
    Object.entries(provocations[nameOf(operation)] ?? {}).flatMap(([code, make]) =>
      typeof make === 'function' ? [[nameOf(operation), code, operation, make] as const] : [],
    ),
  );

  test.each(own)('%s answers %s', async (_name, code, operation, make) => {
    const request = await make(shop);
    await expectRefusedWithoutTrace(code, () => send(operation, request));
  });

  test.each(built.filter((operation) => takes(operation, 'validation_error')).map((operation) => [nameOf(operation), operation] as const))(
    '%s answers validation_error for what it does not know, naming it',
    async (_name, operation) => {
      const parameters = Object.fromEntries(operation.pathParams.map(({ name }) => [name, 'none']));
      const isWrite = operation.idempotent;
      const request: Request = isWrite ? { path: parameters, body: { nonsense: 1 } } : { path: parameters, query: { nonsense: '1' } };
      await expectRefusedWithoutTrace('validation_error', async () => {
        const answer = await send(operation, request);
        expect((answer.body as { error: { details: unknown[] } }).error.details).toContainEqual({
          field: 'nonsense',
          message: 'is not known here',
        });
        return answer;
      });
    },
  );

  test.each(built.filter((operation) => takes(operation, 'invalid_json')).map((operation) => [nameOf(operation), operation] as const))(
    '%s answers invalid_json for a body that is none',
    async (_name, operation) => {
      const parameters = Object.fromEntries(operation.pathParams.map(({ name }) => [name, 'none']));
      const address = `${t.url}/api/v1${addressOf(operation.path, { path: parameters })}`;
      await expectRefusedWithoutTrace('invalid_json', async () => {
        const response = await fetch(address, { method: operation.method, headers: { 'x-api-key': shop.key }, body: '{"name":' });
        return { status: response.status, headers: response.headers, body: await response.json() };
      });
    },
  );

  const keyed = built.filter(({ idempotent }) => idempotent).map((operation) => [nameOf(operation), operation] as const);

  test.each(keyed)('%s answers idempotency_key_mismatch for a key that was used elsewhere', async (name, operation) => {
    const key = `used elsewhere, then for ${name}`;
    const headers = { 'idempotency-key': key };
    await shop.rest('POST', '/customers', { email: 'elsewhere@shop.test', externalId: key.slice(0, 60) }, { headers });
    const request = await requests[name]?.(shop);
    if (request === undefined) throw new Error('No request is known.');
    await expectRefusedWithoutTrace('idempotency_key_mismatch', () => send(operation, request, { headers }));
  });

  test.each(keyed)('%s answers idempotency_in_progress while a claim of the key is alive', async (name, operation) => {
    const request = await requests[name]?.(shop);
    if (request === undefined) throw new Error('No request is known.');
    const headers = { 'idempotency-key': `in progress for ${name}` };
    // The first request fixes the fingerprint; then its row is put back to how it is while the request runs.
    const first = await send(operation, request, { headers });
    const rows = await t.app.database.query(
      `UPDATE "IdempotencyKey" SET state = 'claimed', status = NULL, body = NULL, "leaseUntil" = now() + interval '1 minute' WHERE id = $1 RETURNING id`,
      [headers['idempotency-key']],
    );
    // A key whose refusal was no definite one is free again.
    expect(rows).toHaveLength(first.status === 403 ? 0 : 1);
    await expectRefusedWithoutTrace('idempotency_in_progress', () => send(operation, request, { headers }));
  });

  test.each(built.map((operation) => [nameOf(operation), operation] as const))(
    '%s answers rate_limited beyond the window',
    async (_name, operation) => {
      const parameters = Object.fromEntries(operation.pathParams.map(({ name }) => [name, 'none']));
      const address = addressOf(operation.path, { path: parameters });
      // Whatever this one answers, it uses up what a window that has just begun allows.
      await sendLimited(operation.method, address);
      await expectRefusedWithoutTrace('rate_limited', async () => {
        const answer = await sendLimited(operation.method, address);
        for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'])
          expect(answer.headers.get(name)).toMatch(/^\d+$/);
        expect(answer.headers.get('ratelimit-remaining')).toBe('0');
        return answer;
      });
    },
  );

  test.each(built.map((operation) => [nameOf(operation), operation] as const))(
    '%s hides an unexpected failure as internal_error',
    async (_name, operation) => {
      const parameters = Object.fromEntries(operation.pathParams.map(({ name }) => [name, 'none']));
      const answer = await sendBroken(operation.method, addressOf(operation.path, { path: parameters }));
      expectRefused(answer, 'internal_error');
      expect(JSON.stringify(answer.body)).not.toContain('fire');
    },
  );

  test.runIf(serverUrl() !== undefined).each(keyed)(
    '%s answers idempotency_unavailable while its storage is locked',
    async (name, operation) => {
      const request = await requests[name]?.(shop);
      if (request === undefined) throw new Error('No request is known.');
      const door = await openDoor({ IDEMPOTENCY_LOCK_TIMEOUT_MS: '100' }, { database: t.app.database });
      const locked = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      const holding = t.app.database.transaction(async ({ query }) => {
        await query('LOCK TABLE "IdempotencyKey" IN ACCESS EXCLUSIVE MODE');
        locked.resolve();
        await over.promise;
      });
      await locked.promise;
      const answer = await door.ask(operation.method, addressOf(operation.path, request), {
        body: request.body ?? {},
        key: shop.key,
        headers: { 'idempotency-key': name },
      });
      over.resolve();
      await holding;
      expectRefused(answer, 'idempotency_unavailable');
    },
  );
});

type Send = (method: string, path: string) => Promise<Answer<unknown>>;

/** A REST layer of its own on the application's database, asked with a key. */
function doorOf(app: App, key: string): Send {
  const handle = restHandler(schema, app);
  return async (method, path) => {
    const request = new Request(`https://billing.example/api/v1${path}`, { method, headers: { 'x-api-key': key } });
    const response = await handle(request, 'id', '203.0.113.9');
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}

/** A layer that allows one request a minute, asked by a key that has had its one. */
async function limitedDoor(t: TestApp): Promise<Send> {
  const send = doorOf({ ...t.app, config: { ...t.app.config, rateLimitPerMinute: 1 } }, t.sandboxKey);
  expect((await send('GET', '/customers')).status).toBe(200);
  return send;
}

/** A layer whose database fails at every statement. */
function brokenDoor(t: TestApp): Send {
  const fail = (): never => {
    throw new Error('the disk is on fire');
  };
  return doorOf({ ...t.app, database: { ...t.app.database, query: fail, transaction: fail } }, t.sandboxKey);
}
