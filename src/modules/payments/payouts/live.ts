import { financeAccess } from '../../../graphql/declare/access.ts';
import { stoppable, watch } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { listRows } from '../../../graphql/reading/pages.ts';
import type { Context } from '../../../request/context.ts';
import type { PayoutRow } from './store.ts';
import { Payout } from './types.ts';

/** Number of payouts that the stream observes, starting with the latest. */
const maxFollowed = 100;

/** Reads the latest payouts, newest first. All subscribers of the environment share one database read. */
const readLatest = (present: Context): Promise<readonly PayoutRow[]> =>
  present.once('payouts', async () => (await listRows(present, 'Payout', { first: maxFollowed })).nodes);

const isSame = (a: PayoutRow | undefined, b: PayoutRow): boolean =>
  a?.status === b.status && a.updatedAt.getTime() === b.updatedAt.getTime();

/** Yields the latest payout, then every new or changed payout, oldest first. */
async function* followPayouts(ctx: Context, stop: AbortSignal): AsyncGenerator<PayoutRow, void> {
  let known: ReadonlyMap<string, PayoutRow> | null = null;
  const states = watch(ctx, readLatest);
  stop.addEventListener('abort', () => void states.return(undefined), { once: true });
  for await (const payouts of states) {
    const before: ReadonlyMap<string, PayoutRow> | null = known;
    known = new Map(payouts.map((payout) => [payout.id, payout]));
    if (before === null) yield* payouts.slice(0, 1);
    else yield* payouts.toReversed().filter((payout) => !isSame(before.get(payout.id), payout));
  }
}

builder.subscriptionField('payoutChanged', (t) =>
  t.field({
    type: Payout,
    description: `Emits the latest payout immediately, if any. Then emits the current state of every payout that is created, sent to the bank, paid, or canceled, or that fails. Covers the latest ${maxFollowed} payouts.`,
    access: financeAccess,
    subscribe: (_root, _args, ctx) => stoppable((stop) => followPayouts(ctx, stop)),
    resolve: (payout) => payout,
  }),
);
