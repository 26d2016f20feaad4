import type { ChangeSet } from '../../domain/subscription/state/aggregate.ts';
import type { Context, Effects, TransactionContext } from '../../request/context.ts';
import { MovedMoney } from './moved-money.ts';

/** Checks decisions of an operation before they're written. Throws if the caller must not make them. */
export type Watch = (tx: TransactionContext, sets: readonly ChangeSet[], own: MovedMoney) => Promise<void>;

/** Returns effects that collect the money of an operation. Excludes due work that runs before the operation. */
function watching(ctx: Context, moved: MovedMoney, check: Watch): Effects {
  const outer = ctx.effects;
  // Changes in a transaction of the operation are added after its commit.
  const isOutside = ctx.transaction === null;
  const note = (tx: TransactionContext, add: () => void): void => {
    if (isOutside) tx.transaction.afterCommit(add);
    else add();
  };
  return {
    isPreview: outer?.isPreview ?? false,
    noteOperation: (name, args) => outer?.noteOperation(name, args),
    noteEvents: (events) => outer?.noteEvents(events),
    noteChanges: async (tx, sets) => {
      if (tx.caller.kind === 'system') return;
      const own = new MovedMoney();
      for (const set of sets) own.add(set);
      await check(tx, sets, own);
      note(tx, () => {
        for (const set of sets) moved.add(set);
      });
      await outer?.noteChanges(tx, sets);
    },
    noteMoney: (tx, money) => {
      note(tx, () => moved.put(money.id, money.currency, money.amount));
      outer?.noteMoney(tx, money);
    },
  };
}

/**
 * Runs an operation, and adds the money that it moves to `moved`. The context is the same, because later steps of the request read results by
 * context.
 */
export async function runWatched<T>(
  ctx: Context,
  { moved, check = () => Promise.resolve() }: { readonly moved: MovedMoney; readonly check?: Watch },
  run: (ctx: Context) => Promise<T>,
): Promise<T> {
  const holder: { effects: Effects | null } = ctx;
  const outer = holder.effects;
  holder.effects = watching(ctx, moved, check);
  try {
    return await run(ctx);
  } finally {
    holder.effects = outer;
  }
}
