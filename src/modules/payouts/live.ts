import type { Context } from '../../context.ts';
import { builder } from '../../graphql/builder.ts';
import { stoppable, watch } from '../../graphql/live.ts';
import { listRows } from '../../graphql/pages.ts';
import type { PayoutRow } from './store.ts';
import { Payout } from './types.ts';

/** How many payouts are watched: several years of them, since a business day has one or none. */
const watched = 100;

/** Payouts as they are, the latest first; read once for all who watch. */
const readLatest = (present: Context): Promise<readonly PayoutRow[]> =>
  present.once('payouts', async () => (await listRows(present, 'Payout', { first: watched })).nodes);

const isSame = (a: PayoutRow | undefined, b: PayoutRow): boolean =>
  a?.status === b.status && a.updatedAt.getTime() === b.updatedAt.getTime();

/** The latest payout, then every one that is new or has changed, the earliest first. */
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
    description: `First the latest payout, if there is one, then every one that is made, goes on its way, arrives, fails or is canceled, as it is when it is sent. Of the latest ${watched} payouts.`,
    access: { scope: 'read' },
    subscribe: (_root, _args, ctx) => stoppable((stop) => followPayouts(ctx, stop)),
    resolve: (payout) => payout,
  }),
);
