import type { Rejection } from '../errors/errors.ts';
import type { Throttle } from '../limits/throttle.ts';
import type { UsageEventRow } from './record.ts';

/** Result of a usage request. If a request is repeated, the result is the stored event, without the delay that limits asked for. */
export type Recorded =
  | { readonly event: UsageEventRow; readonly isRepetition: boolean; readonly throttle?: Throttle | null }
  | { readonly rejection: Rejection };
