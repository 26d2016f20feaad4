import { BillingError, ConnectionError, QuittanceError, TimeoutError } from '@quittance/sdk';
import { APIError } from 'openai';

// Errors in OpenAI's format, so that clients of OpenAI read them like errors of the provider.

export type Failure = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error: Readonly<Record<string, unknown>>;
};

export const failure = (status: number, type: string, code: string, message: string): Failure => ({
  status,
  error: { message, type, param: null, code },
});

/** Limit that rejected a hold. */
type RejectingLimit = {
  readonly name: string | null;
  readonly node: { readonly key: string };
  readonly unit: string;
  readonly asked: string;
  readonly remaining: string | null;
  readonly resetsAt: string | null;
  /** Earliest time at which the limit accepts the same request. `null` if waiting doesn't help. */
  readonly fitsAt: string | null;
};

/** Returns the failure of a request that a budget or the balance rejected. 429 if the same request fits later, and 402 otherwise. */
function rejectionOf(rejected: InstanceType<typeof BillingError>): Failure {
  const limits =
    (rejected.details as { readonly limits?: readonly RejectingLimit[] } | undefined)?.limits ?? [];
  const [limit] = limits;
  if (limit === undefined) return failure(402, 'insufficient_quota', rejected.code, rejected.message);
  const { name, node, unit, asked: needed, remaining, resetsAt, fitsAt } = limit;
  const message = `The budget ${node.key} has ${remaining} ${unit} left. This request needs ${needed} ${unit}.`;
  const figures = { budget: node.key, limit: name, remaining, unit, resets_at: resetsAt, fits_at: fitsAt };
  const rejection = (status: number): Failure => {
    const { error } = failure(status, 'insufficient_quota', 'budget_exceeded', message);
    return { status, error: { ...error, ...figures } };
  };
  if (limits.some((one) => one.fitsAt === null)) return rejection(402);
  const fits = Math.max(...limits.map((one) => Date.parse(one.fitsAt ?? '')));
  const seconds = Math.max(1, Math.ceil((fits - Date.now()) / 1_000));
  // Clients of OpenAI retry the status 429 a few times, unless the response forbids it.
  return { ...rejection(429), headers: { 'x-should-retry': 'false', 'retry-after': String(seconds) } };
}

/** Returns the failure for an error of the provider or of Quittance. The provider isn't called if Quittance can't open a hold. */
export function failureOf(error: unknown): Failure {
  if (error instanceof BillingError) return rejectionOf(error);
  if (error instanceof QuittanceError && ['model_not_found', 'validation_error'].includes(error.code))
    return failure(error.status, 'invalid_request_error', error.code, error.message);
  if (error instanceof QuittanceError || error instanceof ConnectionError || error instanceof TimeoutError) {
    console.error(error);
    return failure(503, 'api_error', 'billing_unavailable', 'Budgets are unavailable. Try again later.');
  }
  // Errors that concern the key of the gateway aren't the caller's.
  if (error instanceof APIError && [400, 404, 413, 422, 429].includes(error.status ?? 0)) {
    const { status, message, type = 'api_error', param = null, code = null } = error;
    return { status, error: { message, type, param, code } };
  }
  console.error(error);
  return failure(502, 'api_error', 'upstream_error', 'The provider failed. Try again later.');
}
