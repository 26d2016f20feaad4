import type { UsageBook } from './book.ts';
import { releaseHold } from './hold-end.ts';
import { extendHold, openHold } from './hold-open.ts';
import { settleHold } from './hold-settle.ts';
import type { UsageRequest } from './record.ts';
import { type Recorded, recordEvent } from './record-event.ts';

/** Records usage, or a step of a hold. Returns the rejection if the request is rejected. */
export function recordRequest(book: UsageBook, request: UsageRequest): Recorded {
  const { hold: step } = request;
  switch (step?.kind) {
    case undefined:
      return recordEvent(book, request);
    case 'open':
      return openHold(book, request, step);
    case 'settle':
      return settleHold(book, request, step);
    case 'release':
      return releaseHold(book, step.hold);
    case 'extend':
      return extendHold(book, request, step);
  }
}
