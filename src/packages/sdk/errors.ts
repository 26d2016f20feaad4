import type { ErrorCodes } from './generated/types.ts';

/** Body of an error response. */
export type ErrorBody = {
  readonly type: string;
  readonly code: string;
  readonly message: string;
  readonly param?: string;
  readonly details?: unknown;
  readonly doc_url?: string;
  /** HTTP status of the code. Contained in errors of GraphQL, whose responses have the status 200. */
  readonly status?: number;
  /** Seconds after which the same request can succeed. */
  readonly retryAfter?: number | null;
};

/** Response of REST or GraphQL that contains an error. GraphQL returns the fields of the error as extensions. */
type ErrorResponse = {
  readonly error?: ErrorBody;
  readonly errors?: readonly { readonly message: string; readonly extensions?: Partial<ErrorBody> }[];
};

const unknownError = { type: 'internal_error', code: 'internal_error' };

/** Returns the first error in a response of REST or GraphQL. `null` if the response contains none, such as the page of a proxy. */
export function errorIn(response: unknown): ErrorBody | null {
  const { error, errors: [first] = [] } = (response ?? {}) as ErrorResponse;
  if (first === undefined) return error ?? null;
  return { ...unknownError, ...first.extensions, message: first.message };
}

type ErrorInit = ErrorBody & {
  readonly status: number;
  readonly requestId: string | null;
};

/** Error response of the API. The subclasses correspond to `type`. */
export class QuittanceError extends Error {
  override readonly name: string = 'QuittanceError';
  readonly type: string;
  readonly code: string;
  readonly status: number;
  /** First invalid input. `undefined` if the error doesn't concern an input. */
  readonly param: string | undefined;
  readonly details: unknown;
  readonly docUrl: string | undefined;
  readonly requestId: string | null;
  readonly retryAfter: number | null;

  constructor({ message, type, code, status, param, details, doc_url, requestId, retryAfter }: ErrorInit) {
    super(message);
    this.type = type;
    this.code = code;
    this.status = status;
    this.param = param;
    this.details = details;
    this.docUrl = doc_url;
    this.requestId = requestId;
    this.retryAfter = retryAfter ?? null;
  }
}

/** Details of the error codes whose details have a documented form. */
type DetailsByCode = {
  validation_error: readonly { readonly field: string; readonly message: string }[];
};

/** Error with one of the codes. Comparing `code` narrows `details`. */
type WithCode<Code extends string> = {
  [One in Code]: QuittanceError & {
    readonly code: One;
    readonly details: One extends keyof DetailsByCode ? DetailsByCode[One] : unknown;
  };
}[Code];

/** Class of the errors with a type. `instanceof` narrows an error to the codes of the type. */
type ErrorClass<Type extends keyof ErrorCodes> = new (init: ErrorInit) => WithCode<ErrorCodes[Type]>;

const classOf = <Type extends keyof ErrorCodes>(name: string): ErrorClass<Type> =>
  class extends QuittanceError {
    override readonly name = name;
  } as unknown as ErrorClass<Type>;

export const ValidationError = classOf<'validation_error'>('ValidationError');
export const AuthenticationError = classOf<'authentication_error'>('AuthenticationError');
export const NotFoundError = classOf<'not_found_error'>('NotFoundError');
export const ConflictError = classOf<'conflict_error'>('ConflictError');
export const BillingError = classOf<'billing_error'>('BillingError');
export const RateLimitError = classOf<'rate_limit_error'>('RateLimitError');
export const InternalError = classOf<'internal_error'>('InternalError');

/** Rejection by the policy of an API key. `details.reason` is the limit that rejected the request. */
export class PolicyError extends QuittanceError {
  override readonly name: string = 'PolicyError';
  declare readonly details: { readonly reason: string };
}

/** Rejection of a request that a person must approve. Repeat the request after the approval. */
export class ApprovalRequired extends PolicyError {
  override readonly name = 'ApprovalRequired';
  declare readonly details: {
    readonly reason: 'approval_required' | 'preview_changed';
    readonly approvalId: string;
    readonly expiresAt: string;
    readonly previewHash: string;
    readonly url: string;
  };
}

/** Failure to reach the API, after all retries. `cause` is the error of the last attempt. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** Attempt that took longer than `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError';
}

const temporaryStatuses = new Set([408, 429, 500, 502, 503, 504]);

/** Returns true if the same request can succeed later. */
export const isTemporary = (error: unknown): error is QuittanceError | ConnectionError =>
  error instanceof ConnectionError ||
  (error instanceof QuittanceError &&
    (temporaryStatuses.has(error.status) || error.code === 'idempotency_in_progress'));

const classes: Readonly<Record<string, new (init: ErrorInit) => QuittanceError>> = {
  validation_error: ValidationError,
  authentication_error: AuthenticationError,
  not_found_error: NotFoundError,
  conflict_error: ConflictError,
  billing_error: BillingError,
  rate_limit_error: RateLimitError,
  internal_error: InternalError,
};

const reasonOf = (details: unknown): string => {
  const { reason } = (details ?? {}) as { reason?: unknown };
  return typeof reason === 'string' ? reason : '';
};

/** Returns the error for an error response. */
export function errorOf(init: ErrorInit): QuittanceError {
  const reason = reasonOf(init.details);
  if (reason === 'approval_required' || reason === 'preview_changed') return new ApprovalRequired(init);
  if (reason.startsWith('policy_')) return new PolicyError(init);
  return new (classes[init.type] ?? QuittanceError)(init);
}
