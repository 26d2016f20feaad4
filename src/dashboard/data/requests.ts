import { createStore } from './store.ts';

// The requests of this tab, as the drawer shows them.

export type Request = {
  readonly name: string;
  readonly kind: string;
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
};

export type RecordedRequest = Request & {
  /** Counts the requests of the tab, from 1. */
  readonly number: number;
  readonly milliseconds: number;
  /** When its answer came, as an ISO text by the clock of this machine. */
  readonly at: string;
  /** The status of the answer. */
  readonly status: number;
  /** The code of its first error; null without errors. */
  readonly code: string | null;
  /** What it cost of the 50,000 a request may cost; null where the answer does not say so. */
  readonly cost: number | null;
  readonly requestId: string | null;
};

const most = 100;

/** The requests of the tab, the latest first. */
export const requests = createStore<readonly RecordedRequest[]>([]);

/** The number of the last request before the page on screen was opened. */
export const lastBefore = createStore(0);

const lastNumber = (): number => requests.get()[0]?.number ?? 0;

export function record(request: Request, outcome: Omit<RecordedRequest, keyof Request | 'number'>): void {
  const recorded = { ...request, ...outcome, number: lastNumber() + 1 };
  requests.set([recorded, ...requests.get()].slice(0, most));
}

/** From now on requests belong to another page. */
export const beginPage = (): void => lastBefore.set(lastNumber());
