import type { Aggregate, DeadlineRow, DecisionDeps } from '../domain/subscription/state/aggregate.ts';
import { comesBefore } from '../domain/subscription/state/deadlines.ts';
import type { Gateways, LocalGateway } from '../providers/provider.ts';
import { type DecidedDeadline, decideDeadline } from './deadline.ts';
import { memorySeqs, reloaded, stored } from './load/reload.ts';

/** Result of a simulated deadline, with the customer's billing state after it. */
export type SimulationStep = Omit<DecidedDeadline, 'remote'> & {
  readonly deadline: DeadlineRow;
  /**
   * Time at which the deadline would run: its due time, or the time of the previous step if it was overdue.
   */
  readonly now: Date;
};

/** Simulation parameters. By default, all deadlines of the customers are simulated. */
export type SimulationOptions = {
  readonly from: Date;
  /** End of the simulation, inclusive. */
  readonly until: Date;
  readonly gateways: Gateways;
  readonly deps: DecisionDeps;
  readonly isWanted?: (deadline: DeadlineRow) => boolean;
};

const settling: LocalGateway = { local: true, charge: () => ({ status: 'settled' }) };

/** Simulated providers whose charges always succeed. */
export const settlingGateways: Gateways = { gatewayOf: () => settling };

/** Replaces remote providers with simulated ones, because a simulation must not call providers. */
export const withoutRemotes = (gateways: Gateways): Gateways => ({
  gatewayOf: (provider, livemode) => {
    const gateway = gateways.gatewayOf(provider, livemode);
    return gateway.local ? gateway : settling;
  },
});

type SimulatedCustomer = { aggregate: Aggregate; next: DeadlineRow | null };

function nextOf({ deadlines }: Aggregate, { until, isWanted }: SimulationOptions): DeadlineRow | null {
  let first: DeadlineRow | null = null;
  for (const row of deadlines) {
    if (row.state !== 'ready' || row.dueAt > until || isWanted?.(row) === false) continue;
    if (first === null || comesBefore(row, first)) first = row;
  }
  return first;
}

function firstOf(simulated: readonly SimulatedCustomer[]): SimulatedCustomer | null {
  let found: SimulatedCustomer | null = null;
  for (const one of simulated) {
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

/**
 * Updates the deadlines after a deadline that wasn't processed. A `parked` deadline stays on hold. After a failed
 * deadline, later deadlines of the same subject are postponed.
 */
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
 * Simulates the customers' deadlines in memory, in the same order as a clock run. Makes the same decisions as
 * a clock run, without writing them. Retries deadlines that failed earlier, as a clock run does at its start.
 * Ends when no deadline is due.
 */
export function* timeline(
  aggregates: Iterable<Aggregate>,
  options: SimulationOptions,
): Generator<SimulationStep, void> {
  const seqs = memorySeqs();
  const simulated = [...aggregates].map((provided): SimulatedCustomer => {
    const aggregate = withStates(provided, ({ state }) => (state === 'failed' ? 'ready' : state));
    return { aggregate, next: nextOf(aggregate, options) };
  });
  let cursor = options.from;
  for (let one = firstOf(simulated); one?.next != null; one = firstOf(simulated)) {
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
