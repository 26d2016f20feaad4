/** Status and body of the response to a request with an idempotency key. */
export type Answer = {
  readonly status: number;
  readonly body: string;
  /** Time in seconds after which the client can retry the request. */
  readonly retryAfter?: number;
  /** Error that caused the response. Never sent to the client. */
  readonly cause?: unknown;
};

/** True if the response is stored under its key, because a retry would get the same result. Other responses release the key. */
export const isFinal = ({ status }: Answer): boolean =>
  status < 500 && status !== 401 && status !== 403 && status !== 429;
