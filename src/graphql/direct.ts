import type { IncomingMessage } from 'node:http';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type { RequestContext } from '../context.ts';
import type { KnownQueries, KnownQuery } from './compiled.ts';
import { costOffence } from './limits.ts';

// The shortest way for what most requests are: a query asked for before, sent as JSON, to be answered as JSON. Everything else, and every
// failure, goes the long way through the server, which decides about forms, kinds of answers and statuses.

type Variables = Record<string, unknown>;

/** A known query with the variables it came with. */
export type Asked = { readonly query: KnownQuery; readonly variables: Variables };

const isObject = (value: unknown): value is Variables => typeof value === 'object' && value !== null && !Array.isArray(value);

const jsonType = /^application\/json(?:; ?charset=utf-8)?$/i;

/** Whether headers and address say no more than that JSON is sent to be answered by JSON. */
export function isPlainPost({ method, url, headers }: IncomingMessage): boolean {
  const { accept = '*/*', 'content-type': type = '' } = headers;
  const isJson = jsonType.test(type) && (accept === '*/*' || accept === 'application/json');
  return (
    method === 'POST' &&
    url === '/graphql' &&
    isJson &&
    headers['idempotency-key'] === undefined &&
    headers['content-encoding'] === undefined
  );
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
  } catch {
    return null;
  }
}

/** Whether a query may run with its variables; not where they do not fit it, which its cost is worked out from. */
function isWithinLimits(schema: GraphQLSchema, { query, variables }: Asked): boolean {
  try {
    return costOffence(schema, query.document, variables) === null;
  } catch {
    return false;
  }
}

/** What a body asks for, where that is a known query within the limits, and nothing else; null otherwise. */
export function knownQueryIn(bytes: Uint8Array, queries: KnownQueries, schema: GraphQLSchema): Asked | null {
  const body = parsed(bytes);
  if (!isObject(body)) return null;
  const { query: text, variables, operationName, ...others } = body;
  if (typeof text !== 'string' || Object.keys(others).length > 0) return null;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') return null;
  if (variables !== undefined && variables !== null && !isObject(variables)) return null;
  const query = queries.find(text, operationName);
  const asked = query === null ? null : { query, variables: variables ?? {} };
  return asked !== null && isWithinLimits(schema, asked) ? asked : null;
}

/** Runs a known query for a caller. */
export const runKnown = ({ query, variables }: Asked, context: RequestContext): ExecutionResult | Promise<ExecutionResult> =>
  query.run({ contextValue: context, variableValues: variables });
