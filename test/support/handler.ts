import type { GraphQLSchema } from 'graphql';
import { pathOf } from '../../src/http/address.ts';
import { BodyTooLargeError } from '../../src/http/body.ts';
import { type Handler, openHandler } from '../../src/http/handler.ts';
import type { HttpRequest } from '../../src/http/request.ts';
import { type App, RequestContext } from '../../src/request/context.ts';
import { failedReply } from '../../src/rest/answer.ts';
import { restRoutes } from '../../src/rest/app.ts';

// Calls a request handler directly, without a server or connection.

/** The client's IP address, unless a test sets another address. */
const clientAddress = '203.0.113.9';

function requestOf(request: Request, id: string): HttpRequest {
  const { host, pathname, search } = new URL(request.url);
  let body: Promise<Uint8Array> | null = null;
  const read = async (limit: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(await request.arrayBuffer());
    if (bytes.byteLength > limit) throw new BodyTooLargeError(limit);
    return bytes;
  };
  return {
    id,
    method: request.method,
    address: `${pathname}${search}`,
    path: pathOf(pathname),
    host,
    headers: { get: (name) => request.headers.get(name), all: () => request.headers },
    remoteAddress: clientAddress,
    socketAddress: clientAddress,
    bytes: (limit) => {
      body ??= read(limit);
      return body;
    },
    signal: request.signal,
  };
}

/** Sends a request to a handler. Returns the response as a client would receive it. */
export async function askHandler(
  { answer }: Pick<Handler, 'answer'>,
  request: Request,
  id: string = crypto.randomUUID(),
): Promise<Response> {
  const { status, headers, body } = await answer(requestOf(request, id));
  return new Response(body as BodyInit | null, { status, headers: headers as Record<string, string> });
}

/** Creates a handler for REST only, optionally with another schema. */
export const openRestHandler = (app: App, schema: GraphQLSchema): Handler =>
  openHandler({
    routes: restRoutes(app, schema),
    config: app.config,
    failed: ({ id }, error) => failedReply(new RequestContext(app, id), error),
    answered: () => undefined,
  });
