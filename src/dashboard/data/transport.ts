import type { Exchange, Operation, OperationResult } from '@urql/core';
import { CombinedError, makeErrorResult } from '@urql/core';
import { filter, make, merge, mergeMap, pipe, takeUntil } from 'wonka';
import { ApiError, errorOf, type GraphqlError, noAnswer } from './api-error.ts';
import { proven } from './identity-confirmation.ts';
import { base, environment, organization } from './place.ts';
import { type Request, record } from './requests.ts';
import { renewed } from './session.ts';
import { nameOf, textOf, variablesFor } from './texts.ts';

/** Options that change how a GraphQL request is sent. */
export type RequestOptions = {
  /** Idempotency key of a mutation. Repeated requests with the same key take effect once. */
  readonly idempotencyKey?: string;
  /** True to return the error for an unauthenticated request instead of opening the sign-in dialog. */
  readonly isAnonymous?: boolean;
  /** True to send no organization, for a request about the signed-in user that must also work if the selected organization is another user's. */
  readonly isPersonal?: boolean;
  /** API key that authenticates this request only. */
  readonly apiKey?: string;
  /** Additional headers, which override the default headers. */
  readonly headers?: Readonly<Record<string, string>>;
};

type Answer = {
  readonly data?: unknown;
  readonly errors?: readonly GraphqlError[];
  readonly extensions?: { readonly cost?: { readonly requested: number } };
};

/** GraphQL response with its headers and duration. */
export type Posted = {
  readonly answer: Answer;
  readonly response: Response;
  readonly milliseconds: number;
};

const attemptsWhenLimited = 3;

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

function headersOf({ idempotencyKey, apiKey, headers, isPersonal }: RequestOptions): Record<string, string> {
  const chosen = isPersonal === true ? null : organization.get();
  const caller: Record<string, string> =
    apiKey === undefined
      ? {
          'x-quittance-csrf': '1',
          'x-environment': environment.get(),
          ...(chosen === null ? {} : { 'x-organization': chosen }),
        }
      : { 'x-api-key': apiKey };
  return {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    'x-quittance-cost': '1',
    ...caller,
    ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...headers,
  };
}

/** Sends a request once and returns the response, even if it contains errors. Throws an `ApiError` if there is no response. */
export async function post(request: Request, options: RequestOptions, signal: AbortSignal): Promise<Posted> {
  const { document: query, variables, name: operationName } = request;
  const began = performance.now();
  const fail = (): never => {
    throw noAnswer();
  };
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: headersOf(options),
    body: JSON.stringify({ query, variables, ...(operationName === '' ? {} : { operationName }) }),
    signal,
    ...(options.apiKey === undefined ? {} : { credentials: 'omit' }),
  }).catch(fail);
  const answer = (await response.json().catch(fail)) as Answer;
  const milliseconds = performance.now() - began;
  if (options.apiKey === undefined)
    record(request, {
      milliseconds,
      at: new Date().toISOString(),
      status: response.status,
      code: answer.errors?.[0] === undefined ? null : errorOf(answer.errors, response).code,
      cost: answer.extensions?.cost?.requested ?? null,
      requestId: response.headers.get('x-request-id'),
    });
  return { answer, response, milliseconds };
}

/** Sends a request once. Throws an `ApiError` if the response has no data. */
async function sendOnce(request: Request, options: RequestOptions, signal: AbortSignal): Promise<Posted> {
  const posted = await post(request, options, signal);
  const { errors = [], data } = posted.answer;
  const isPart = request.kind === 'query' && typeof data === 'object' && data !== null;
  const hasSome = isPart && Object.values(data).some((value) => value !== null);
  if (errors.length > 0 && !hasSome) throw errorOf(errors, posted.response);
  return posted;
}

/**
 * Sends a request. Retries once after a sign-in if the session has expired, after an identity confirmation if the service requires it, and after a pause
 * if the rate limit was reached.
 */
async function send(request: Request, options: RequestOptions, signal: AbortSignal): Promise<Posted> {
  let isRenewed = options.isAnonymous === true;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(request, options, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || options.apiKey !== undefined) throw error;
      if (error.code === 'unauthorized' && !isRenewed) {
        await renewed();
        isRenewed = true;
      } else if (error.code === 'reauthentication_required' && attempt === 1 && (await proven())) continue;
      else if (error.code === 'rate_limited' && attempt < attemptsWhenLimited)
        await pause(error.retryAfterSeconds ?? 1);
      else throw error;
    }
  }
}

const optionsOf = ({ context }: Operation): RequestOptions =>
  (context as { readonly request?: RequestOptions }).request ?? {};

async function resultOf(operation: Operation, signal: AbortSignal): Promise<OperationResult> {
  const document = textOf(operation.query);
  const request = {
    name: nameOf(operation.query),
    kind: operation.kind,
    document,
    variables: variablesFor(document, (operation.variables ?? {}) as Record<string, unknown>),
  };
  try {
    const {
      answer: { data, errors },
      response,
    } = await send(request, optionsOf(operation), signal);
    const result = { operation, data, stale: false, hasNext: false };
    if (errors === undefined || errors.length === 0) return result;
    return { ...result, error: new CombinedError({ graphQLErrors: [...errors], response }) };
  } catch (error) {
    const failure = error instanceof Error ? error : new Error(String(error));
    return makeErrorResult(operation, failure);
  }
}

/** Sends queries and mutations with this browser's session. */
export const transport: Exchange =
  ({ forward }) =>
  (operations$) => {
    const isOurs = ({ kind }: Operation): boolean => kind === 'query' || kind === 'mutation';
    const results$ = pipe(
      operations$,
      filter(isOurs),
      mergeMap((operation) => {
        const ended$ = pipe(
          operations$,
          filter(({ kind, key }) => kind === 'teardown' && key === operation.key),
        );
        const result$ = make<OperationResult>(({ next, complete }) => {
          const stop = new AbortController();
          // Components read cached results while they render. Therefore, the request is sent after the render, unless it has been canceled by then.
          void Promise.resolve().then(async () => {
            if (stop.signal.aborted) return;
            const result = await resultOf(operation, stop.signal);
            if (stop.signal.aborted) return;
            next(result);
            complete();
          });
          return () => stop.abort();
        });
        return pipe(result$, takeUntil(ended$));
      }),
    );
    return merge([
      results$,
      pipe(
        operations$,
        filter((operation) => !isOurs(operation)),
        forward,
      ),
    ]);
  };
