import { CombinedError } from '@urql/core';
import { wordsOf } from '../words/words.ts';

/** Error for a form field. `field` is the path of the field in the input. */
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

/** Error of a rejected request, or of a request without a response (`no_answer`). */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: string;
  readonly status: number;
  /** Errors for individual input fields. */
  readonly details: readonly FieldProblem[];
  /** Request ID in the service's log. `null` if there was no response. */
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

  /** True if the request may have taken effect because no response arrived. */
  get isUncertain(): boolean {
    return this.status === 0 || this.status >= 500;
  }

  /** Error messages for fields, by the last segment of the field path. */
  get fields(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.details.map(({ field, message }) => [field.split('.').at(-1) ?? field, message]),
    );
  }
}

/** Creates the error for a request that got no response. */
export const noAnswer = (): ApiError =>
  new ApiError({ code: 'no_answer', message: wordsOf('shell').errors.noAnswer });

export type GraphqlError = {
  readonly message: string;
  readonly extensions?: Readonly<Record<string, unknown>>;
};

/** Converts the first error of a response to an `ApiError`. */
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

/** Converts an error from the GraphQL client to an `ApiError`. */
export function apiErrorOf(error: CombinedError | undefined): ApiError | null {
  if (error === undefined) return null;
  // The client wraps transport errors in another `CombinedError`.
  if (error.networkError instanceof CombinedError) return apiErrorOf(error.networkError);
  if (error.networkError instanceof ApiError) return error.networkError;
  if (error.graphQLErrors.length > 0) return errorOf(error.graphQLErrors, error.response);
  return noAnswer();
}
