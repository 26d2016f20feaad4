import { randomUUID } from 'node:crypto';
import { createClient } from 'graphql-ws';

// Minimal API client for REST, GraphQL over HTTP, and live fields over WebSocket. You can copy it to your project.

/** Error response from the API. `code` is stable and intended for programs. `message` is intended for people. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: string;
  readonly requestId: string | null;

  constructor(code: string, message: string, requestId: string | null) {
    super(`${code}: ${message} (request ${requestId ?? 'unknown'})`);
    this.code = code;
    this.requestId = requestId;
  }
}

/** API client with one API key. All methods throw an ApiError if the API returns an error. */
export type Client = {
  /** Reads an object over REST. `path` is relative to `/api/v1` and starts with a slash. */
  readonly get: <T>(path: string) => Promise<T>;
  /** Sends a POST request with a new idempotency key. */
  readonly post: <T>(path: string, body: object) => Promise<T>;
  /** Yields all items of a REST list, newest first. Loads pages on demand. */
  readonly list: <T>(path: string) => AsyncGenerator<T, void>;
  /** Executes a query or mutation and returns its data. */
  readonly graphql: <T>(query: string, variables?: Record<string, unknown>) => Promise<T>;
  /**
   * Yields all nodes of the connection in a query, and loads pages on demand. The query must contain a single connection, accept `$after:
   * String`, and select `pageInfo { hasNextPage endCursor }`.
   */
  readonly nodes: <T>(query: string) => AsyncGenerator<T, void>;
  /**
   * Subscribes to a live field until the server completes it. Each call uses its own socket and reconnects if the connection is lost. If
   * the query accepts `$afterPosition: SafeInt` and selects `position`, the subscription resumes after the last event, so each event
   * arrives once.
   */
  readonly follow: <T>(query: string, variables?: Record<string, unknown>) => AsyncGenerator<T, void>;
};

type GraphqlError = {
  readonly message: string;
  readonly extensions?: { readonly code?: string; readonly requestId?: string };
};
type GraphqlAnswer<T> = { readonly data?: T | null; readonly errors?: readonly GraphqlError[] };
type RestFailure = { readonly error: { readonly code: string; readonly message: string } };
type Page<T> = { readonly data: readonly T[]; readonly hasMore: boolean; readonly nextCursor?: string };
type Connection<T> = {
  readonly edges: readonly { readonly node: T }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
};

/** Returns the data of a GraphQL response. If the response contains errors, throws an ApiError for the first error. */
function dataOf<T>({ data, errors = [] }: GraphqlAnswer<T>): T {
  const [error] = errors;
  if (error !== undefined)
    throw new ApiError(
      error.extensions?.code ?? 'unknown',
      error.message,
      error.extensions?.requestId ?? null,
    );
  if (data === null || data === undefined)
    throw new ApiError('unknown', 'The response has neither data nor errors.', null);
  return data;
}

/** Returns the event position in a response. `null` if the response has no position. */
function positionIn(data: unknown): number | null {
  const [told] = Object.values((data ?? {}) as Record<string, unknown>);
  const position =
    typeof told === 'object' && told !== null && 'position' in told ? told.position : undefined;
  return typeof position === 'number' ? position : null;
}

/** Creates an API client. Payers at a checkout don't need an API key, because the input of the mutation contains their token. */
export function openClient(url: string, apiKey: string | null): Client {
  const identity: Record<string, string> = apiKey === null ? {} : { 'x-api-key': apiKey };

  async function rest<T>(method: string, path: string, body?: object): Promise<T> {
    const headers = {
      ...identity,
      'content-type': 'application/json',
      ...(method === 'GET' ? {} : { 'idempotency-key': randomUUID() }),
    };
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (response.ok) return answer as T;
    const { error } = answer as RestFailure;
    throw new ApiError(error.code, error.message, response.headers.get('x-request-id'));
  }

  async function* list<T>(path: string): AsyncGenerator<T, void> {
    const first = `${path}${path.includes('?') ? '&' : '?'}limit=100`;
    for (let next: string | null = first; next !== null; ) {
      const page: Page<T> = await rest('GET', next);
      yield* page.data;
      next = page.nextCursor === undefined ? null : `${first}&cursor=${page.nextCursor}`;
    }
  }

  async function graphql<T>(query: string, variables: Record<string, unknown> = {}): Promise<T> {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { ...identity, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    return dataOf((await response.json()) as GraphqlAnswer<T>);
  }

  async function* nodes<T>(query: string): AsyncGenerator<T, void> {
    for (let after: string | null = null, hasNext = true; hasNext; ) {
      const [connection]: Connection<T>[] = Object.values(
        await graphql<Record<string, Connection<T>>>(query, { after }),
      );
      if (connection === undefined) throw new ApiError('unknown', 'The query has no connection.', null);
      yield* connection.edges.map(({ node }) => node);
      after = connection.pageInfo.endCursor;
      hasNext = connection.pageInfo.hasNextPage;
    }
  }

  async function* follow<T>(query: string, variables: Record<string, unknown> = {}): AsyncGenerator<T, void> {
    const socket = createClient({
      url: `${url.replace(/^http/, 'ws')}/graphql`,
      connectionParams: apiKey === null ? {} : { apiKey },
      retryAttempts: 20,
      shouldRetry: () => true,
    });
    // graphql-ws sends the current values of these variables each time that it connects.
    const resumed: Record<string, unknown> = { ...variables };
    try {
      for await (const answer of socket.iterate<T>({ query, variables: resumed })) {
        const data = dataOf(answer as GraphqlAnswer<T>);
        const position = positionIn(data);
        if (position !== null) resumed['afterPosition'] = position;
        yield data;
      }
    } finally {
      await socket.dispose();
    }
  }

  return {
    get: (path) => rest('GET', path),
    post: (path, body) => rest('POST', path, body),
    list,
    graphql,
    nodes,
    follow,
  };
}
