import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { errorContextOf, graphqlError, shownErrors } from '../graphql/declare/errors.ts';
import { Budget } from '../graphql/declare/limits.ts';
import { printedSchema } from '../graphql/declare/print.ts';
import { approvalHeader, dryRunHeader } from '../graphql/declare/request-parts.ts';
import { type KnownTexts, namesDocument, TrustedDocuments } from '../graphql/declare/trusted-documents.ts';
import { costHeader } from '../graphql/execute/cost-extension.ts';
import { Documents } from '../graphql/execute/documents.ts';
import { executeInput, type OperationInput } from '../graphql/execute/execution.ts';
import { openGraphql } from '../graphql/serve/server.ts';
import type { RateLimits } from '../platform/rate-limit.ts';
import { admitRequests, authenticateCounted, rateHeaders, windowHeaders } from '../request/admission.ts';
import { credentialsOf } from '../request/authenticate.ts';
import { type App, RequestContext } from '../request/context.ts';
import { BodyTooLargeError, hasBody } from './body.ts';
import { strictPolicy } from './content-policy.ts';
import { type Served, serveText } from './fixed-text.ts';
import { openGraphiql } from './graphiql.ts';
import { graphqlReply } from './graphql-reply.ts';
import { noted } from './note-graphql.ts';
import { jsonReply, type Reply, replyOf } from './reply.ts';
import type { HttpRequest } from './request.ts';
import type { Route } from './router.ts';
import { versionOf } from './version.ts';

type Parts = {
  readonly schema: GraphQLSchema;
  readonly limits: RateLimits;
  /** Yoga plugins that run around the execution of an operation, such as the idempotency plugin. */
  readonly executors: readonly Plugin[];
  /** GraphQL documents of the dashboard and the hosted pages, which are available after the pages are built. */
  readonly pageDocuments: KnownTexts;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i;

/** True if the request accepts a stream of server-sent events. */
const isStream = ({ headers }: HttpRequest): boolean =>
  headers.get('accept')?.includes('text/event-stream') === true;

/** True if the request sends and accepts JSON and uses no other feature that requires Yoga. */
function isPlainPost({ method, address, headers }: HttpRequest): boolean {
  const accept = headers.get('accept') ?? '*/*';
  return (
    method === 'POST' &&
    address === '/graphql' &&
    jsonType.test(headers.get('content-type') ?? '') &&
    (accept === '*/*' || accept === 'application/json') &&
    headers.get('idempotency-key') === null &&
    headers.get(dryRunHeader) !== '1' &&
    headers.get('content-encoding') === null
  );
}

/** Parses a JSON body with a single operation. `null` if the body has another format. */
function operationIn(bytes: Uint8Array): OperationInput | null {
  let body: unknown;
  try {
    body = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch {
    return null;
  }
  if (!isObject(body)) return null;
  const { query, documentId, extensions, variables, operationName = null, ...others } = body;
  const document = { query, documentId, extensions };
  if ((typeof query !== 'string' || query === '') && !namesDocument(document)) return null;
  if (Object.keys(others).length > 0 || !isObject(extensions ?? {})) return null;
  if (operationName !== null && typeof operationName !== 'string') return null;
  if (variables !== undefined && variables !== null && !isObject(variables)) return null;
  return { ...document, variables: variables ?? {}, operationName };
}

/** Returns the response to a request that failed outside the execution of its operation, in the GraphQL response format. */
function rejected(ctx: RequestContext, error: unknown): Reply {
  const shown = graphqlError(error, errorContextOf(ctx));
  if (error instanceof BodyTooLargeError) shown.extensions['status'] = 413;
  const { status, retryAfter } = shown.extensions;
  const wait = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return jsonReply(
    Number(status),
    { errors: [shown] },
    { ...wait, ...windowHeaders(ctx), ...rateHeaders(error) },
  );
}

/** GraphQL over HTTP, and components shared with GraphQL over WebSocket. */
export type GraphqlHttp = {
  /** Routes that execute operations and return the schema text. */
  readonly routes: readonly Route[];
  readonly documents: Documents;
  /**
   * Executes the query for a server-rendered page as if the visitor had sent the query. Uses the visitor's rate limit and returns errors as a client
   * receives them.
   */
  readonly answerPage: (request: HttpRequest, question: PageQuestion) => Promise<ExecutionResult>;
};

type PageQuestion = { readonly query: string; readonly variables: Readonly<Record<string, unknown>> };

/**
 * Creates the GraphQL endpoint. A single JSON operation is executed directly. Yoga handles batches, queries in the URL, streams, forms,
 * idempotency keys, and the editor. Both paths share parsing, limits, and execution (`graphql/execute/execution.ts`).
 */
export function openGraphqlHttp(app: App, { schema, limits, executors, pageDocuments }: Parts): GraphqlHttp {
  const trusted = new TrustedDocuments(pageDocuments, app.config.trustedDocumentsOnly);
  const documents = new Documents(schema, trusted);
  const graphiql = openGraphiql();
  const parts = { schema, documents, rateLimits: limits, executors, renderGraphiQL: graphiql.render };
  const yoga = openGraphql(app, parts);

  /** Authenticates the caller and counts the request in the caller's rate limit window. */
  async function admit(ctx: RequestContext, { headers, remoteAddress, as }: HttpRequest): Promise<void> {
    ctx.version = versionOf(headers.get('service-version'));
    ctx.showsCost = headers.get(costHeader) === '1';
    ctx.approvalId = headers.get(approvalHeader);
    if (as === undefined) await authenticateCounted(ctx, credentialsOf(headers), remoteAddress, limits);
    await admitRequests(ctx, remoteAddress, limits, 'general');
  }

  async function answerByYoga(request: HttpRequest, ctx: RequestContext, budget: Budget): Promise<Reply> {
    const { method, headers, signal, remoteAddress } = request;
    const body = hasBody(method) ? { body: Buffer.from(await request.bytes(app.config.bodyLimitBytes)) } : {};
    const response = await yoga.fetch(
      `http://${request.host}${request.address}`,
      { method, headers: headers.all(), signal, ...body },
      { requestContext: ctx, remoteAddress, budget },
    );
    const reply = await replyOf(response);
    const isDocument = String(reply.headers['Content-Type'] ?? '').startsWith('text/html');
    return {
      ...reply,
      headers: {
        ...windowHeaders(ctx),
        ...reply.headers,
        'Cache-Control': 'no-store',
        ...(isDocument ? { 'Content-Security-Policy': graphiql.policy() ?? strictPolicy } : undefined),
      },
    };
  }

  async function answer(ctx: RequestContext, request: HttpRequest): Promise<Reply> {
    await admit(ctx, request);
    // A stream of live fields has no end.
    if (!isStream(request)) ctx.limitWaits();
    const isAnonymous = ctx.caller.kind === 'anonymous';
    const input = isPlainPost(request) ? operationIn(await request.bytes(app.config.bodyLimitBytes)) : null;
    const result = input === null ? null : await executeInput(documents, input, ctx, new Budget(isAnonymous));
    return result === null ? answerByYoga(request, ctx, new Budget(isAnonymous)) : graphqlReply(result, ctx);
  }

  async function answerPage(request: HttpRequest, question: PageQuestion): Promise<ExecutionResult> {
    const ctx = new RequestContext(app, request.id);
    try {
      await admitRequests(ctx, request.remoteAddress, limits, 'general');
    } catch (error) {
      return { errors: [graphqlError(error, errorContextOf(ctx))] };
    }
    const result = await executeInput(documents, { ...question, operationName: null }, ctx, new Budget(true));
    if (result === null) throw new Error('The question of a page is a query.');
    return result.errors === undefined ? result : { errors: shownErrors(result, ctx) };
  }

  let text: Served | null = null;
  const schemaText = (request: HttpRequest): Reply => {
    text ??= serveText(printedSchema(schema), {
      'Content-Type': 'application/graphql; charset=utf-8',
      'Cache-Control': 'public, max-age=300',
    });
    return text(request);
  };
  return {
    routes: [
      { path: '/graphql/schema.graphql', methods: ['GET'], isShared: true, answer: schemaText },
      {
        path: '/graphql',
        isShared: true,
        readsBody: true,
        answer: noted(app, trusted, { answer, failed: rejected }),
      },
    ],
    documents,
    answerPage,
  };
}
