import { minuteMs } from '../domain/period.ts';
import type { DeadlineCommand, DeadlineKind, DeadlineRow } from '../domain/subscription/aggregate.ts';
import { commandOf, deadlineRanks } from '../domain/subscription/deadlines.ts';

/** How a kind of deadline is shown in a clock run (BIL-55); null for what is not counted there. */
export type ItemKind = 'billing_cycle' | 'dunning_retry' | null;

/** A kind of deadline: where it stands among others of its instant, what it becomes, how a run shows it. */
export type KindFacts = {
  readonly rank: number;
  readonly item: ItemKind;
  /** The command of a due deadline; `now` is when it is executed (protocols B2). */
  readonly command: (row: DeadlineRow, now: Date) => DeadlineCommand;
};

const kind = (name: DeadlineKind, item: ItemKind): KindFacts => ({ rank: deadlineRanks[name], item, command: commandOf });

/** The one list of what happens by itself, in order of rank (BIL-2). */
export const deadlineKinds: { readonly [name in DeadlineKind]: KindFacts } = {
  quote_expiry: kind('quote_expiry', 'billing_cycle'),
  dunning_retry: kind('dunning_retry', 'dunning_retry'),
  grant_expiry: kind('grant_expiry', 'billing_cycle'),
  start: kind('start', 'billing_cycle'),
  trial_end: kind('trial_end', 'billing_cycle'),
  period_end: kind('period_end', 'billing_cycle'),
  window_reset: kind('window_reset', 'billing_cycle'),
  daily_scan: kind('daily_scan', null),
};

/** How long a failed deadline waits in real time before its next attempt: 1 minute after the first failure, doubling up to 1 hour (protocols B5). */
export const retryDelayMs = (attempts: number): number => Math.min(2 ** Math.max(0, attempts - 1), 60) * minuteMs;
