import type { GraphQLSchema } from 'graphql';
import { specificError } from '../domain/errors/errors.ts';
import { authorize, policyOf } from '../graphql/declare/access.ts';
import { approvalHeader, dryRunHeader } from '../graphql/declare/request-parts.ts';
import { serveText } from '../http/fixed-text.ts';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Route as HttpRoute } from '../http/router.ts';
import { versionOf } from '../http/version.ts';
import { answerOnce } from '../idempotency/answer-once.ts';
import { answerInBatch } from '../idempotency/batched.ts';
import { dryRun, dryRunUsage } from '../idempotency/dry-run.ts';
import {
  credentialOf,
  idempotencyKeyOf,
  type KeyUse,
  keyScopeOf,
  requiredKeyOf,
} from '../idempotency/key.ts';
import { monotonicMs } from '../platform/clock.ts';
import { fingerprintOf } from '../platform/idempotency.ts';
import { lazily } from '../platform/lazily.ts';
import { type Bucket, openRateLimits, type RateLimits } from '../platform/rate-limit.ts';
import { nameRequestSpan } from '../platform/tracing/spans.ts';
import { admitRequests, authenticateCounted, windowHeaders } from '../request/admission.ts';
import { credentialsOf } from '../request/authenticate.ts';
import { type App, RequestContext, unauthorized } from '../request/context.ts';
import { noteRequest } from '../request/log/note-request.ts';
import { type Answer, failedReply, replyTo } from './answer.ts';
import { type BatchedOperation, batchedOperationOf } from './batched-operation.ts';
import { bodyOf } from './body.ts';
import { exportStreamRoute } from './export-stream.ts';
import { variablesOf } from './inputs.ts';
import { openApiOf } from './openapi.ts';
import { type Operation, operationOf } from './operation.ts';
import { restPrefix } from './rest-request.ts';
import { type Match, matcherOf, type Route, routesOf } from './routes.ts';

/** Splits a request target into the path and the query string, without decoding. */
function splitAddress(address: string): { path: string; search: string } {
  const question = address.indexOf('?');
  return question === -1
    ? { path: address, search: '' }
    : { path: address.slice(0, question), search: address.slice(question + 1) };
}

const bucketOf = ({ access, rest }: Route): Bucket => {
  if ('anonymous' in access && access.isKeyed === true) return 'provisioning';
  return rest.ingestion === true ? 'ingestion' : 'general';
};

const isBatched = ({ rest }: Route): boolean => rest.idempotency === 'batched';

type Kit = {
  readonly app: App;
  readonly limits: RateLimits;
  readonly operations: ReadonlyMap<Route, Operation>;
  readonly batched: ReadonlyMap<Route, BatchedOperation>;
};

/**
 * Returns the idempotency key of a request. `null` if the request has no key or the route doesn't support keys. Throws `validation_error` for an
 * invalid key.
 */
function keyUseOf(
  ctx: RequestContext,
  route: Route,
  requested: HttpRequest,
  search: string,
  body: unknown,
): KeyUse | null {
  const scope = route.isIdempotent ? keyScopeOf(ctx, route.access, route.field.name) : null;
  if (scope === null) return null;
  const { headers, address } = requested;
  const key = 'operation' in scope ? requiredKeyOf(headers) : idempotencyKeyOf(headers);
  if (key === null) return null;
  const { secret = false, idempotency: strategy = 'in-transaction' } = route.rest;
  const path = search === '' ? splitAddress(address).path : address;
  const fingerprint = fingerprintOf({
    credential: credentialOf(ctx.caller),
    method: route.method,
    path,
    body,
  });
  return { scope, key, fingerprint, isSecret: secret, strategy };
}

/** Runs a route for an authenticated caller. Errors are checked in the order 401, 429, 403, 400, followed by errors from the operation. */
async function run(
  kit: Kit,
  ctx: RequestContext,
  match: Match,
  requested: HttpRequest,
  search: string,
): Promise<Answer> {
  const { route } = match;
  const authorizing = authorize(route.access, {}, ctx);
  if (authorizing !== undefined) await authorizing;
  if (route.kind === 'mutation') ctx.noteWrite();
  ctx.approvalId = requested.headers.get(approvalHeader);
  const body =
    route.method === 'GET' ? undefined : bodyOf(await requested.bytes(kit.app.config.bodyLimitBytes));
  const use = keyUseOf(ctx, route, requested, search, body);
  const variables = variablesOf(match, search, body);
  const isDryRun = route.kind === 'mutation' && requested.headers.get(dryRunHeader) === '1';
  const batched = kit.batched.get(route);
  if (batched !== undefined) {
    const within = policyOf(ctx, 'mutation', route.field, variables);
    const work = batched(ctx, variables);
    return isDryRun ? dryRunUsage(ctx, within, work) : answerInBatch(ctx, use, within, work);
  }
  const operation = kit.operations.get(route);
  if (operation === undefined) throw new Error(`${route.method} ${route.path} has no operation.`);
  if (isDryRun) return dryRun(ctx, route, (inner) => operation(inner, variables));
  return use === null
    ? operation(ctx, variables)
    : answerOnce(ctx, use, (inner) => operation(inner, variables));
}

/** Authenticates the caller, counts the request toward its rate limit, and runs the route. */
async function answerRequest(
  kit: Kit,
  ctx: RequestContext,
  match: Match,
  requested: HttpRequest,
  search: string,
): Promise<Answer> {
  const { headers, remoteAddress } = requested;
  ctx.version = versionOf(headers.get('service-version'));
  if (!('anonymous' in match.route.access) && requested.as === undefined) {
    await authenticateCounted(ctx, credentialsOf(headers), remoteAddress, kit.limits);
    if (!ctx.isAuthenticated) throw unauthorized();
  }
  await admitRequests(ctx, remoteAddress, kit.limits, bucketOf(match.route));
  return run(kit, ctx, match, requested, search);
}

/** Returns the handler for all paths below `/api/v1`. Operations are compiled on first use. Other transports can share `limits`. */
function restAnswer(schema: GraphQLSchema, app: App, limits: RateLimits): HttpRoute['answer'] {
  const routes = routesOf(schema);
  const find = matcherOf(routes);
  const kit: Kit = {
    app,
    limits,
    operations: new Map(
      routes.filter((route) => !isBatched(route)).map((route) => [route, operationOf(schema, route)]),
    ),
    batched: new Map(routes.filter(isBatched).map((route) => [route, batchedOperationOf(schema, route)])),
  };
  const answer = async (ctx: RequestContext, request: HttpRequest, match: Match | null): Promise<Reply> => {
    try {
      const { path, search } = splitAddress(request.address);
      if (match === null)
        throw specificError('not_found', 'route', { values: { method: request.method, path } });
      nameRequestSpan(request.method, `${restPrefix}${match.route.path}`);
      return replyTo(await answerRequest(kit, ctx, match, request, search), windowHeaders(ctx));
    } catch (error) {
      return failedReply(ctx, error);
    }
  };
  return async (request) => {
    const began = monotonicMs();
    const ctx = new RequestContext(app, request.id);
    ctx.limitWaits();
    if (request.as !== undefined) ctx.become(request.as.caller, request.as.environment);
    const { path } = splitAddress(request.address);
    const match = path.startsWith(`${restPrefix}/`)
      ? find(request.method, path.slice(restPrefix.length))
      : null;
    const reply = await answer(ctx, request, match);
    noteRequest(ctx, {
      request,
      transport: request.sentBy ?? 'rest',
      route: match === null ? '' : `${restPrefix}${match.route.path}`,
      status: reply.status,
      response: match?.route.rest.secret === true ? null : reply.body,
      isDryRun: request.headers.get(dryRunHeader) === '1',
      milliseconds: monotonicMs() - began,
      describe: () => ({ operation: match?.route.field.name ?? '' }),
    });
    return reply;
  };
}

/**
 * Returns the routes for the REST API and its OpenAPI document, which is generated on first use and cached.
 */
export function restRoutes(
  app: App,
  schema: GraphQLSchema,
  limits: RateLimits = openRateLimits(app.config),
): HttpRoute[] {
  const document = lazily(() => openApiOf(schema, app.config.publicUrl));
  const openApi = lazily(() => serveText(JSON.stringify(document()), { 'Content-Type': 'application/json' }));
  return [
    exportStreamRoute(app, schema, limits),
    { path: `${restPrefix}/*`, isShared: true, readsBody: true, answer: restAnswer(schema, app, limits) },
    { path: '/openapi.json', methods: ['GET'], answer: (request) => openApi()(request) },
  ];
}
