import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { scopes } from '../src/domain/limits/permissions.ts';
import { scopesOf } from '../src/graphql/declare/access.ts';
import { errorsOf, generalErrors } from '../src/graphql/declare/field-errors.ts';
import type { App } from '../src/request/context.ts';
import type { Route } from '../src/rest/routes.ts';
import { keysIn } from './support/access-callers.ts';
import { backgroundSettled } from './support/background.ts';
import { watchChanges } from './support/changes.ts';
import { clockAtNoon } from './support/clock-at-noon.ts';
import { type ContractOperation, commonCodes, documentedCodes, nameOf } from './support/contract.ts';
import { eventually } from './support/eventually.ts';
import { everyFew } from './support/every-few.ts';
import { otherShop, type Shop } from './support/factories.ts';
import { brokenDoor, limitedDoor, type Send } from './support/failing-doors.ts';
import { type Answer, startApp, type TestApp } from './support/harness.ts';
import { provocations } from './support/operations/index.ts';
import { isLiveOnly, liveShop } from './support/payouts.ts';
import { textOf, variablesFor } from './support/queries.ts';
import { expectRejected } from './support/rejected.ts';
import { addressOf, type Request, requests } from './support/requests.ts';
import { built, kinds, routeOf } from './support/route-kinds.ts';

// Triggers every error that the contract documents for a single operation, over REST and GraphQL. Errors shared by all operations are
// triggered on one route of each kind. Expects the documented envelope and no changes in the database.

/** Error codes that apply only to this operation. All other codes are triggered below, for each kind of route. */
const ownCodes = (operation: ContractOperation): string[] =>
  documentedCodes(operation).filter((code) => !commonCodes.has(code));

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

/** Request that is expected to fail with an error code. */
type Rejection = {
  readonly code: string;
  readonly ask: () => Promise<Pick<Answer<unknown>, 'status' | 'body'>>;
  readonly isGraphql?: boolean;
};

const named = built.map((operation) => [nameOf(operation), operation] as const);

/** Returns the path of an operation with parameters that don't identify an object. */
const toNobody = ({ path, pathParams }: ContractOperation): string =>
  addressOf(path, { path: Object.fromEntries(pathParams.map(({ name }) => [name, 'none'])) });

/** True for an error that changes the database: a declined payment leaves a payment attempt and a void invoice. */
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

  // Advancing an organization's clock would renew the subscriptions from earlier tests.
  beforeEach(
    everyFew(40, async () => {
      shop = await otherShop(t);
      const body = { email: 'elsewhere@shop.test' };
      expect((await shop.rest('POST', '/customers', body, { headers: usedKey })).status).toBe(201);
    }),
  );

  const send = (operation: ContractOperation, request: Request) =>
    shop.rest(operation.method, addressOf(operation.path, request), request.body);

  async function requestFor(operation: ContractOperation, own: Shop): Promise<Request> {
    const request = await requests[nameOf(operation)]?.(own);
    if (request === undefined) throw new Error('No request is known.');
    return request;
  }

  /** Returns the error from the operation's GraphQL field in REST format. */
  async function sendGraphql(
    route: Route,
    request: Request,
  ): Promise<Pick<Answer<unknown>, 'status' | 'body'>> {
    const variables = variablesFor(route, request);
    const { errors } = await t.graphqlFailure(textOf(route), variables, { key: shop.key });
    const { status, ...error } = errors[0]?.extensions ?? {};
    const declared: ReadonlySet<unknown> = new Set([...errorsOf(route.field), ...generalErrors]);
    expect({ code: error['code'], isDeclared: declared.has(error['code']) }).toEqual({
      code: error['code'],
      isDeclared: true,
    });
    return { status: Number(status), body: { error } };
  }

  /**
   * Returns the errors that only this operation can cause. An error that changes the database is triggered with new objects for each
   * interface.
   */
  async function ownRejections(operation: ContractOperation): Promise<Rejection[]> {
    const route = routeOf(operation);
    const rejections: Rejection[] = [];
    for (const [code, make] of Object.entries(provocations[nameOf(operation)] ?? {})) {
      if (typeof make !== 'function') continue;
      const request = await make(shop);
      const again = isKept({ code }) ? await make(shop) : request;
      rejections.push(
        { code, ask: () => send(operation, request) },
        { code, ask: () => sendGraphql(route, again), isGraphql: true },
      );
    }
    return rejections;
  }

  /** Returns the error for an unsupported field in the body or query. */
  function unknownInput(operation: ContractOperation): Rejection {
    const address = toNobody(operation);
    const { method, idempotent } = operation;
    const ask = async () => {
      const answer = await (idempotent
        ? shop.rest(method, address, { nonsense: 1 })
        : shop.rest(method, `${address}?nonsense=1`));
      expect((answer.body as { error: { details: unknown[] } }).error.details).toContainEqual({
        field: 'nonsense',
        message: "isn't a supported field",
      });
      return answer;
    };
    return { code: 'validation_error', ask };
  }

  async function invalidJson(operation: ContractOperation): Promise<Answer<unknown>> {
    const { method } = operation;
    const headers = { 'x-api-key': shop.key };
    const address = `${t.url}/api/v1${toNobody(operation)}`;
    const response = await fetch(address, { method, headers, body: '{"name":' });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Returns the errors for idempotency keys. One request is accepted first. Its key is then reset to the running state. */
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
    // Only a final rejection keeps its key, so a 403 response doesn't store a row.
    expect(rows).toHaveLength(first.status === 403 ? 0 : 1);
    return [
      { code: 'idempotency_key_mismatch', ask: () => ask({ headers: usedKey }) },
      { code: 'idempotency_in_progress', ask: () => ask({ headers }) },
    ];
  }

  async function windowRejection(operation: ContractOperation): Promise<Answer<unknown>> {
    // Uses up the limit of the new window with one request. The response is irrelevant.
    await sendLimited(operation.method, toNobody(operation));
    const answer = await sendLimited(operation.method, toNobody(operation));
    for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'])
      expect(answer.headers.get(name)).toMatch(/^\d+$/);
    expect(answer.headers.get('ratelimit-remaining')).toBe('0');
    return answer;
  }

  /** Returns the response to an operation while its database fails. */
  async function unexpectedError(operation: ContractOperation): Promise<Answer<unknown>> {
    const answer = await sendBroken(operation.method, toNobody(operation));
    expect(JSON.stringify(answer.body)).not.toContain('fire');
    return answer;
  }

  /** Expects each rejection to return its error. Rejections must not change the database unless `isKept` matches the error. */
  async function expectAll(rejections: readonly Rejection[]): Promise<void> {
    // Background work must finish first: the setup's clock runs, and the worker's request to the bank about a new payout.
    await backgroundSettled(t.app.database.query);
    await payoutsRequested(t.app);
    for (const rejection of rejections.filter(isKept)) expectRejected(await rejection.ask(), rejection);
    const changes = await watchChanges(t.app.database.query);
    for (const rejection of rejections.filter((each) => !isKept(each)))
      expectRejected(await rejection.ask(), rejection);
    expect(await changes()).toEqual([]);
  }

  test.each(named)(
    "%s returns each of the operation's errors and changes no data",
    async (_name, operation) => {
      await expectAll([
        ...(await ownRejections(operation)),
        ...(documentedCodes(operation).includes('validation_error') ? [unknownInput(operation)] : []),
      ]);
    },
  );

  test.each(kinds)('%s returns each common error and changes no data', async (_kind, operation) => {
    const { access, isIdempotent } = routeOf(operation);
    const others = scopes.filter((scope) => 'scope' in access && !scopesOf(access).includes(scope));
    const key = await keysIn(t)(shop.environmentId, others);
    const as = (caller: string | null) => () =>
      shop.rest(operation.method, toNobody(operation), undefined, { key: caller });
    await expectAll([
      { code: 'unauthorized', ask: as(null) },
      { code: 'forbidden', ask: as(key) },
      ...(isIdempotent ? [{ code: 'invalid_json', ask: () => invalidJson(operation) }] : []),
      ...(await keyRejections(operation)),
      { code: 'rate_limited', ask: () => windowRejection(operation) },
      { code: 'internal_error', ask: () => unexpectedError(operation) },
    ]);
  });
});

/** Waits until the worker has sent all due payout requests to the bank. */
const payoutsRequested = ({ database, wall }: App): Promise<boolean> =>
  eventually(async () => {
    const text = 'SELECT FROM "ProviderRequest" WHERE "inquireAt" <= $1 LIMIT 1';
    return (await database.query(text, [wall.now()])).length === 0;
  });
