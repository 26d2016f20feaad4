import type { Context, TransactionContext } from '../context.ts';
import type { AttemptRow } from '../domain/attempt.ts';
import { defaultRejection, QuittanceError, specificRejection } from '../domain/errors.ts';
import type { ChargeRequest, ChargeResult } from '../domain/provider.ts';
import type { Command } from '../domain/subscription/decision/command.ts';
import { hasChanges, type ItemDetails, type Outcome } from '../domain/subscription/state/aggregate.ts';
import type { Gateways } from '../providers/provider.ts';
import { inTransaction } from '../transaction.ts';
import { apply } from './apply.ts';
import { type Answered, keepAnswers, recordAttempts } from './attempts.ts';
import { catchUp } from './catch-up.ts';
import { decideAndCharge, decisionDeps } from './charge.ts';
import { loadAggregates } from './load.ts';
import type { Addressed } from './load-named.ts';

type WithoutTimes<C> = C extends Command ? Omit<C, 'dueAt' | 'now'> : never;

/** A command without its times: it happens now, by the business clock of the transaction. */
export type CommandInput = WithoutTimes<Command>;

/** A command to one customer. */
export type CustomerCommand = {
  readonly customerId: string;
  readonly input: CommandInput;
  /** What gateways did already of what the order asks them for: they are not asked, and this is their answer. */
  readonly known?: ChargeResult;
};

/** How a command ended, and whether anything was written for it or before it. */
export type CommandOutcome = { readonly outcome: Outcome; readonly hasChanges: boolean };

/** How a command ended as far as it could be decided, and the calls to providers it needs. */
export type Committed = CommandOutcome & { readonly attempts: readonly AttemptRow[] };

/** Calls to providers about something that was due, which come before the commands can be decided. */
export type LateAttempts = { readonly late: readonly AttemptRow[] };

/**
 * A provider must be called over a network while a caller holds a transaction open. Nothing is written; the code that opened the transaction can do
 * the same again outside one.
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

/** A command at an instant. */
export const commandAt = (input: CommandInput, now: Date): Command =>
  // A command is its input with the two times.
  ({ ...input, dueAt: now, now }) as Command;

async function decideAndApply(
  tx: TransactionContext,
  commands: readonly CustomerCommand[],
): Promise<Decided[] | LateAttempts> {
  const now = tx.clock.now();
  const addressed = commands.map(
    (one): Addressed => ({ customerId: one.customerId, command: commandAt(one.input, now) }),
  );
  const load = () => loadAggregates(tx, addressed);
  const loaded = await load();
  // Answers come before whatever is due (BIL-2 rank 0).
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

/** The answers among the commands, with what they led to. */
const answersAmong = (commands: readonly CustomerCommand[], decided: readonly Decided[]): Answered[] =>
  commands.flatMap(({ input }, index) => {
    const { outcome = unknownCustomer, item = null } = decided[index] ?? {};
    return input.kind === 'charge.result'
      ? [{ id: input.transactionId, result: input.result, outcome, item }]
      : [];
  });

/**
 * Loads the customers, executes what is due for them, decides their orders, charges locally and applies, in one transaction and a handful of
 * statements whatever their number. Calls to providers are stored with it; where that is about something due, the commands
 * wait for the answers, and are to be committed again. Throws OutsideCallError for either inside a caller's transaction.
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
    await keepAnswers(tx, answersAmong(commands, decided));
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
