/** Status and body of an answer, before headers. */
export type Answer = {
  readonly status: number;
  readonly body: string;
  /** Seconds to wait, where trying again helps. */
  readonly retryAfter?: number;
  /** The error, on a failure; never shown. */
  readonly cause?: unknown;
};

/** Whether an answer is stored under its key: success, and rejections the same request would meet again. Any other releases the key. */
export const isFinal = ({ status }: Answer): boolean =>
  status < 500 && status !== 401 && status !== 403 && status !== 429;
