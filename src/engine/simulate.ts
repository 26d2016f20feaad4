import type { Aggregate, DeadlineRow, DecisionDeps } from '../domain/subscription/state/aggregate.ts';
import { comesBefore } from '../domain/subscription/state/deadlines.ts';
import type { Gateways, LocalGateway } from '../providers/provider.ts';
import { type DecidedDeadline, decideDeadline } from './deadline.ts';
import { memorySeqs, reloaded, stored } from './reload.ts';

/** One deadline that time alone would execute, with the customer's billing state afterwards. Nothing of it is written. */
export type SimulationStep = Omit<DecidedDeadline, 'remote'> & {
  readonly deadline: DeadlineRow;
  /** When it would run: its due instant, or that of the step before where it was overdue. */
  readonly now: Date;
};

/** From where to where, with which gateways, and which deadlines count; all of them by default. */
export type SimulationOptions = {
  readonly from: Date;
  /** The last instant, included. */
  readonly until: Date;
  readonly gateways: Gateways;
  readonly deps: DecisionDeps;
  readonly isWanted?: (deadline: DeadlineRow) => boolean;
};

const settling: LocalGateway = { local: true, charge: () => ({ status: 'settled' }) };

/** Gateways of which each charge settles. */
export const settlingGateways: Gateways = { gatewayOf: () => settling };

/** The gateways, with those reached over a network taken to settle: nobody asks them about what may never happen. */
export const withoutRemotes = (gateways: Gateways): Gateways => ({
  gatewayOf: (provider, livemode) => {
    const gateway = gateways.gatewayOf(provider, livemode);
    return gateway.local ? gateway : settling;
  },
});

/** One customer on its way through time, with the deadline it comes to next. */
type SimulatedCustomer = { aggregate: Aggregate; next: DeadlineRow | null };

function nextOf({ deadlines }: Aggregate, { until, isWanted }: SimulationOptions): DeadlineRow | null {
  let first: DeadlineRow | null = null;
  for (const row of deadlines) {
    if (row.state !== 'ready' || row.dueAt > until || isWanted?.(row) === false) continue;
    if (first === null || comesBefore(row, first)) first = row;
  }
  return first;
}

function firstOf(travellers: readonly SimulatedCustomer[]): SimulatedCustomer | null {
  let found: SimulatedCustomer | null = null;
  for (const one of travellers) {
    if (one.next !== null && (found?.next == null || comesBefore(one.next, found.next))) found = one;
  }
  return found;
}

const withStates = (
  aggregate: Aggregate,
  stateOf: (row: DeadlineRow) => DeadlineRow['state'],
): Aggregate => ({
  ...aggregate,
  deadlines: aggregate.deadlines.map((row) => ({ ...row, state: stateOf(row) })),
});

/** What a step leaves of the deadlines that did not run: a parked one waits, a failed one sets the later ones of its subject aside. */
function afterwards(
  aggregate: Aggregate,
  deadline: DeadlineRow,
  status: DecidedDeadline['status'],
): Aggregate {
  if (status === 'completed') return aggregate;
  const isHit = ({ id, state, subscriptionId }: DeadlineRow): boolean =>
    id === deadline.id ||
    (status === 'failed' &&
      state === 'ready' &&
      subscriptionId !== null &&
      subscriptionId === deadline.subscriptionId);
  return withStates(aggregate, (row) => (isHit(row) ? status : row.state));
}

/**
 * What time alone would do to customers, step by step in the order of a clock run, in memory: the same decisions on the same facts, and
 * nothing written. Deadlines that failed before are tried again, as at the beginning of a run. Ends when nothing more is due.
 */
export function* timeline(
  aggregates: Iterable<Aggregate>,
  options: SimulationOptions,
): Generator<SimulationStep, void> {
  const seqs = memorySeqs();
  const travellers = [...aggregates].map((provided): SimulatedCustomer => {
    const aggregate = withStates(provided, ({ state }) => (state === 'failed' ? 'ready' : state));
    return { aggregate, next: nextOf(aggregate, options) };
  });
  let cursor = options.from;
  for (let one = firstOf(travellers); one?.next != null; one = firstOf(travellers)) {
    const { next: deadline } = one;
    if (deadline.dueAt > cursor) cursor = deadline.dueAt;
    const { remote: _remote, ...decided } = decideDeadline(
      options.gateways,
      one.aggregate,
      deadline,
      cursor,
      options.deps,
    );
    const aggregate = stored(afterwards(decided.aggregate, deadline, decided.status), seqs);
    yield { ...decided, aggregate, deadline, now: cursor };
    one.aggregate = reloaded(aggregate, cursor);
    one.next = nextOf(one.aggregate, options);
  }
}
