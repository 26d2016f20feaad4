import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { App } from '../src/request/context.ts';
import { schema } from '../src/schema.ts';
import { openDoor } from './rest/door.ts';
import { watchChanges } from './support/changes.ts';
import { clockAtNoon } from './support/clock-at-noon.ts';
import {
  type ContractOperation,
  errorCodes,
  nameOf,
  operations,
  problemsOf,
  resourceShape,
} from './support/contract.ts';
import { eventually } from './support/eventually.ts';
import { clockSettled, otherShop, type Shop } from './support/factories.ts';
import { askHandler, openRestHandler } from './support/handler.ts';
import { type Answer, startApp, type TestApp } from './support/harness.ts';
import { provocations } from './support/operations/index.ts';
import { isLiveOnly, liveShop } from './support/payouts.ts';
import { routeName, routes } from './support/queries.ts';
import { addressOf, type Request, requests } from './support/requests.ts';
import { isSampled } from './support/sample.ts';
import { serverUrl } from './support/template.ts';

// Provokes every documented error of every operation, and expects the documented envelope and no changes in
// the database.

const registered = new Set(routes.map(routeName));
const built = operations.filter((operation) => registered.has(nameOf(operation)));

/** Error codes shared by all operations, which are provoked for each operation below. */
const shared = {
  always: ['unauthorized', 'forbidden', 'rate_limited', 'internal_error'],
  keyed: ['invalid_json', 'idempotency_in_progress', 'idempotency_key_mismatch', 'idempotency_unavailable'],
} as const;

const documentedCodes = ({ errors }: ContractOperation): string[] =>
  errors.flatMap(({ ref, code }) =>
    ref === 'common' ? [...shared.always] : code === undefined ? [] : [code],
  );

const commonCodes = new Set<string>([...shared.always, ...shared.keyed, 'validation_error', 'sandbox_only']);

/** Error codes that only apply to this operation. */
const ownCodes = (operation: ContractOperation): string[] =>
  documentedCodes(operation).filter((code) => !commonCodes.has(code));

const takes = (operation: ContractOperation, code: string): boolean =>
  documentedCodes(operation).includes(code);

type Failure = {
  readonly error: {
    readonly type: string;
    readonly code: string;
    readonly message: string;
    readonly doc_url: string;
  };
};

/** Expects the status and type of an error code, and the error envelope. */
function expectRejected({ status, body }: Pick<Answer<unknown>, 'status' | 'body'>, code: string): void {
  const details = errorCodes.find((known) => known.code === code);
  expect({ status, body }).toMatchObject({
    status: details?.status,
    body: { error: { code, type: details?.type } },
  });
  expect(problemsOf(resourceShape('Error'), body)).toEqual([]);
  expect((body as Failure).error.doc_url.endsWith(`/docs/api-reference/2026-08-27/errors/${code}.md`)).toBe(
    true,
  );
}

test("an operation-specific error in the contract is triggered by a test, or listed with the reason why it can't occur", () => {
  const listed = Object.fromEntries(
    built
      .map((operation) => [nameOf(operation), ownCodes(operation).sort()])
      .filter(([, codes]) => codes?.length),
  );
  expect(
    Object.fromEntries(
      Object.entries(provocations).map(([name, codes]) => [name, Object.keys(codes).sort()]),
    ),
  ).toEqual(listed);
});

/** Request that fails with an error code. */
type Rejection = { readonly code: string; readonly ask: () => Promise<Answer<unknown>> };

const sampled = built
  .filter((operation) => isSampled(nameOf(operation)))
  .map((operation) => [nameOf(operation), operation] as const);

/** Path with parameters that identify no object. */
const toNobody = ({ path, pathParams }: ContractOperation): string =>
  addressOf(path, { path: Object.fromEntries(pathParams.map(({ name }) => [name, 'none'])) });

/** Errors after which changes remain: the declined payment attempt and its void invoice. */
const isKept = ({ code }: { readonly code: string }): boolean => code === 'charge_failed';

describe('contract errors over REST', () => {
  const usedKey = { 'idempotency-key': 'used before for another request' };
  let t: TestApp;
  let shop: Shop;
  let live: Shop;
  let sendLimited: Send;
  let sendBroken: Send;
  beforeAll(async () => {
    t = await startApp({ wall: clockAtNoon() });
    sendLimited = await limitedDoor(t);
    sendBroken = brokenDoor(t);
    live = await liveShop(t);
    await live.rest('POST', '/customers', { email: 'elsewhere@shop.test' }, { headers: usedKey });
  });
  afterAll(() => t.close());

  /**
   * Advancing the clock of an organization renews the subscriptions of earlier tests, so each organization is
   * used for a few tests.
   */
  const testsPerShop = 40;
  let asked = 0;

  beforeEach(async () => {
    if (asked++ % testsPerShop !== 0) return;
    shop = await otherShop(t);
    const body = { email: 'elsewhere@shop.test' };
    expect((await shop.rest('POST', '/customers', body, { headers: usedKey })).status).toBe(201);
  });

  const send = (operation: ContractOperation, request: Request) =>
    shop.rest(operation.method, addressOf(operation.path, request), request.body);

  async function requestFor(operation: ContractOperation, own: Shop): Promise<Request> {
    const request = await requests[nameOf(operation)]?.(own);
    if (request === undefined) throw new Error('No request is known.');
    return request;
  }

  async function ownRejections(operation: ContractOperation): Promise<Rejection[]> {
    const rejections: Rejection[] = [];
    for (const [code, make] of Object.entries(provocations[nameOf(operation)] ?? {})) {
      if (typeof make !== 'function') continue;
      const request = await make(shop);
      rejections.push({ code, ask: () => send(operation, request) });
    }
    return rejections;
  }

  /** Errors that any operation returns for malformed input. */
  function inputRejections(operation: ContractOperation): Rejection[] {
    const address = toNobody(operation);
    const { method, idempotent } = operation;
    const ofUnknown = async () => {
      const answer = await (idempotent
        ? shop.rest(method, address, { nonsense: 1 })
        : shop.rest(method, `${address}?nonsense=1`));
      expect((answer.body as { error: { details: unknown[] } }).error.details).toContainEqual({
        field: 'nonsense',
        message: "isn't a supported field",
      });
      return answer;
    };
    const ofBroken = async () => {
      const headers = { 'x-api-key': shop.key };
      const response = await fetch(`${t.url}/api/v1${address}`, { method, headers, body: '{"name":' });
      return { status: response.status, headers: response.headers, body: await response.json() };
    };
    return [
      { code: 'validation_error', ask: ofUnknown },
      { code: 'invalid_json', ask: ofBroken },
    ].filter(({ code }) => takes(operation, code));
  }

  /**
   * Errors of idempotency keys. One request is accepted first, and its key is then reset to the running
   * state.
   */
  async function keyRejections(operation: ContractOperation): Promise<Rejection[]> {
    if (!operation.idempotent) return [];
    const own = isLiveOnly(nameOf(operation)) ? live : shop;
    const request = await requestFor(operation, own);
    const headers = { 'idempotency-key': `in progress for ${nameOf(operation)}` };
    const ask = (options: { headers: Record<string, string> }) =>
      own.rest(operation.method, addressOf(operation.path, request), request.body, options);
    const first = await ask({ headers });
    const rows = await t.app.database.query(
      `UPDATE "IdempotencyKey" SET state = 'claimed', status = NULL, body = NULL, "leaseUntil" = now() + interval '1 minute' WHERE id = $1 RETURNING id`,
      [headers['idempotency-key']],
    );
    // A rejection that isn't final releases its key.
    expect(rows).toHaveLength(first.status === 403 ? 0 : 1);
    return [
      { code: 'idempotency_key_mismatch', ask: () => ask({ headers: usedKey }) },
      { code: 'idempotency_in_progress', ask: () => ask({ headers }) },
    ];
  }

  async function windowRejection(operation: ContractOperation): Promise<Answer<unknown>> {
    // Any response uses up the limit of a new window.
    await sendLimited(operation.method, toNobody(operation));
    const answer = await sendLimited(operation.method, toNobody(operation));
    for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'])
      expect(answer.headers.get(name)).toMatch(/^\d+$/);
    expect(answer.headers.get('ratelimit-remaining')).toBe('0');
    return answer;
  }

  test.each(sampled)('%s returns each documented error and changes no data', async (_name, operation) => {
    const rejections = [
      ...(await ownRejections(operation)),
      ...inputRejections(operation),
      ...(await keyRejections(operation)),
      { code: 'rate_limited', ask: () => windowRejection(operation) },
    ];
    // Background work must be done first: clock runs of the setup, and the worker's request to the bank
    // about a new payout.
    await clockSettled(shop);
    await payoutsRequested(t.app);
    for (const { code, ask } of rejections.filter(isKept)) expectRejected(await ask(), code);
    const changes = await watchChanges(t.app.database.query);
    for (const { code, ask } of rejections.filter((rejection) => !isKept(rejection)))
      expectRejected(await ask(), code);
    expect(await changes()).toEqual([]);
  });

  test.each(sampled)('%s returns internal_error for an unexpected error', async (_name, operation) => {
    const answer = await sendBroken(operation.method, toNobody(operation));
    expectRejected(answer, 'internal_error');
    expect(JSON.stringify(answer.body)).not.toContain('fire');
  });

  test.runIf(serverUrl() !== undefined)(
    'a write returns idempotency_unavailable while the idempotency key table is locked',
    async () => {
      const door = await openDoor({ IDEMPOTENCY_LOCK_TIMEOUT_MS: '100' }, { database: t.app.database });
      const writes: (readonly [ContractOperation, Request])[] = [];
      for (const [, operation] of sampled)
        if (operation.idempotent) writes.push([operation, await requestFor(operation, shop)]);
      const locked = Promise.withResolvers<void>();
      const over = Promise.withResolvers<void>();
      const holding = t.app.database.transaction(async ({ query }) => {
        await query('LOCK TABLE "IdempotencyKey" IN ACCESS EXCLUSIVE MODE');
        locked.resolve();
        await over.promise;
      });
      await locked.promise;
      const ask = ([operation, request]: (typeof writes)[number]) =>
        door.ask(operation.method, addressOf(operation.path, request), {
          body: request.body ?? {},
          key: shop.key,
          headers: { 'idempotency-key': `unavailable for ${nameOf(operation)}` },
        });
      const answers = await Promise.all(writes.map(ask));
      over.resolve();
      await holding;
      expect(answers.length).toBeGreaterThan(0);
      for (const answer of answers) {
        expectRejected(answer, 'idempotency_unavailable');
        expect(answer.headers.get('retry-after')).toBe('1');
      }
    },
  );
});

/** Waits until the worker has asked the bank about every payout. */
const payoutsRequested = ({ database, wall }: App): Promise<boolean> =>
  eventually(async () => {
    const text = 'SELECT FROM "ProviderRequest" WHERE "inquireAt" <= $1 LIMIT 1';
    return (await database.query(text, [wall.now()])).length === 0;
  });

type Send = (method: string, path: string) => Promise<Answer<unknown>>;

/** REST layer on the application's database, called with a key. */
function doorOf(app: App, key: string): Send {
  const handler = openRestHandler(app, schema);
  return async (method, path) => {
    const request = new Request(`https://billing.example/api/v1${path}`, {
      method,
      headers: { 'x-api-key': key },
    });
    const response = await askHandler(handler, request);
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
}

/** REST layer with a limit of one request per minute, called with a key that has reached it. */
async function limitedDoor(t: TestApp): Promise<Send> {
  const send = doorOf(
    { ...t.app, config: { ...t.app.config, rateLimitPerMinute: 1, rateLimitIngestionPerMinute: 1 } },
    t.sandboxKey,
  );
  expect((await send('GET', '/customers')).status).toBe(200);
  return send;
}

/** REST layer whose database fails at every statement. */
function brokenDoor(t: TestApp): Send {
  const fail = (): never => {
    throw new Error('the disk is on fire');
  };
  return doorOf({ ...t.app, database: { ...t.app.database, query: fail, transaction: fail } }, t.sandboxKey);
}
