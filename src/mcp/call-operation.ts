import { validationError } from '../domain/errors/errors.ts';
import { asNames } from '../graphql/declare/enum-spelling.ts';
import { approvalHeader, dryRunHeader } from '../graphql/declare/request-parts.ts';
import type { Reply } from '../http/reply.ts';
import type { HttpRequest } from '../http/request.ts';
import type { ToolOperation } from './operations.ts';
import { textOf } from './untrusted.ts';

// Executes tools through the REST API and the GraphQL endpoint of the same process, so that access, rate limits, idempotency, and errors
// are the same.

/** Processes a request in the same way as the HTTP server. */
export type Dispatch = (request: HttpRequest) => Promise<Reply>;

/** Result of a tool call. `structuredContent` contains the unchanged data, and `content` contains text for a language model. */
export type ToolResult = {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta?: Record<string, unknown>;
};

type Values = Readonly<Record<string, unknown>>;

/** Converts a result to the protocol's format. Lists JSON pointers to strings that people outside the organization wrote. */
export function resultOf(value: unknown, isError = false): ToolResult {
  const { text, pointers } = textOf(value);
  return {
    content: [{ type: 'text', text }],
    ...(typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { structuredContent: value as Record<string, unknown> }
      : {}),
    ...(isError ? { isError: true } : {}),
    ...(pointers.length === 0 ? {} : { _meta: { 'quittance/untrusted': pointers } }),
  };
}

/** Returns an error in the format of the REST API. */
const failed = (error: Values): ToolResult => resultOf({ error }, true);

/** Returns the API request for a tool call, with the caller's credentials and a new body. */
function requestTo(
  outer: HttpRequest,
  key: string,
  { method, address, body }: { readonly method: string; readonly address: string; readonly body: unknown },
  extra: Readonly<Record<string, string>>,
): HttpRequest {
  const headers = new Headers({ 'content-type': 'application/json', 'x-api-key': key, ...extra });
  const [path = ''] = address.split('?');
  const bytes = new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body));
  return {
    id: outer.id,
    method,
    address,
    path: decodeURI(path),
    host: outer.host,
    headers: { get: (name) => headers.get(name), all: () => headers },
    remoteAddress: outer.remoteAddress,
    socketAddress: outer.socketAddress,
    bytes: () => Promise.resolve(bytes),
    body: bytes,
    sentBy: 'mcp',
    signal: outer.signal,
  };
}

type GraphqlAnswer = {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Values }[];
};

/** Returns the result of a GraphQL operation. If the operation fails, returns its first error. */
function graphqlResult({ field }: ToolOperation, { data, errors: [error] = [] }: GraphqlAnswer): ToolResult {
  if (error !== undefined) return failed({ ...error.extensions, message: error.message });
  const value = data?.[field.name] ?? null;
  return resultOf(typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { value });
}

const textOfBody = (body: Reply['body']): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : typeof body === 'string' ? body : '';

/** Operation to call, with the arguments, credentials, and idempotency key to send. */
export type OperationCall = {
  readonly operation: ToolOperation;
  readonly values: Values;
  readonly key: string;
  readonly idempotencyKey: string | null;
  readonly isDryRun: boolean;
  /** ID of the approval of the call. `null` if the call names none. */
  readonly approvalId: string | null;
};

/** Throws `validation_error` if an argument in the path is missing, because no route would match the request. */
function requirePath({ route }: ToolOperation, values: Values): void {
  const missing = (route?.inputs ?? []).filter(
    ({ name, place }) => place === 'path' && (values[name] ?? '') === '',
  );
  if (missing.length > 0)
    throw validationError(missing.map(({ name }) => ({ field: name, message: 'is required' })));
}

/** Executes an operation with the caller's key. Returns the operation's errors as results with `isError`. */
export async function callOperation(
  dispatch: Dispatch,
  outer: HttpRequest,
  { operation, values, key, idempotencyKey, isDryRun, approvalId }: OperationCall,
): Promise<ToolResult> {
  const { route, inputs } = operation;
  requirePath(operation, values);
  const named = new Map(inputs.map(({ name, definition }) => [name, definition]));
  // REST accepts stored enum values, whereas GraphQL accepts enum names.
  const sent =
    route === null
      ? Object.fromEntries(
          Object.entries(values).map(([name, value]) => {
            const definition = named.get(name);
            return [name, definition === undefined ? value : asNames(definition.type, value)];
          }),
        )
      : values;
  const reply = await dispatch(
    requestTo(outer, key, operation.requestOf(sent), {
      ...(idempotencyKey === null || isDryRun ? {} : { 'idempotency-key': idempotencyKey }),
      ...(isDryRun ? { [dryRunHeader]: '1' } : {}),
      ...(approvalId === null ? {} : { [approvalHeader]: approvalId }),
    }),
  );
  const value: unknown = JSON.parse(textOfBody(reply.body) || 'null');
  if (route === null) return graphqlResult(operation, (value ?? {}) as GraphqlAnswer);
  return resultOf(value, reply.status >= 400);
}
