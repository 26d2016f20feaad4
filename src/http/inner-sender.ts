import type { RequestContext } from '../request/context.ts';
import type { InnerAnswer, InnerRequest } from '../request/send-inner.ts';
import { pathOf } from './address.ts';
import type { Handler } from './handler.ts';

/** Returns the text of a body. Streams aren't supported. */
const textOf = (body: unknown): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : typeof body === 'string' ? body : '';

/** Returns the function that sends requests of this process to its own interfaces. */
export const innerSender =
  ({ answer }: Pick<Handler, 'answer'>) =>
  async (
    ctx: RequestContext,
    { method, address, headers, body, replayOf }: InnerRequest,
  ): Promise<InnerAnswer> => {
    const all = new Headers({
      'content-type': 'application/json',
      'user-agent': 'quittance-replay',
      ...headers,
    });
    const bytes = new TextEncoder().encode(body ?? '');
    const id = crypto.randomUUID();
    const reply = await answer({
      id,
      method,
      address,
      path: pathOf(address),
      host: '',
      headers: { get: (name) => all.get(name), all: () => all },
      remoteAddress: '127.0.0.1',
      socketAddress: '127.0.0.1',
      bytes: () => Promise.resolve(bytes),
      body: bytes,
      replayOf,
      as: ctx,
      signal: new AbortController().signal,
    });
    return { requestId: id, status: reply.status, body: textOf(reply.body) };
  };
