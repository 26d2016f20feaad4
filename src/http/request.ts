import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHeaders } from '../authenticate.ts';
import { clientAddress, type TrustedProxies } from '../platform/client-address.ts';
import { ClientLeftError } from '../platform/client-left.ts';
import { pathOf } from './address.ts';
import { readBody } from './body.ts';

/** A request as handlers receive it. */
export type HttpRequest = {
  /** Names the request in its answer and in logs. */
  readonly id: string;
  readonly method: string;
  /** Path and query string, as they were sent. */
  readonly address: string;
  /** The path, decoded: what routes are matched with. */
  readonly path: string;
  /** The value of the header Host. */
  readonly host: string;
  readonly headers: RequestHeaders;
  /** The address of the client: that of the socket, or what a trusted proxy says. */
  readonly remoteAddress: string;
  readonly socketAddress: string;
  /** The bytes of the body. Throws BodyTooLargeError beyond `limit` and `validation_error` for a body that ends early. */
  readonly bytes: (limit: number) => Promise<Uint8Array>;
  /** Aborted with a ClientLeftError when the client leaves before the answer is complete. */
  readonly signal: AbortSignal;
};

/** The headers of a request of Node's server. A header that was sent several times reads as one, joined by commas. */
class NodeHeaders implements RequestHeaders {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get(name: string): string | null {
    // Of this one Node keeps the first alone.
    if (name === 'authorization') return this.#incoming.headersDistinct['authorization']?.join(', ') ?? null;
    const value = this.#incoming.headers[name];
    return typeof value === 'string' ? value : null;
  }

  all(): Headers {
    const { rawHeaders } = this.#incoming;
    const all = new Headers();
    for (let index = 0; index + 1 < rawHeaders.length; index += 2)
      all.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
    return all;
  }
}

const forwardedFor = ({ headers }: IncomingMessage): string | null => {
  const value = headers['x-forwarded-for'];
  return typeof value === 'string' ? value : null;
};

/** The address of the client behind a request of Node's server. */
export const senderOf = (trusted: TrustedProxies, incoming: IncomingMessage): string =>
  clientAddress(trusted, incoming.socket.remoteAddress ?? '', forwardedFor(incoming));

/** A request of Node's server. */
export class NodeRequest implements HttpRequest {
  readonly id = crypto.randomUUID();
  readonly address: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  #path: string | null = null;
  #body: Promise<Uint8Array> | null = null;
  #leaving: AbortController | null = null;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, address: string, trusted: TrustedProxies) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.address = address;
    this.headers = new NodeHeaders(incoming);
    this.remoteAddress = senderOf(trusted, incoming);
  }

  get method(): string {
    return this.#incoming.method ?? 'GET';
  }
  get path(): string {
    this.#path ??= pathOf(this.address);
    return this.#path;
  }
  get host(): string {
    return this.#incoming.headers.host ?? '';
  }
  get socketAddress(): string {
    return this.#incoming.socket.remoteAddress ?? '';
  }
  bytes(limit: number): Promise<Uint8Array> {
    this.#body ??= readBody(this.#incoming, limit);
    return this.#body;
  }
  get signal(): AbortSignal {
    if (this.#leaving === null) {
      const leaving = new AbortController();
      this.#outgoing.on('close', () => {
        if (!this.#outgoing.writableFinished) leaving.abort(new ClientLeftError());
      });
      this.#leaving = leaving;
    }
    return this.#leaving.signal;
  }
}
