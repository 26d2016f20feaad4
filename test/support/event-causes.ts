import { expect } from 'vitest';

/** What every event says about where it comes from and what it is about. */
export const causeFields = 'summary source actorId actorName requestId subject { __typename } ';

export type CauseDetails = {
  readonly event: string;
  readonly summary: string;
  readonly source: string;
  readonly actorId: string | null;
  readonly actorName: string | null;
  readonly requestId: string | null;
  readonly subject: { readonly __typename: string } | null;
};

const withoutRequest = ['clock', 'worker', 'provider'];

/** Asserts that an event says in a sentence what happened, names its subject, and says who asked and by which request wherever someone did. */
export function expectCause({ event, summary, source, actorId, requestId, subject }: CauseDetails): void {
  expect(summary, event).toMatch(/^[A-Z$€¥0-9][^{}[\]]*[^.\s]\.$/);
  expect(summary, event).not.toMatch(/undefined|null|NaN|\[object| {2}/);
  expect(subject === null, `${event} has a subject`).toBe(event === 'payout_available');
  expect(requestId === null, `${event} of ${source} has a request`).toBe(withoutRequest.includes(source));
  if (source === 'api') expect(actorId, event).toMatch(/^key_/);
  else if (source === 'clock' || source === 'worker') expect(actorId, event).toBeNull();
  else expect(actorId, `${event} of ${source}`).not.toBeNull();
}
