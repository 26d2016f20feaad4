import { hash } from 'node:crypto';
import { type ApprovalPreview, type PreviewEvent, previewText } from '../../domain/limits/approval.ts';
import type { ChangeSet } from '../../domain/subscription/state/aggregate.ts';
import { fixedClock } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import type { App, Context, Effects, GuardedOperation, TransactionContext } from '../../request/context.ts';
import { inOuterTransaction } from '../../request/transaction.ts';
import { OutsideCallError } from '../commit.ts';
import { readConversion } from '../load/fx-rates.ts';
import { withoutRemotes } from '../simulate.ts';
import { MovedMoney } from './moved-money.ts';

/** Maximum duration of a preview in milliseconds. */
export const previewTimeoutMs = 5_000;

const simulatedApps = new WeakMap<App, App>();

/** Returns the app with simulated payment providers. */
export const simulatedApp = (app: App): App =>
  simulatedApps.getOrInsertComputed(app, () => ({ ...app, gateways: withoutRemotes(app.gateways) }));

/** Effects of an operation that was rolled back, with the hash that an approval is bound to. */
export type Previewed = { readonly preview: ApprovalPreview; readonly hash: string };

/** Thrown to roll back the changes of a preview. */
class RolledBackError extends Error {
  override name = 'RolledBackError';
}

/** Collects the effects of an operation that is rolled back. */
export class CollectedEffects implements Effects {
  readonly isPreview = true;
  readonly #moved = new MovedMoney();
  readonly #events: PreviewEvent[] = [];
  readonly #now: Date;
  readonly #firstId = newId('apr');
  #operation: { readonly name: string; readonly args: object } = { name: '', args: {} };

  /** `now` is the environment's time at which the operation runs. */
  constructor(now: Date) {
    this.#now = now;
  }

  noteOperation(name: string, args: object): void {
    this.#operation = { name, args };
  }

  noteEvents(events: readonly PreviewEvent[]): void {
    this.#events.push(...events.map(({ kind, data }) => ({ kind, data })));
  }

  noteChanges({ caller }: TransactionContext, sets: readonly ChangeSet[]): Promise<void> {
    // Due work that runs before the operation isn't part of it.
    if (caller.kind !== 'system')
      for (const set of sets) {
        this.#moved.add(set);
        this.noteEvents(set.events);
      }
    return Promise.resolve();
  }

  noteMoney(_tx: TransactionContext, { id, currency, amount }: Parameters<Effects['noteMoney']>[1]): void {
    this.#moved.put(id, currency, amount);
  }

  /** Returns the events and the money of the operation, with the hash that an approval is bound to. */
  result(): { readonly effects: Pick<ApprovalPreview, 'events' | 'money'>; readonly hash: string } {
    const effects = { events: plainJson(this.#events) as PreviewEvent[], money: this.#moved.totals() };
    const { name, args } = this.#operation;
    const bounds = { now: this.#now, firstId: this.#firstId };
    return { effects, hash: hash('sha256', previewText(name, plainJson(args), effects, bounds)) };
  }
}

/** Returns a value as JSON that can be stored. Large numbers become JSON numbers. */
export const plainJson = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (_name, member: unknown) =>
      typeof member === 'bigint' ? Number(member) : member,
    ) ?? 'null',
  );

/** Returns money in US cents, rounded half up per currency. `null` if a currency has no exchange rate. */
export async function amountInUsd(
  { sql }: Context,
  money: ApprovalPreview['money'],
  now: Date,
): Promise<bigint | null> {
  const foreign = money.map(({ currency }) => currency).filter((currency) => currency !== 'usd');
  const convert = foreign.length === 0 ? null : await readConversion(sql, foreign, { from: now, to: now });
  let sum = 0n;
  for (const { currency, amount } of money) {
    const minor = BigInt(amount);
    // The conversion rounds down, so that twice the amount determines whether to round up.
    const twice = currency === 'usd' ? 2n * minor : (convert?.(2n * minor, currency, 'usd', now) ?? null);
    if (twice === null) return null;
    sum += (twice + 1n) / 2n;
  }
  return sum;
}

/** Runs `work` in a transaction that is rolled back. Inside an outer transaction, only the changes of `work` are rolled back. */
async function rolledBack(ctx: Context, work: (tx: TransactionContext) => Promise<void>): Promise<void> {
  const discard = async (tx: TransactionContext): Promise<never> => {
    await work(tx);
    throw new RolledBackError('The preview is rolled back.');
  };
  const { transaction } = ctx;
  try {
    if (transaction === null) await inOuterTransaction(ctx, discard, { timeoutMs: previewTimeoutMs });
    else if (transaction.nested === null) throw new Error('A preview needs an outer transaction.');
    else await transaction.nested(() => discard({ ...ctx, transaction }));
  } catch (error) {
    if (!(error instanceof RolledBackError)) throw error;
  }
}

/**
 * Runs an operation with simulated payment providers, and rolls it back. Throws the error of the operation if it fails. The amount is
 * unknown (`null`) if the operation can't be previewed.
 */
export async function previewOperation<T>(
  ctx: Context,
  { name, args, isPreviewable }: Pick<GuardedOperation, 'name' | 'args' | 'isPreviewable'>,
  run: (ctx: Context) => Promise<T>,
): Promise<Previewed> {
  const now = ctx.wall.now();
  const collected = (): CollectedEffects => {
    const effects = new CollectedEffects(ctx.environment.simulatedTime ?? now);
    effects.noteOperation(name, args);
    return effects;
  };
  let effects = collected();
  let isSimulated = isPreviewable;
  if (isSimulated)
    try {
      await rolledBack(ctx, async (tx) => {
        // The database can repeat the transaction.
        effects = collected();
        await run({ ...tx, app: simulatedApp(tx.app), wall: fixedClock(now), effects, resumeLog: null });
      });
    } catch (error) {
      if (!(error instanceof OutsideCallError)) throw error;
      isSimulated = false;
    }
  const result = (isSimulated ? effects : collected()).result();
  const amountUsd = isSimulated ? await amountInUsd(ctx, result.effects.money, now) : null;
  const preview = { ...result.effects, amountUsd: amountUsd === null ? null : Number(amountUsd) };
  return { preview, hash: result.hash };
}
