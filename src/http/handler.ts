import type { IncomingMessage, ServerResponse } from 'node:http';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { type QuittanceError, specificError } from '../domain/errors.ts';
import type { TrustedProxies } from '../platform/client-address.ts';
import { monotonicMs } from '../platform/clock.ts';
import { callerOf, inSpan } from '../platform/tracing/spans.ts';
import { addressOf } from './address.ts';
import { hasBody } from './body.ts';
import { compressed } from './compression.ts';
import { canBeFramed, strictPolicy } from './content-policy.ts';
import { type Cors, openCors } from './cors.ts';
import { type Reply, securityHeaders, writeReply } from './reply.ts';
import { type HttpRequest, NodeRequest } from './request.ts';
import { openRouter, type Route } from './router.ts';

/** What is noted about an answer. */
export type Answered = {
  readonly request: HttpRequest;
  readonly route: Route | null;
  readonly status: number;
  readonly milliseconds: number;
};

type Parts = {
  readonly routes: readonly Route[];
  readonly config: {
    readonly corsOrigins: readonly string[];
    readonly bodyLimitBytes: number;
    readonly trustedProxies: TrustedProxies;
  };
  /** The answer to a failure, unless its route has one of its own. */
  readonly failed: (request: HttpRequest, error: unknown) => Reply;
  readonly answered: (note: Answered) => void;
};

/** How every request is answered: by a route of the table, with the headers every answer has. */
export type Handler = {
  /** Answers a request. Never throws. */
  readonly answer: (request: HttpRequest) => Promise<Reply>;
  /** Answers a request of Node's server. Throws when the answer cannot be written. */
  readonly listen: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
};

/** The rejection of an address where there is nothing. */
export const nothingAt = ({ path }: HttpRequest): QuittanceError =>
  specificError('not_found', 'address', { values: { path } });

const policyHeader = 'Content-Security-Policy';

/** The headers of every answer, but for the one that knows no origins. */
const { 'X-Frame-Options': _frameOptions, ...withoutFrameOptions } = securityHeaders;

/**
 * An answer with the headers every answer has. One that says nothing about caches is stored by none; a document that names no policy of its own gets
 * the strictest.
 */
function finished(request: HttpRequest, reply: Reply, shared: Cors | null): Reply {
  const { headers } = reply;
  const isDocument = String(headers['Content-Type'] ?? '').startsWith('text/html');
  return {
    ...reply,
    headers: {
      'Cache-Control': 'no-store',
      ...headers,
      'X-Request-Id': request.id,
      ...(canBeFramed(headers[policyHeader]) ? withoutFrameOptions : securityHeaders),
      ...(isDocument && headers[policyHeader] === undefined ? { [policyHeader]: strictPolicy } : undefined),
      ...shared?.headers(request),
    },
  };
}

/** How long a body nobody wanted may go on after its answer, in milliseconds. */
const unreadMs = 500;

/** Ends the connection of a client that goes on sending a body nobody wanted. */
function endUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.complete) return;
  outgoing.once('finish', () => {
    const timer = setTimeout(() => {
      if (!incoming.complete) incoming.socket.destroySoon();
    }, unreadMs);
    timer.unref();
  });
}

/** What is noted of an answer: a failure nobody waits for is that of a client that left. */
const notedStatus = ({ status }: Reply, request: HttpRequest): number =>
  status >= 500 && request.signal.aborted ? clientLeft : status;

/** The status servers commonly note, and never send, for a client that left. */
const clientLeft = 499;

/** Answers a request inside a span, which is part of the trace its caller names. */
const inRequestSpan = (
  request: HttpRequest,
  route: Route | null,
  work: () => Promise<Reply>,
): Promise<Reply> =>
  inSpan(
    () => ({
      name: `${request.method} ${route?.path ?? 'nowhere'}`,
      kind: SpanKind.SERVER,
      parent: callerOf(request.headers),
      attributes: {
        'http.request.method': request.method,
        'http.route': route?.path ?? '',
        'quittance.request_id': request.id,
      },
    }),
    work,
    (span, { status }) => {
      span.setAttribute('http.response.status_code', status);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    },
  );

/** Opens the one way in: finds the route, reads the body within its limit, and completes, notes and writes the answer. */
export function openHandler({ routes, config, failed, answered }: Parts): Handler {
  const find = openRouter(routes);
  const cors = openCors(config.corsOrigins);

  async function replyTo(request: HttpRequest, match: ReturnType<typeof find>): Promise<Reply> {
    try {
      if (match?.route.readsBody !== true && hasBody(request.method))
        await request.bytes(config.bodyLimitBytes);
      if (match === null) throw nothingAt(request);
      return await match.route.answer(request, match.parameters);
    } catch (error) {
      return (match?.route.failed ?? failed)(request, error);
    }
  }

  const answer = async (request: HttpRequest): Promise<Reply> => {
    const began = monotonicMs();
    const match = find(request.method, request.path);
    const shared = match?.route.isShared === true ? cors : null;
    const isPreflight = shared !== null && request.method === 'OPTIONS';
    const reply = isPreflight
      ? finished(request, shared.preflight(request), null)
      : finished(
          request,
          await inRequestSpan(request, match?.route ?? null, () => replyTo(request, match)),
          shared,
        );
    answered({
      request,
      route: match?.route ?? null,
      status: notedStatus(reply, request),
      milliseconds: monotonicMs() - began,
    });
    return reply;
  };

  return {
    answer,
    listen: async (incoming, outgoing) => {
      const address = addressOf(incoming);
      if (address === null) {
        outgoing.writeHead(400).end();
        return;
      }
      const request = new NodeRequest(incoming, outgoing, address, config.trustedProxies);
      const reply = await answer(request);
      endUnread(incoming, outgoing);
      await writeReply(outgoing, await compressed(request.headers.get('accept-encoding'), reply));
    },
  };
}
