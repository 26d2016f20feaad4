import type { ExecutionResult } from 'graphql';
import { addHttpStatus, type HttpDetails, shownErrors } from '../graphql/declare/errors.ts';
import { windowHeaders } from '../request/admission.ts';
import type { RequestContext } from '../request/context.ts';
import type { Reply } from './reply.ts';

const jsonHeaders = { 'Content-Type': 'application/json; charset=utf-8' };

/**
 * Returns the JSON response for an operation. If there are errors, the response gets their highest status and their headers. Otherwise, the
 * status is 200.
 */
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
