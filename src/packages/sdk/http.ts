import { ConnectionError, errorIn, errorOf, isTemporary, TimeoutError } from './errors.ts';
import { apiVersion } from './generated/operations.ts';
import { sleep } from './sleep.ts';

export type ClientOptions = {
  /** API key of an environment. Omit the key for requests without authentication. */
  readonly apiKey?: string;
  /** Origin of the service, such as `https://billing.example.com`. */
  readonly baseUrl: string;
  /** Time limit of one attempt in milliseconds. Defaults to 30,000. */
  readonly timeoutMs?: number;
  /** Maximum number of retries. Defaults to 3. */
  readonly maxRetries?: number;
  /** Function that sends requests. Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Class of sockets, for `events` and `entitlements`. Defaults to the global `WebSocket`. */
  readonly WebSocket?: typeof WebSocket;
  /** Called before each attempt. */
  readonly onRequest?: (request: AttemptInfo) => void;
  /** Called after each attempt that received a response. */
  readonly onResponse?: (response: AttemptInfo & { status: number; requestId: string | null }) => void;
};

/** Attempt of a request. `attempt` starts with 1. */
export type AttemptInfo = { readonly method: string; readonly url: string; readonly attempt: number };

/** Options of one call. */
export type CallOptions = {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /**
   * Key that identifies the change. All attempts send the same key. Defaults to a new UUID. `null` sends no key and turns retries off, for
   * GraphQL mutations with several fields.
   */
  readonly idempotencyKey?: string | null;
  /** Returns the response without making any change. The response also contains `dryRun`. */
  readonly dryRun?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
};

export type RequestInput = CallOptions & {
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
};

type SendInput = RequestInput & {
  /** `true` if the request is GraphQL, whose responses have the status 200 if a field fails. */
  readonly isGraphql?: boolean;
};

const requestIds = new WeakMap<object, string>();

/** Returns the request ID of a result, as in the logs of the service. `null` if the value isn't a result. */
export const requestIdOf = (result: object): string | null => requestIds.get(result) ?? null;

/** Longest wait before a retry. The client doesn't retry if the response requests a longer wait. */
const maxWaitSeconds = 60;

/** Returns the wait before a retry: from half to all of 0.5, 1, and 2 seconds, or the time that the response requests. */
const waitMs = (retry: number, retryAfter: number | null): number =>
  retryAfter === null ? 500 * 2 ** (retry - 1) * (0.5 + Math.random() / 2) : retryAfter * 1_000;

/** Returns the query string. Lists become repeated parameters, and unset values are omitted. */
function queryOf(query?: Readonly<Record<string, unknown>>): string {
  if (query === undefined) return '';
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null)
        parameters.append(name, item instanceof Date ? item.toISOString() : String(item));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

const isWrite = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method);

/** Sends requests with retries. All attempts of a change have the same idempotency key, so the change is made once. */
export class Transport {
  readonly options: ClientOptions;
  readonly baseUrl: string;

  constructor(options: ClientOptions) {
    this.options = options;
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
  }

  /** Sends a request below the origin, and returns the parsed response. Throws the error of the response. */
  async send<Result>(method: string, path: string, input: SendInput = {}): Promise<Result> {
    const { apiKey, maxRetries = 3 } = this.options;
    const { signal, query, body, idempotencyKey = crypto.randomUUID() } = input;
    const url = `${this.baseUrl}${path}${queryOf(query)}`;
    const headers: Record<string, string> = { accept: 'application/json', 'service-version': apiVersion };
    if (apiKey !== undefined) headers['x-api-key'] = apiKey;
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (isWrite(method) && idempotencyKey !== null) headers['idempotency-key'] = idempotencyKey;
    if (input.dryRun === true) headers['x-quittance-dry-run'] = '1';
    Object.assign(headers, input.headers);
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      let retryAfter: number | null = null;
      try {
        return await this.#attempt<Result>({ method, url, attempt }, init, input);
      } catch (error) {
        // An abort by the caller ends the request. All other errors of `fetch` are connection errors.
        if (signal?.aborted === true) throw signal.reason;
        if (!isTemporary(error) || idempotencyKey === null || attempt > maxRetries) throw error;
        if ('retryAfter' in error) retryAfter = error.retryAfter;
        if (retryAfter !== null && retryAfter > maxWaitSeconds) throw error;
      }
      await sleep(waitMs(attempt, retryAfter), signal);
    }
  }

  async #attempt<Result>(info: AttemptInfo, init: RequestInit, input: SendInput): Promise<Result> {
    const { fetch: send = fetch, onRequest, onResponse } = this.options;
    const limit = AbortSignal.timeout(input.timeoutMs ?? this.options.timeoutMs ?? 30_000);
    onRequest?.(info);
    let response: Response;
    let text: string;
    try {
      const signal = input.signal === undefined ? limit : AbortSignal.any([input.signal, limit]);
      response = await send(info.url, { ...init, signal });
      text = await response.text();
    } catch (cause) {
      const message = `${info.method} ${info.url} received no response.`;
      throw limit.aborted ? new TimeoutError(message, { cause }) : new ConnectionError(message, { cause });
    }
    const { status } = response;
    const requestId = response.headers.get('x-request-id');
    onResponse?.({ ...info, status, requestId });
    const parsed = parse(text);
    const error = response.ok && input.isGraphql !== true ? null : errorIn(parsed);
    if (response.ok && error === null) {
      if (typeof parsed === 'object' && parsed !== null && requestId !== null)
        requestIds.set(parsed, requestId);
      return parsed as Result;
    }
    const wait = Number(response.headers.get('retry-after') ?? error?.retryAfter ?? Number.NaN);
    throw errorOf({
      ...(error ?? { type: 'internal_error', code: 'internal_error', message: `HTTP status ${status}.` }),
      status: response.ok ? (error?.status ?? status) : status,
      requestId,
      retryAfter: Number.isNaN(wait) ? null : wait,
    });
  }
}

/** Parses JSON. Returns `null` if the text is empty or isn't JSON, such as the error page of a proxy. */
function parse(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
