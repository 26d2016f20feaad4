import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import type { GraphQLSchema } from 'graphql';
import { QuittanceError, specificError, validationError } from '../domain/errors/errors.ts';
import { clientError, errorContextOf } from '../graphql/declare/errors.ts';
import { BodyTooLargeError } from '../http/body.ts';
import { type Reply, replyOf } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Route } from '../http/router.ts';
import { monotonicMs } from '../platform/clock.ts';
import type { RateLimits } from '../platform/rate-limit.ts';
import { admitRequests, authenticateCounted, windowHeaders } from '../request/admission.ts';
import { type App, RequestContext, unauthorized } from '../request/context.ts';
import { noteRequest } from '../request/log/note-request.ts';
import { failedReply } from '../rest/answer.ts';
import { callOperation, type Dispatch, resultOf, type ToolResult } from './call-operation.ts';
import { derivedKey } from './derived-keys.ts';
import { challengeHeaders, descriptionRoute, mcpPath, serverInfo } from './description.ts';
import { searchDocs } from './docs.ts';
import { prompts } from './prompts.ts';
import { fixedResources, listedResources, readResource, resourceTemplates } from './resources.ts';
import { type Selection, selectionIn, Tools } from './tools.ts';

type Values = Readonly<Record<string, unknown>>;

type Parts = {
  readonly app: App;
  readonly fixed: ReturnType<typeof fixedResources>;
  readonly limits: RateLimits;
  readonly tools: Tools;
  readonly dispatch: Dispatch;
};

/** Request whose caller is authenticated by an API key. */
type Session = { readonly ctx: RequestContext; readonly key: string; readonly request: HttpRequest };

/** Returns the API key in `x-api-key` or `Authorization: Bearer`. `null` if the request contains no key. */
function keyIn({ headers }: HttpRequest): string | null {
  const bearer = /^Bearer +(ck_\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  return headers.get('x-api-key') ?? bearer ?? null;
}

/** Returns an error as a result that a language model can read, in the format of the REST API. */
function errorResult(ctx: RequestContext, error: unknown): ToolResult {
  if (!(error instanceof QuittanceError)) throw error;
  const { code, type, message, param, details } = clientError(error, errorContextOf(ctx));
  return resultOf(
    {
      error: {
        type,
        code,
        message,
        ...(param === undefined ? {} : { param }),
        ...(details === undefined ? {} : { details }),
      },
    },
    true,
  );
}

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the string in an argument of a helper tool. Throws `validation_error` if the argument is missing. */
function textIn(values: Values, name: string): string {
  const value = values[name];
  if (!isText(value)) throw validationError([{ field: name, message: 'must be a string' }]);
  return value;
}

/** Calls an operation by name. `dryRun`, `idempotencyKey`, and `approvalId` are arguments of mutations. */
async function callByName(
  parts: Parts,
  { ctx, key, request }: Session,
  name: string,
  values: Values,
): Promise<ToolResult> {
  const operation = parts.tools.operation(ctx, name);
  if (!operation.isWrite)
    return callOperation(parts.dispatch, request, {
      operation,
      values,
      key,
      idempotencyKey: null,
      isDryRun: false,
      approvalId: null,
    });
  const { dryRun = false, idempotencyKey, approvalId, ...own } = values;
  if (typeof dryRun !== 'boolean')
    throw validationError([{ field: 'dryRun', message: 'must be true or false' }]);
  if (idempotencyKey !== undefined && !isText(idempotencyKey))
    throw validationError([{ field: 'idempotencyKey', message: 'must be a string' }]);
  if (approvalId !== undefined && !isText(approvalId))
    throw validationError([{ field: 'approvalId', message: 'must be a string' }]);
  if (dryRun && operation.route === null)
    throw specificError('validation_error', 'no_dry_run', { param: 'dryRun' });
  const { caller } = ctx;
  if (caller.kind !== 'key') throw unauthorized();
  const used =
    idempotencyKey ??
    (await derivedKey(ctx.sql, { apiKeyId: caller.apiKeyId, tool: name, values: own }, ctx.wall.now()));
  return callOperation(parts.dispatch, request, {
    operation,
    values: own,
    key,
    idempotencyKey: used,
    isDryRun: dryRun,
    approvalId: approvalId ?? null,
  });
}

/** Calls a tool from any list. */
async function callTool(parts: Parts, session: Session, name: string, values: Values): Promise<ToolResult> {
  const { ctx } = session;
  const { tools } = parts;
  switch (name) {
    case 'find_operations':
      return resultOf(tools.find(ctx, textIn(values, 'words')));
    case 'describe_operation':
      return resultOf(tools.describe(tools.operation(ctx, textIn(values, 'operation'))));
    case 'search_docs':
      return resultOf({ paragraphs: searchDocs(textIn(values, 'words')) });
    case 'call_operation': {
      const { arguments: own = {} } = values;
      if (typeof own !== 'object' || own === null || Array.isArray(own))
        throw validationError([{ field: 'arguments', message: 'must be an object' }]);
      return callByName(parts, session, textIn(values, 'operation'), own as Values);
    }
    default:
      return callByName(parts, session, name, values);
  }
}

const instructions =
  'Quittance bills customers for subscriptions and usage. Amounts are integers in the smallest currency unit. Use `find_operations` for operations that are not listed. Call mutations with `dryRun: true` first, and show the result to a person before money moves. In a sandbox, `test_clock_advance` moves time forward.';

/** Returns the protocol server for one request. */
function serverFor(parts: Parts, session: Session, selection: Selection): Server {
  const { fixed, tools } = parts;
  const { ctx } = session;
  const server = new Server(serverInfo, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions,
  });
  server.setRequestHandler('tools/list', () => ({ tools: tools.list(ctx, selection) }));
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: values = {} } }) => {
    try {
      return await callTool(parts, session, name, values);
    } catch (error) {
      return errorResult(ctx, error);
    }
  });
  server.setRequestHandler('resources/list', () => ({ resources: listedResources() }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => ({
    contents: [
      await readResource(fixed, uri, (operation, id) => callByName(parts, session, operation, { id })),
    ],
  }));
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ textOf: _textOf, arguments: taken, ...prompt }) => ({
      ...prompt,
      arguments: [...taken],
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: values = {} } }) => {
    const prompt = prompts.find((one) => one.name === name);
    if (prompt === undefined) throw specificError('not_found', 'tool', { values: { name } });
    return {
      description: prompt.description,
      messages: [{ role: 'user', content: { type: 'text', text: prompt.textOf(values) } }],
    };
  });
  return server;
}

async function answer(parts: Parts, ctx: RequestContext, request: HttpRequest): Promise<Reply> {
  const { app, limits } = parts;
  const { headers, remoteAddress } = request;
  const key = keyIn(request);
  await authenticateCounted(ctx, { key, token: null }, remoteAddress, limits);
  if (!ctx.isAuthenticated || key === null) throw unauthorized();
  await admitRequests(ctx, remoteAddress, limits, 'general');
  const [, search = ''] = request.address.split('?', 2);
  const selection = selectionIn(search);
  const handler = createMcpHandler(() => serverFor(parts, { ctx, key, request }, selection));
  const bytes = await request.bytes(app.config.bodyLimitBytes);
  const response = await handler.fetch(
    new Request(`http://${request.host || 'localhost'}${request.address}`, {
      method: request.method,
      headers: headers.all(),
      ...(request.method === 'POST' ? { body: Buffer.from(bytes) } : {}),
      signal: request.signal,
    }),
  );
  const reply = await replyOf(response);
  return { ...reply, headers: { ...reply.headers, ...windowHeaders(ctx) } };
}

/** Returns the response to a request, also if it fails. */
async function answerSafely(parts: Parts, ctx: RequestContext, request: HttpRequest): Promise<Reply> {
  try {
    return await answer(parts, ctx, request);
  } catch (error) {
    const reply = failedReply(ctx, error);
    if (error instanceof BodyTooLargeError) return { ...reply, status: 413 };
    return reply.status === 401
      ? { ...reply, headers: { ...reply.headers, ...challengeHeaders(parts.app.config.publicUrl) } }
      : reply;
  }
}

/** Returns the method of a protocol message, such as `tools/list`. Empty if the body isn't a message. */
function methodIn(body: string | null): string {
  const [, method = ''] = /"method"\s*:\s*"([\w/]+)"/.exec(body ?? '') ?? [];
  return method;
}

/**
 * Returns the routes of the MCP server: its description, and the endpoint (Streamable HTTP without sessions). `dispatch` processes requests to the REST
 * API and the GraphQL endpoint of this process.
 */
export function mcpRoutes(app: App, schema: GraphQLSchema, limits: RateLimits, dispatch: Dispatch): Route[] {
  let tools: Tools | null = null;
  const fixed = fixedResources(schema, app.config.publicUrl);
  const endpoint: Route = {
    path: mcpPath,
    isShared: true,
    readsBody: true,
    answer: async (request) => {
      const began = monotonicMs();
      const ctx = new RequestContext(app, request.id);
      let isDispatched = false;
      const noted: Dispatch = (inner) => {
        isDispatched = true;
        return dispatch(inner);
      };
      tools ??= new Tools(schema);
      const reply = await answerSafely({ app, fixed, limits, tools, dispatch: noted }, ctx, request);
      // A call of an operation is recorded where it's executed.
      if (!isDispatched)
        noteRequest(ctx, {
          request,
          transport: 'mcp',
          route: mcpPath,
          status: reply.status,
          response: null,
          isDryRun: false,
          milliseconds: monotonicMs() - began,
          describe: (body) => ({ operation: methodIn(body) }),
        });
      return reply;
    },
  };
  return [descriptionRoute(app.config.publicUrl), endpoint];
}
