import { createStore } from './store.ts';

// Records the requests of this tab for the developer panel.

export type Request = {
  readonly name: string;
  readonly kind: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

export type RecordedRequest = Request & {
  /** Sequence number of the request in this tab, starting at 1. */
  readonly number: number;
  readonly milliseconds: number;
  /** System time of the response, in ISO 8601 format. */
  readonly at: string;
  readonly status: number;
  /** Code of the first error. `null` if there are no errors. */
  readonly code: string | null;
  /** Query cost, up to 50,000. `null` if the response doesn't contain it. */
  readonly cost: number | null;
  readonly requestId: string | null;
};

const maxRequests = 100;

/** Recorded requests, newest first. */
export const requests = createStore<readonly RecordedRequest[]>([]);

/** Sequence number of the last request before the current page opened. */
export const lastBefore = createStore(0);

const lastNumber = (): number => requests.get()[0]?.number ?? 0;

export function record(request: Request, outcome: Omit<RecordedRequest, keyof Request | 'number'>): void {
  const recorded = { ...request, ...outcome, number: lastNumber() + 1 };
  requests.set([recorded, ...requests.get()].slice(0, maxRequests));
}

/** Assigns subsequent requests to the new page. */
export const beginPage = (): void => lastBefore.set(lastNumber());
