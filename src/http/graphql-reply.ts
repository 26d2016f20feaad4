import type { ExecutionResult } from 'graphql';
import { windowHeaders } from '../admission.ts';
import type { RequestContext } from '../context.ts';
import { addHttpStatus, type HttpDetails, shownErrors } from '../graphql/errors.ts';
import type { Reply } from './reply.ts';

const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' };

/** The answer to an operation as JSON. With errors it has the highest status one of them asks for, 200 where none does, and their headers. */
export function graphqlReply(result: ExecutionResult, ctx: RequestContext): Reply {
  let headers: Record<string, string> = { ...jsonHeaders, ...windowHeaders(ctx) };
  if (result.errors === undefined) return { status: 200, headers, body: JSON.stringify(result) };
  let status = 0;
  const errors = shownErrors(result, ctx).map((error) => {
    addHttpStatus(error, result);
    const { http = {}, ...extensions } = error.extensions as Record<string, unknown> & { http?: HttpDetails };
    status = Math.max(status, http.status ?? 0);
    headers = { ...headers, ...http.headers };
    return { ...error.toJSON(), extensions };
  });
  return { status: status || 200, headers, body: JSON.stringify({ ...result, errors }) };
}
