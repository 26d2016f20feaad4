import { CombinedError } from '@urql/core';
import { createStore } from './store.ts';

/** What is wrong with one input, by its path. */
export type FieldProblem = { readonly field: string; readonly message: string };

type Parts = {
  readonly code: string;
  readonly status?: number;
  readonly message: string;
  readonly details?: unknown;
  readonly requestId?: string | null;
  readonly retryAfterSeconds?: number | null;
};

const isProblem = (value: unknown): value is FieldProblem =>
  typeof value === 'object' && value !== null && 'field' in value && 'message' in value;

/** A request that was rejected, or has no answer (`no_answer`). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: string;
  readonly status: number;
  /** Problems of single inputs. */
  readonly details: readonly FieldProblem[];
  /** Names the request in the service's log. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor({ code, status = 0, message, details, requestId = null, retryAfterSeconds = null }: Parts) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = Array.isArray(details) ? details.filter(isProblem) : [];
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** Whether the request may have been carried out although no answer says so. */
  get isUncertain(): boolean {
    return this.status === 0 || this.status >= 500;
  }

  /** Problems by the last part of their path, as forms take them. */
  get fields(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.details.map(({ field, message }) => [field.split('.').at(-1) ?? field, message]),
    );
  }
}

/** What a request without an answer says, in the language of the page. */
export const noAnswerText = createStore('');

/** The error of a request without an answer. */
export const noAnswer = (): ApiError => new ApiError({ code: 'no_answer', message: noAnswerText.get() });

/** An error as GraphQL answers it. */
export type GraphqlError = {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
};

/** The first of the errors of an answer. */
export function errorOf(errors: readonly GraphqlError[], response: Response | undefined): ApiError {
  const [first] = errors;
  const extensions = first?.extensions ?? {};
  const retryAfter = Number(response?.headers.get('retry-after'));
  return new ApiError({
    code: String(extensions['code'] ?? 'internal_error'),
    status: Number(extensions['status'] ?? response?.status ?? 0),
    message: first?.message ?? '',
    details: extensions['details'],
    requestId: response?.headers.get('x-request-id') ?? null,
    retryAfterSeconds: retryAfter > 0 ? retryAfter : null,
  });
}

/** What the client reports, as an ApiError. */
export function apiErrorOf(error: CombinedError | undefined): ApiError | null {
  if (error === undefined) return null;
  // The client wraps what the transport reports once more.
  if (error.networkError instanceof CombinedError) return apiErrorOf(error.networkError);
  if (error.networkError instanceof ApiError) return error.networkError;
  if (error.graphQLErrors.length > 0) return errorOf(error.graphQLErrors, error.response);
  return noAnswer();
}
