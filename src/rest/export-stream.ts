import { coerceInputValue, type GraphQLSchema } from 'graphql';
import { specificError, validationError } from '../domain/errors/errors.ts';
import { exportStreamOperation } from '../domain/requests/counted.ts';
import { type Access, accessIn, authorize, withinPolicy } from '../graphql/declare/access.ts';
import { streamOf } from '../http/byte-stream.ts';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Route as HttpRoute } from '../http/router.ts';
import { versionOf } from '../http/version.ts';
import { type KindName, kindNames } from '../modules/exports/exports/find-kind.ts';
import { readRequest, type SentRequest } from '../modules/exports/exports/read-request.ts';
import { type RowStream, type StreamFrom, streamRows } from '../modules/exports/exports/stream-rows.ts';
import { fileTypes } from '../modules/exports/exports/write-file.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { RateLimits } from '../platform/rate-limit.ts';
import { admitRequests, authenticateCounted, windowHeaders } from '../request/admission.ts';
import { credentialsOf } from '../request/authenticate.ts';
import { type App, RequestContext, unauthorized } from '../request/context.ts';
import { noteRequest } from '../request/log/note-request.ts';
import { failedReply } from './answer.ts';
import { filterOfKind, inputsOfKind } from './export-stream-inputs.ts';
import { variablesOf } from './inputs.ts';
import type { Route } from './routes.ts';

// Export streams: a whole list as a single response. Accepts the `exportCreate` input and the list's filter as query parameters.

const streamPath = '/api/v1/exports/stream';

/** Required access. Financial data also requires the scope `finance`, which `readRequest` checks. */
export const streamAccess: Access = { scope: 'read' };

/** Parses the query string with the export type's parameters. */
function readQuery(schema: GraphQLSchema, kind: KindName, search: string) {
  const route = {
    inputs: inputsOfKind(schema, kind),
    wholeBody: null,
    field: { args: [] },
  } as unknown as Route;
  const { filter, ...sent } = variablesOf({ route, parameters: {} }, search, undefined);
  const definition = filterOfKind(schema, kind);
  return {
    // The cast is safe because `variablesOf` has validated the fields.
    sent: sent as unknown as SentRequest & StreamFrom,
    filter:
      filter === undefined || definition === undefined
        ? null
        : (coerceInputValue(filter, definition.type) as Record<string, unknown>),
  };
}

/** Returns the export type in the query string. Throws `validation_error` if it is missing or invalid. */
function kindIn(search: string): KindName {
  const sent = new URLSearchParams(search).get('kind');
  const kind = kindNames.find((name) => name === sent);
  if (kind === undefined)
    throw validationError([{ field: 'kind', message: `must be one of ${kindNames.join(', ')}` }]);
  return kind;
}

function replyOf(ctx: RequestContext, { kind, format, gzip }: SentRequest, stream: RowStream): Reply {
  const { extension, mediaType } = fileTypes[format];
  const isGzip = gzip === true;
  return {
    status: 200,
    headers: {
      'Content-Type': isGzip ? 'application/gzip' : mediaType,
      'Content-Disposition': `attachment; filename="${kind}.${extension}${isGzip ? '.gz' : ''}"`,
      'Cache-Control': 'no-store',
      'X-Export-Snapshot': String(stream.snapshot),
      Trailer: 'X-Export-Rows, X-Export-Cursor',
      ...windowHeaders(ctx),
    },
    body: streamOf(stream.chunks),
    trailers: () => {
      const { rows, cursor } = stream.summary();
      return { 'X-Export-Rows': String(rows), 'X-Export-Cursor': cursor ?? '' };
    },
  };
}

async function answer(schema: GraphQLSchema, ctx: RequestContext, request: HttpRequest, limits: RateLimits) {
  const { method, headers, remoteAddress, address } = request;
  if (method !== 'GET') throw specificError('not_found', 'route', { values: { method, path: streamPath } });
  ctx.version = versionOf(headers.get('service-version'));
  await authenticateCounted(ctx, credentialsOf(headers), remoteAddress, limits);
  if (!ctx.isAuthenticated) throw unauthorized();
  await admitRequests(ctx, remoteAddress, limits, 'general');
  await authorize(accessIn('exports', streamAccess), {}, ctx);
  const [, search = ''] = address.split('?', 2);
  return withinPolicy(ctx, 'query', { name: 'exports' }, {}, async () => {
    const { sent, filter } = readQuery(schema, kindIn(search), search);
    const exported = await readRequest(ctx, schema, sent, filter);
    return replyOf(ctx, sent, await streamRows(ctx, schema, exported, sent));
  });
}

/** Returns the route for export streams. Must precede the general API route, which would also match its path. */
export const exportStreamRoute = (app: App, schema: GraphQLSchema, limits: RateLimits): HttpRoute => ({
  path: streamPath,
  isShared: true,
  answer: async (request) => {
    const began = monotonicMs();
    const ctx = new RequestContext(app, request.id);
    const reply = await answer(schema, ctx, request, limits).catch((error: unknown) =>
      failedReply(ctx, error),
    );
    noteRequest(ctx, {
      request,
      transport: request.sentBy ?? 'rest',
      route: streamPath,
      status: reply.status,
      response: reply.body,
      isDryRun: false,
      milliseconds: monotonicMs() - began,
      describe: () => ({ operation: exportStreamOperation }),
    });
    return reply;
  },
});
