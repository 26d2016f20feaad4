import type { Document } from '../../ui/documents.ts';
import { currentPage } from './current-page.ts';

// Calls to the service: one operation a request.

/** What the service says about a rejection. */
export type RejectionDetails = {
  readonly code: string;
  readonly details?: unknown;
  readonly param?: string | undefined;
};

/** A rejection by the service, with the code the page acts on. */
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

/** What went wrong, said in words for the payer. */
export class Said extends Error {}

/** No answer came that says whether the request was carried out: nobody knows its outcome. */
export class NoAnswer extends Error {}

/** How long an answer is waited for. */
const patienceMs = 30_000;

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

/** Sends a request and reads the JSON of the answer. Throws NoAnswer where none comes in time or it cannot be read. */
async function requestJson<Result>(
  path: string,
  {
    headers,
    ...init
  }: { readonly method: 'GET' | 'POST'; readonly headers: Headers; readonly body?: string },
): Promise<{ isOk: boolean; body: Result }> {
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), patienceMs);
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

/** Sends JSON to an address of the service and reads the JSON of the answer. Throws NoAnswer where none comes in time or it cannot be read. */
export const postJson = <Result>(path: string, body: unknown, headers: Headers = {}) =>
  requestJson<Result>(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** Reads the JSON at an address of the service. Throws NoAnswer where none comes in time or it cannot be read. */
export const getJson = <Result>(path: string, headers: Headers = {}) =>
  requestJson<Result>(path, { method: 'GET', headers });

/** Runs an operation. Throws a Rejection for what the service rejects, and NoAnswer when none comes in time or it cannot be read. */
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
