import { expect } from 'vitest';

/** GraphQL selection for an event's cause and subject. */
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

/** Types of events without a subject. These events concern the organization's funds, a payment route, or a deleted tax registration. */
const withoutSubject = ['payout_available', 'payment_route_updated', 'tax_registration_deleted'];

const withoutRequest = ['clock', 'worker', 'provider'];

/**
 * Asserts that an event has a subject, and a summary that is a sentence. If a caller caused the event, also asserts that the event
 * identifies the caller and the request.
 */
export function expectCause({ event, summary, source, actorId, requestId, subject }: CauseDetails): void {
  expect(summary, event).toMatch(/^[A-Z$€¥0-9][^{}[\]]*[^.\s]\.$/);
  expect(summary, event).not.toMatch(/undefined|null|NaN|\[object| {2}/);
  expect(subject === null, `${event} has a subject`).toBe(withoutSubject.includes(event));
  expect(requestId === null, `${event} of ${source} has a request`).toBe(withoutRequest.includes(source));
  if (source === 'api') expect(actorId, event).toMatch(/^key_/);
  else if (source === 'clock' || source === 'worker') expect(actorId, event).toBeNull();
  else expect(actorId, `${event} of ${source}`).not.toBeNull();
}
