import { defaultRejection, QuittanceError, specificRejection } from '../domain/errors/errors.ts';
import { type ChargeRequest, type ChargeResult, isAccepted } from '../domain/payments/provider.ts';
import type { Command } from '../domain/subscription/decision/command.ts';
import type { AttemptRow } from '../domain/subscription/payments/charge-attempt.ts';
import { hasChanges, type ItemDetails, type Outcome } from '../domain/subscription/state/aggregate.ts';
import type { Gateways } from '../providers/provider.ts';
import type { Context, TransactionContext } from '../request/context.ts';
import { inTransaction } from '../request/transaction.ts';
import { apply } from './apply.ts';
import { type Answered, recordAttempts, storeAnswers } from './attempts.ts';
import { catchUp } from './catch-up.ts';
import { decideAndCharge, decisionDeps } from './charge.ts';
import { loadAggregates } from './load/load.ts';
import type { Addressed } from './load/named.ts';

type WithoutTimes<C> = C extends Command ? Omit<C, 'dueAt' | 'now'> : never;

/** Command without its times. The command uses the environment's time in the transaction. */
export type CommandInput = WithoutTimes<Command>;

export type CustomerCommand = {
  readonly customerId: string;
  readonly input: CommandInput;
  /** Result of the charge, if it's already known. In this case, the provider isn't called. */
  readonly known?: ChargeResult;
};

/** Outcome of a command. `hasChanges` is true if the command or an earlier deadline wrote changes. */
export type CommandOutcome = { readonly outcome: Outcome; readonly hasChanges: boolean };

/** Outcome of a command so far, and the provider calls that determine its final outcome. */
export type Committed = CommandOutcome & { readonly attempts: readonly AttemptRow[] };

/** Provider calls for due deadlines, to make before the commands can be processed. */
export type LateAttempts = { readonly late: readonly AttemptRow[] };

/**
 * Thrown if a decision needs a remote provider while the caller's transaction is open. Nothing was written,
 * so the caller can retry the command outside the transaction.
 */
export class OutsideCallError extends QuittanceError {
  constructor() {
    super(specificRejection('internal_error', 'open_transaction'));
  }
}

const unknownCustomer: Outcome = {
  kind: 'rejection',
  ...defaultRejection('customer_not_found', { param: 'customerId' }),
};

type Decided = CommandOutcome & {
  readonly remote: readonly ChargeRequest[];
  readonly item: ItemDetails | null;
};

const undecided: Decided = { outcome: unknownCustomer, hasChanges: false, remote: [], item: null };

function gatewaysFor(tx: Context, command: CustomerCommand | undefined): Gateways {
  const known = command?.known;
  return known === undefined ? tx.app.gateways : { gatewayOf: () => ({ local: true, charge: () => known }) };
}

export const commandAt = (input: CommandInput, now: Date): Command =>
  // `input` combined with the times of the transaction is a complete command.
  ({ ...input, dueAt: now, now }) as Command;

async function decideAndApply(
  tx: TransactionContext,
  commands: readonly CustomerCommand[],
): Promise<Decided[] | LateAttempts> {
  const now = tx.clock.now();
  const addressed = commands.map(
    (one): Addressed => ({ customerId: one.customerId, command: commandAt(one.input, now) }),
  );
  const load = () => loadAggregates(tx, addressed, true);
  const loaded = await load();
  // Charge results are applied before due deadlines (BIL-2 rank 0).
  const isAnswers = commands.every(({ input }) => input.kind === 'charge.result');
  const none = { aggregates: loaded, late: new Set<string>(), attempts: [] };
  const { aggregates, late, attempts } = isAnswers ? none : await catchUp(tx, loaded, now, load);
  if (attempts.length > 0) return { late: attempts };
  const deps = decisionDeps(tx);
  const settled = addressed.map(({ customerId, command }, index) => {
    const aggregate = aggregates.get(customerId);
    return aggregate === undefined
      ? null
      : decideAndCharge(gatewaysFor(tx, commands[index]), aggregate, command, deps);
  });
  const position = new Map([...aggregates.keys()].map((id, index) => [id, index]));
  const rankOf = (index: number): number => position.get(addressed[index]?.customerId ?? '') ?? 0;
  const sets = settled
    .map((one, index) => ({ changes: one?.changes ?? null, rank: rankOf(index) }))
    .toSorted((a, b) => a.rank - b.rank)
    .flatMap(({ changes }) => (changes !== null && hasChanges(changes) ? [changes] : []));
  if (sets.length > 0) await apply(tx, sets);
  return settled.map((one, index): Decided => {
    if (one === null) return undecided;
    const isWritten = hasChanges(one.changes) || late.has(addressed[index]?.customerId ?? '');
    return { outcome: one.finalOutcome, hasChanges: isWritten, remote: one.remote, item: one.changes.item };
  });
}

/** Returns the commands that apply charge results, with their outcomes. */
const answersAmong = (commands: readonly CustomerCommand[], decided: readonly Decided[]): Answered[] =>
  commands.flatMap(({ input }, index) => {
    const { outcome = unknownCustomer, item = null } = decided[index] ?? {};
    return input.kind === 'charge.result' && !isAccepted(input.result)
      ? [{ id: input.transactionId, result: input.result, outcome, item }]
      : [];
  });

/**
 * Executes commands in one transaction with a constant number of SQL statements. Loads the customers, processes their
 * due deadlines, processes the commands, charges through local providers, and writes the changes and the provider
 * calls. If due deadlines need provider calls, the caller must commit the commands again after the providers respond.
 * Throws `OutsideCallError` if provider calls are needed inside the caller's transaction.
 */
export const commit = (
  ctx: Context,
  commands: readonly CustomerCommand[],
): Promise<Committed[] | LateAttempts> =>
  inTransaction(ctx, async (tx) => {
    const decided = await decideAndApply(tx, commands);
    if ('late' in decided) {
      if (ctx.transaction !== null) throw new OutsideCallError();
      return decided;
    }
    const requests = decided.flatMap(({ remote }) => remote);
    if (ctx.transaction !== null && requests.length > 0) throw new OutsideCallError();
    await storeAnswers(tx, answersAmong(commands, decided));
    if (requests.length > 0 && ctx.resumeLog !== null && tx.transaction !== null) {
      await ctx.resumeLog.note(
        tx.transaction.query,
        requests.map(({ transactionId }) => transactionId),
      );
    }
    const attempts = await recordAttempts(tx, requests, false);
    let taken = 0;
    return decided.map(({ outcome, hasChanges: isWritten, remote }): Committed => {
      const own = attempts.slice(taken, taken + remote.length);
      taken += remote.length;
      return { outcome, hasChanges: isWritten, attempts: own };
    });
  });
