import { randomUUID } from 'node:crypto';
import { createClient } from 'graphql-ws';

// A small client for all three doors: REST, GraphQL over HTTP, and live fields over WebSocket. It is meant to be copied.

/** A rejection of the service: `code` is stable and meant for programs, `message` is a sentence for people. */
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

/** The doors of a service, as one caller. Every method throws ApiError for a rejection. */
export type Client = {
  /** Reads an object over REST. `path` is below /api/v1 and begins with a slash. */
  readonly get: <T>(path: string) => Promise<T>;
  /** Writes over REST, each call under an idempotency key of its own. */
  readonly post: <T>(path: string, body: object) => Promise<T>;
  /** Every item of a REST list, read page by page as it is asked for, newest first. */
  readonly list: <T>(path: string) => AsyncGenerator<T, void>;
  /** Runs a query or a mutation and answers its data. */
  readonly graphql: <T>(query: string, variables?: Record<string, unknown>) => Promise<T>;
  /** Every node of the one connection a query asks for, read page by page. The query takes `$after: String` and selects `pageInfo { hasNextPage endCursor }`. */
  readonly nodes: <T>(query: string) => AsyncGenerator<T, void>;
  /**
   * Follows a live field until the service completes it. Each call opens a socket and closes it at the end. A lost connection is opened again;
   * a query that takes `$afterPosition: SafeInt` and selects `position` then goes on behind the last event, so that each comes once.
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

/** The data of a GraphQL answer. Throws ApiError for its first error. */
function dataOf<T>({ data, errors = [] }: GraphqlAnswer<T>): T {
  const [error] = errors;
  if (error !== undefined)
    throw new ApiError(
      error.extensions?.code ?? 'unknown',
      error.message,
      error.extensions?.requestId ?? null,
    );
  if (data === null || data === undefined)
    throw new ApiError('unknown', 'The answer has neither data nor errors.', null);
  return data;
}

/** The position of the event an answer tells of; null where it tells of none. */
function positionIn(data: unknown): number | null {
  const [told] = Object.values((data ?? {}) as Record<string, unknown>);
  const position =
    typeof told === 'object' && told !== null && 'position' in told ? told.position : undefined;
  return typeof position === 'number' ? position : null;
}

/** Opens the doors of the service at `url`. A payer at a checkout has no key: its token goes into the input of the mutation. */
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
      if (connection === undefined) throw new ApiError('unknown', 'The query asks for no connection.', null);
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
    // Sent again with each connection, as it then is.
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
