import type { IncomingMessage, ServerResponse } from 'node:http';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { type QuittanceError, specificError } from '../domain/errors/errors.ts';
import type { TrustedProxies } from '../platform/client-address.ts';
import { monotonicMs } from '../platform/clock.ts';
import { callerOf, inSpan } from '../platform/tracing/spans.ts';
import { addressOf } from './address.ts';
import { hasBody } from './body.ts';
import { compressed } from './compression.ts';
import { canBeFramed, permissionsPolicy, strictPolicy } from './content-policy.ts';
import { type Cors, openCors } from './cors.ts';
import { type Reply, securityHeaders, transportHeaders, writeReply } from './reply.ts';
import { type HttpRequest, NodeRequest } from './request.ts';
import { openRouter, type Route } from './router.ts';

/** Details of a response for logs and metrics. */
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
    readonly publicUrl: string;
    readonly trustedProxies: TrustedProxies;
  };
  /** Returns the response to an error that a route throws. */
  readonly failed: (request: HttpRequest, error: unknown) => Reply;
  readonly answered: (note: Answered) => void;
};

/** HTTP handler for all routes. Adds the common headers to each response. */
export type Handler = {
  /** Returns the response to a request. Never throws. */
  readonly answer: (request: HttpRequest) => Promise<Reply>;
  /** Handles a request from Node's HTTP server. Throws if the response can't be written. */
  readonly listen: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;
};

/** Returns the error for a path without a route. */
export const nothingAt = ({ path }: HttpRequest): QuittanceError =>
  specificError('not_found', 'address', { values: { path } });

const policyHeader = 'Content-Security-Policy';

/**
 * Security headers without `X-Frame-Options`, which can't allow specific origins. Embeddable documents rely on the content security policy.
 */
const { 'X-Frame-Options': _frameOptions, ...withoutFrameOptions } = securityHeaders;

/**
 * Default headers for HTML documents. Windows from other sites can't access the document. Popups that the document opens can access the
 * document, because wallets and banks need this access.
 */
const documentHeaders = {
  [policyHeader]: strictPolicy,
  'Permissions-Policy': permissionsPolicy(),
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
} as const;

/** Adds the common headers to a response. By default, responses aren't cached, and documents get the strictest policy. */
function finished(
  request: HttpRequest,
  reply: Reply,
  shared: Cors | null,
  transport: Readonly<Record<string, string>>,
): Reply {
  const { headers } = reply;
  const isDocument = String(headers['Content-Type'] ?? '').startsWith('text/html');
  return {
    ...reply,
    headers: {
      'Cache-Control': 'no-store',
      ...(isDocument ? documentHeaders : undefined),
      ...headers,
      'X-Request-Id': request.id,
      ...(canBeFramed(headers[policyHeader]) ? withoutFrameOptions : securityHeaders),
      ...transport,
      ...shared?.headers(request),
    },
  };
}

/** Time in milliseconds after the response within which a client must finish sending a body that isn't read. */
const unreadMs = 500;

/** Closes the connection if the client keeps sending a body that isn't read. */
function endUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.complete) return;
  outgoing.once('finish', () => {
    const timer = setTimeout(() => {
      if (!incoming.complete) incoming.socket.destroySoon();
    }, unreadMs);
    timer.unref();
  });
}

/** Returns the status for logs and metrics. A failure after the client has disconnected is recorded as 499. */
const notedStatus = ({ status }: Reply, request: HttpRequest): number =>
  status >= 500 && request.signal.aborted ? clientLeft : status;

/** Conventional status for a client that has disconnected. The status appears only in logs and metrics. */
const clientLeft = 499;

/** Handles a request in a tracing span. Continues the caller's trace if the headers contain one. */
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

/** Creates the HTTP handler, which finds the route, reads the body within the size limit, and completes, records, and writes the response. */
export function openHandler({ routes, config, failed, answered }: Parts): Handler {
  const find = openRouter(routes);
  const cors = openCors(config.corsOrigins);
  const transport = transportHeaders(config.publicUrl);

  async function replyTo(request: HttpRequest, match: ReturnType<typeof find>): Promise<Reply> {
    try {
      if (match?.route.readsBody !== true && hasBody(request.method))
        await request.bytes(config.bodyLimitBytes);
      if (match === null) throw nothingAt(request);
      return await match.route.answer(request, match.parameters);
    } catch (error) {
      return failed(request, error);
    }
  }

  const answer = async (request: HttpRequest): Promise<Reply> => {
    const began = monotonicMs();
    const match = find(request.method, request.path);
    const shared = match?.route.isShared === true ? cors : null;
    const isPreflight = shared !== null && request.method === 'OPTIONS';
    const reply = isPreflight
      ? finished(request, shared.preflight(request), null, transport)
      : finished(
          request,
          await inRequestSpan(request, match?.route ?? null, () => replyTo(request, match)),
          shared,
          transport,
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
      const sent = compressed(request.headers.get('accept-encoding'), reply);
      return writeReply(outgoing, sent instanceof Promise ? await sent : sent);
    },
  };
}
