import type { Document } from '../../ui/documents.ts';
import { currentPage } from './current-page.ts';

// Sends requests to the service. Each request contains one operation.

export type RejectionDetails = {
  readonly code: string;
  readonly details?: unknown;
  readonly param?: string | undefined;
};

/** Rejection of a request by the service, with its error code. */
export class Rejection extends Error implements RejectionDetails {
  readonly code: string;
  readonly details: unknown;
  readonly param: string | undefined;

  constructor({ code, details, param }: RejectionDetails, message = code) {
    super(message);
    this.code = code;
    this.details = details;
    this.param = param;
  }
}

/** True if the tax depends on a state or province that wasn't entered. */
export const needsState = (error: unknown): boolean =>
  (error as Partial<RejectionDetails & { readonly details: { readonly reason?: unknown } | null }>).details
    ?.reason === 'tax_not_computed';

/** Error whose message is shown to the customer. */
export class DisplayedError extends Error {}

/** Error for a request without a usable response. The outcome of the request is unknown. */
export class NoAnswer extends Error {}

/** Maximum wait for a response, in milliseconds. */
const timeoutMs = 30_000;

type Answer<Result> = {
  readonly data?: Result | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: {
      readonly code?: string;
      readonly status?: number;
      readonly details?: unknown;
      readonly param?: string;
    };
  }[];
};

type Headers = Readonly<Record<string, string>>;

/** Sends a request and parses the JSON response. Throws `NoAnswer` if there's no valid response in time. */
async function requestJson<Result>(
  path: string,
  {
    headers,
    ...init
  }: { readonly method: 'GET' | 'POST'; readonly headers: Headers; readonly body?: string },
): Promise<{ isOk: boolean; body: Result }> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), timeoutMs);
  try {
    const response = await fetch(`${currentPage().base}${path}`, {
      ...init,
      headers: { Accept: 'application/json', ...headers },
      signal: giveUp.signal,
    });
    return { isOk: response.ok, body: await response.json() };
  } catch {
    throw new NoAnswer();
  } finally {
    clearTimeout(timer);
  }
}

/** Sends JSON to the service and parses the JSON response. Throws `NoAnswer` if there's no valid response in time. */
export const postJson = <Result>(path: string, body: unknown, headers: Headers = {}) =>
  requestJson<Result>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Reads JSON from the service. Throws `NoAnswer` if there's no valid response in time. */
export const getJson = <Result>(path: string, headers: Headers = {}) =>
  requestJson<Result>(path, { method: 'GET', headers });

/** Sends a GraphQL operation. Throws `Rejection` if the service rejects it, and `NoAnswer` if there's no valid response in time. */
export async function run<Result, Variables>(
  document: Document<Result, Variables>,
  variables: Variables,
  headers: Headers = {},
): Promise<Result> {
  const { body } = await postJson<Answer<Result> | null>('/graphql', { query: document, variables }, headers);
  const [error] = body?.errors ?? [];
  if (error !== undefined) {
    const { code = 'internal_error', status = 0, details, param } = error.extensions ?? {};
    if (status >= 500) throw new NoAnswer();
    throw new Rejection({ code, details, param }, error.message);
  }
  if (body?.data == null) throw new NoAnswer();
  return body.data;
}
