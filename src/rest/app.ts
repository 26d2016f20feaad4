import type { GraphQLSchema } from 'graphql';
import { authenticate, believeKey, credentialsOf, isConfirmed } from '../authenticate.ts';
import { type App, type Caller, currentVersion, RequestContext, unauthorized } from '../context.ts';
import { QuittanceError } from '../domain/errors.ts';
import { authorize } from '../graphql/access.ts';
import { clientError, sceneOf } from '../graphql/errors.ts';
import { fingerprintOf } from '../infra/idempotency.ts';
import { addressName, allowanceHeaders, type Bucket, exceededHeaders, openRateLimits, type RateLimits } from '../infra/rate-limit.ts';
import { type Answer, failure, type Reply, replyOf } from './answer.ts';
import { type Asked, askedByFetch } from './asked.ts';
import { bodyOf } from './body.ts';
import { docsPage } from './docs-page.ts';
import { errorPage } from './error-pages.ts';
import { answerOnce, homeOf, idempotencyKeyOf, requiredKeyOf } from './idempotent.ts';
import { variablesOf } from './inputs.ts';
import { openApiOf } from './openapi.ts';
import { type Operation, operationOf } from './operation.ts';
import { type Match, matcherOf, type Route, routesOf } from './routes.ts';

/** Answers one REST request; `requestId` is the server's own. Never throws. */
export type RestAnswer = (asked: Asked, requestId: string) => Promise<Reply>;

/** The same for a request of the web's own kind; `remoteAddress` is where it came from. */
export type RestHandler = (request: Request, requestId: string, remoteAddress: string) => Promise<Response>;

/** Where the REST interface begins. */
export const restPrefix = '/api/v1';

/** The path and the query string of an address, both as they were sent. */
function splitAddress(address: string): { path: string; search: string } {
  const question = address.indexOf('?');
  return question === -1 ? { path: address, search: '' } : { path: address.slice(0, question), search: address.slice(question + 1) };
}

/**
 * The version a request selects: header, then the organization's pin, then the current one; versions nobody knows count as the current one (PLT-63).
 * Throws `validation_error` for a header that is no date. As long as there is one version, the answer is always that one.
 */
export function versionOf(header: string | null): string {
  if (header !== null && !/^\d{4}-\d{2}-\d{2}$/.test(header)) {
    const message = 'must be a date such as 2026-08-27';
    throw new QuittanceError('validation_error', `Service-Version: ${message}.`, {
      param: 'Service-Version',
      details: [{ field: 'Service-Version', message }],
    });
  }
  return currentVersion;
}

function whoOf(caller: Caller): string {
  if (caller.kind === 'key') return caller.apiKeyId;
  if (caller.kind === 'member') return caller.memberId;
  return caller.kind === 'page' ? `${caller.page}:${caller.subjectId}` : caller.kind;
}

/** Whose window a request counts in: its key's or member's, or that of the subject of its page token. */
export function callerName({ caller, environment }: RequestContext): string {
  return `${environment.id}:${whoOf(caller)}`;
}

const bucketOf = ({ access, rest }: Route): Bucket => {
  if ('anonymous' in access && access.isKeyed === true) return 'provisioning';
  return rest.ingestion === true ? 'ingestion' : 'general';
};

/** The refusal of a caller whose window is used up. */
export const rateLimited = (): QuittanceError =>
  new QuittanceError('rate_limited', 'Too many requests in this window; wait the number of seconds in Retry-After.');

type Headed = { readonly answer: Answer; readonly headers?: Record<string, string> };

/** What every request of one handler shares. */
type Kit = {
  readonly app: App;
  readonly limits: RateLimits;
  readonly operations: ReadonlyMap<Route, Operation>;
};

/** The answer of a route to an authenticated, counted caller. The order of refusals is 401, 429, 403, 400, then what the operation says. */
async function run(kit: Kit, context: RequestContext, match: Match, asked: Asked, search: string): Promise<Answer> {
  const { route } = match;
  await authorize(route.access, {}, context);
  const body = route.method === 'GET' ? undefined : bodyOf(await asked.bytes(kit.app.config.bodyLimitBytes));
  const home = route.isIdempotent ? homeOf(context, route.access, route.field.name) : null;
  const key = home === null ? null : 'operation' in home ? requiredKeyOf(asked.headers) : idempotencyKeyOf(asked.headers);
  const variables = variablesOf(match, search, body);
  const operation = kit.operations.get(route);
  if (operation === undefined) throw new Error(`${route.method} ${route.path} has no operation.`);
  if (home === null || key === null) return operation(context, variables);
  const fingerprint = fingerprintOf(route.method, search === '' ? splitAddress(asked.address).path : asked.address, body);
  const { secret, outside, recordsUsage } = route.rest;
  const use = { home, key, fingerprint, isSecret: secret === true, isOutside: outside === true, isFlushed: recordsUsage === true };
  return answerOnce(context, use, (inner) => operation(inner, variables));
}

/** The answer to an authenticated caller, who is counted. */
async function answerCounted(kit: Kit, context: RequestContext, match: Match, asked: Asked, search: string): Promise<Headed> {
  const isOpen = 'anonymous' in match.route.access;
  const allowance = await kit.limits.take(isOpen ? addressName(asked.remoteAddress) : callerName(context), bucketOf(match.route));
  if (allowance.isExceeded) {
    return { answer: failure(clientError(rateLimited(), sceneOf(context))), headers: exceededHeaders(allowance) };
  }
  const answer = await run(kit, context, match, asked, search);
  const isListSuccess = match.route.shape !== 'object' && answer.status < 300;
  return isListSuccess ? { answer, headers: allowanceHeaders(allowance) } : { answer };
}

/**
 * The answer to a caller who is taken for whom it was last; null where it is looked up. Operations that record usage confirm who it is where they
 * write; whatever else is answered counts once that is confirmed as well. Where it is not, nothing was done, and it is looked up.
 */
async function answerBelieved(kit: Kit, context: RequestContext, match: Match, asked: Asked, search: string): Promise<Headed | null> {
  if (match.route.rest.recordsUsage !== true || !believeKey(context, asked.headers.get('x-api-key'))) return null;
  const answered = answerCounted(kit, context, match, asked, search);
  await answered.catch(() => undefined);
  const { belief } = context;
  if (belief === null || (await isConfirmed(kit.app, belief))) return answered;
  context.belief = null;
  return null;
}

async function answerRequest(kit: Kit, context: RequestContext, match: Match, asked: Asked, search: string): Promise<Headed> {
  context.version = versionOf(asked.headers.get('service-version'));
  const believed = await answerBelieved(kit, context, match, asked, search);
  if (believed !== null) return believed;
  if (!('anonymous' in match.route.access)) {
    await authenticate(context, credentialsOf(asked.headers));
    if (!context.isAuthenticated) throw unauthorized();
  }
  return answerCounted(kit, context, match, asked, search);
}

const noRoute = (message: string): QuittanceError => new QuittanceError('not_found', message);

/** A reply as a response of the web's own kind. */
export const responseOf = ({ status, headers, body }: Reply): Response => new Response(body, { status, headers });

/**
 * Makes what answers everything below /api/v1 from a schema. Throws at start when a field's declaration cannot be offered.
 * Windows are counted in `limits`, so that other doors can count in the same ones.
 */
function restAnswer(schema: GraphQLSchema, app: App, limits: RateLimits): RestAnswer {
  const routes = routesOf(schema);
  const find = matcherOf(routes);
  const kit: Kit = { app, limits, operations: new Map(routes.map((route) => [route, operationOf(schema, route)])) };
  return async (asked, requestId) => {
    const context = new RequestContext(app, requestId);
    try {
      const { path, search } = splitAddress(asked.address);
      const match = path.startsWith(`${restPrefix}/`) ? find(asked.method, path.slice(restPrefix.length)) : null;
      if (match === null) throw noRoute(`There is no route ${asked.method} ${path}.`);
      const { answer, headers } = await answerRequest(kit, context, match, asked, search);
      return replyOf(requestId, answer, headers);
    } catch (error) {
      return replyOf(requestId, failure(clientError(error, sceneOf(context)), error));
    }
  };
}

const handlerOf =
  (answer: RestAnswer): RestHandler =>
  async (request, requestId, remoteAddress) =>
    responseOf(await answer(askedByFetch(request, remoteAddress), requestId));

/** The handler of everything below /api/v1, for requests of the web's own kind. */
export const restHandler = (schema: GraphQLSchema, app: App, limits: RateLimits = openRateLimits(app.config)): RestHandler =>
  handlerOf(restAnswer(schema, app, limits));

/** Everything REST: the interface itself and the documents about it. */
export type Rest = {
  readonly fetch: RestHandler;
  readonly answer: RestAnswer;
  /** The OpenAPI 3.1 document. */
  readonly openapi: () => Response;
  /** The reference page at /docs, and the page of an error code below it. */
  readonly docs: (path: string, requestId: string) => Response;
  /** Ends the counting of rate limits; called after the last request. */
  readonly close: () => Promise<void>;
};

/** Opens REST for a schema. Documents are made on first use and kept. */
export function openRest(app: App, schema: GraphQLSchema, limits: RateLimits = openRateLimits(app.config)): Rest {
  const document = lazily(() => openApiOf(schema, app.config.publicUrl));
  const json = lazily(() => JSON.stringify(document()));
  const page = lazily(() => docsPage(document()));
  const text = (body: string, type: string) => new Response(body, { headers: { 'Content-Type': `${type}; charset=utf-8` } });
  const answer = restAnswer(schema, app, limits);
  return {
    fetch: handlerOf(answer),
    answer,
    close: limits.close,
    openapi: () => new Response(json(), { headers: { 'Content-Type': 'application/json' } }),
    docs: (path, requestId) => {
      if (path === '/docs') return text(page(), 'text/html');
      const markdown = errorPage(document(), path);
      if (markdown !== null) return text(markdown, 'text/markdown');
      const scene = sceneOf(new RequestContext(app, requestId));
      return responseOf(replyOf(requestId, failure(clientError(noRoute(`There is no page ${path}.`), scene))));
    },
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
