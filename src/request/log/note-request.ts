import type { Caller, RequestContext } from '../context.ts';
import type { LoggedCaller, LoggedRequest, RequestNote } from './entry.ts';

/** Returns the caller of a request to record. `null` if the caller isn't an API key or a member. */
function loggedCaller(caller: Caller): LoggedCaller | null {
  if (caller.kind === 'key') return { kind: 'key', id: caller.apiKeyId };
  return caller.kind === 'member' ? { kind: 'member', id: caller.memberId } : null;
}

/** Request with the headers that the log reads. */
type Received = Omit<LoggedRequest, 'idempotencyKey' | 'userAgent'> & {
  readonly headers: { readonly get: (name: string) => string | null };
};

type Notable = Omit<
  RequestNote,
  'environmentId' | 'isLive' | 'caller' | 'apiVersion' | 'request' | 'responseBytes'
> & {
  readonly request: Received;
};

/** Size of a body in bytes. 0 for streams. */
const sizeOfBody = (body: unknown): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body instanceof Uint8Array ? body.byteLength : 0;

/** Adds a request with its response to the request log. Does nothing if the caller isn't an API key or a member. */
export function noteRequest(ctx: RequestContext, { request, response, ...note }: Notable): void {
  const { requestLog } = ctx.app;
  if (!requestLog.isOn || !ctx.isAuthenticated) return;
  const caller = loggedCaller(ctx.caller);
  if (caller === null) return;
  const { id: environmentId, livemode: isLive } = ctx.environment;
  // The connection isn't kept in memory until the record is written.
  const { id, method, address, remoteAddress, headers, body, replayOf } = request;
  requestLog.add({
    ...note,
    environmentId,
    isLive,
    caller,
    apiVersion: ctx.version,
    // The response to a read can be requested again, and reads are too frequent to store their responses.
    response: request.method === 'GET' && note.status < 400 ? null : response,
    responseBytes: sizeOfBody(response),
    request: {
      id,
      method,
      address,
      remoteAddress,
      idempotencyKey: headers.get('idempotency-key'),
      userAgent: headers.get('user-agent'),
      body,
      replayOf,
    },
  });
}
