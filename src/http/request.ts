import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientAddress, type TrustedProxies } from '../platform/client-address.ts';
import { ClientLeftError } from '../platform/client-left.ts';
import type { RequestHeaders } from '../request/authenticate.ts';
import type { RequestContext } from '../request/context.ts';
import { pathOf } from './address.ts';
import { readBody } from './body.ts';

/** Request in the form that route handlers receive. */
export type HttpRequest = {
  /** Unique ID of the request. The ID is returned in the response and written to logs. */
  readonly id: string;
  readonly method: string;
  /** Request target: path and query string. */
  readonly address: string;
  /** Percent-decoded path, used for routing. */
  readonly path: string;
  /** Value of the `Host` header. */
  readonly host: string;
  readonly headers: RequestHeaders;
  /** IP address of the client, as reported by a trusted proxy. Without a trusted proxy, the address of the socket. */
  readonly remoteAddress: string;
  readonly socketAddress: string;
  /**
   * Reads the body. Throws BodyTooLargeError if the body exceeds the limit, and fails with `validation_error` if the body is incomplete.
   */
  readonly bytes: (limit: number) => Promise<Uint8Array>;
  /** Body, if it was read completely. */
  readonly body?: Uint8Array | null;
  /** Interface of the outer request, if this process sends the request to itself. */
  readonly sentBy?: 'mcp';
  /** ID of the request that this request repeats. */
  readonly replayOf?: string;
  /** Authenticated caller, if this process sends the request to itself. Otherwise, the headers contain the credentials. */
  readonly as?: RequestContext;
  /** Aborted with ClientLeftError if the client disconnects before the response is complete. */
  readonly signal: AbortSignal;
};

/** Headers in a Node request. Repeated headers are joined with commas. */
class NodeHeaders implements RequestHeaders {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get(name: string): string | null {
    // Node's `headers` contains only the first value of the `Authorization` header.
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

/** Returns the client's IP address from a Node request. */
export const senderOf = (trusted: TrustedProxies, incoming: IncomingMessage): string =>
  clientAddress(trusted, incoming.socket.remoteAddress ?? '', forwardedFor(incoming));

export class NodeRequest implements HttpRequest {
  readonly id = crypto.randomUUID();
  readonly method: string;
  readonly address: string;
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  body: Uint8Array | null = null;
  #reading: Promise<Uint8Array> | null = null;
  #leaving: AbortController | null = null;

  constructor(incoming: IncomingMessage, outgoing: ServerResponse, address: string, trusted: TrustedProxies) {
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.method = incoming.method ?? 'GET';
    this.address = address;
    this.path = pathOf(address);
    this.headers = new NodeHeaders(incoming);
    this.remoteAddress = senderOf(trusted, incoming);
  }

  get host(): string {
    return this.#incoming.headers.host ?? '';
  }
  get socketAddress(): string {
    return this.#incoming.socket.remoteAddress ?? '';
  }
  bytes(limit: number): Promise<Uint8Array> {
    this.#reading ??= this.#read(limit);
    return this.#reading;
  }
  async #read(limit: number): Promise<Uint8Array> {
    this.body = await readBody(this.#incoming, limit);
    return this.body;
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
