import { hash } from 'node:crypto';
import { type ApprovalPreview, type PreviewEvent, previewText } from '../../domain/limits/approval.ts';
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

/** Effects of a dry run, which reads its effects from the database. */
export const ignoredEffects: Effects = {
  isPreview: true,
  noteEvents: () => undefined,
  noteChanges: () => Promise.resolve(),
  noteMoney: () => undefined,
};

/** Effects of an operation that was rolled back, with the hash that an approval is bound to. */
export type Previewed = { readonly preview: ApprovalPreview; readonly hash: string };

/** Thrown to roll back the changes of a preview. */
class RolledBackError extends Error {
  override name = 'RolledBackError';
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
  { name, args, callsService }: Pick<GuardedOperation, 'name' | 'args' | 'callsService'>,
  run: (ctx: Context) => Promise<T>,
): Promise<Previewed> {
  const now = ctx.wall.now();
  const firstId = newId('apr');
  let events: PreviewEvent[] = [];
  let moved = new MovedMoney();
  let isSimulated = !callsService;
  const effects: Effects = {
    isPreview: true,
    noteEvents: (noted) => events.push(...noted.map(({ kind, data }) => ({ kind, data }))),
    noteChanges: async ({ caller }, sets) => {
      if (caller.kind !== 'key') return;
      for (const set of sets) {
        moved.add(set);
        events.push(...set.events.map(({ kind, data }) => ({ kind, data })));
      }
    },
    noteMoney: (_tx, { id, currency, amount }) => moved.put(id, currency, amount),
  };
  if (isSimulated)
    try {
      await rolledBack(ctx, async (tx) => {
        events = [];
        moved = new MovedMoney();
        await run({ ...tx, app: simulatedApp(tx.app), wall: fixedClock(now), effects, resumeLog: null });
      });
    } catch (error) {
      if (!(error instanceof OutsideCallError)) throw error;
      isSimulated = false;
    }
  const money = moved.totals();
  const amountUsd = isSimulated ? await amountInUsd(ctx, money, now) : null;
  const preview: ApprovalPreview = {
    events: plainJson(events) as PreviewEvent[],
    money,
    amountUsd: amountUsd === null ? null : Number(amountUsd),
  };
  const text = previewText(name, plainJson(args), preview, { now: ctx.clock.now(), firstId });
  return { preview, hash: hash('sha256', text) };
}
