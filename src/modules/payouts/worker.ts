import pLimit from 'p-limit';
import type { Context } from '../../context.ts';
import {
  type ProviderRequestRow,
  type ProviderRequestSubject,
  putOff,
  requestedNow,
} from '../../domain/provider-request.ts';
import type { PayoutProvider } from '../../providers/payout-provider.ts';
import { inTransaction } from '../../transaction.ts';
import { withSnapshotVerification } from '../payout-verification/ask-provider.ts';
import { askToDetach } from '../provider-requests/ask-to-detach.ts';
import { lockDueRequests, updateRequests } from '../provider-requests/store.ts';
import { withSnapshotPayout } from './ask-provider.ts';

/** Requests asked about in one visit of the worker; further ones wait for the next, which comes at once. */
const most = 100;

type Ask = (ctx: Context, request: ProviderRequestRow) => Promise<void>;

/** How the platform's processor is asked about a subject; it is there. */
const ofPlatformProcessor =
  (ask: (ctx: Context, processor: PayoutProvider, request: ProviderRequestRow) => Promise<void>): Ask =>
  async (ctx, request) => {
    const { payoutProvider } = ctx.app.gateways;
    if (payoutProvider !== undefined) await ask(ctx, payoutProvider, request);
  };

/** How a provider is asked about each subject. */
const subjects: { readonly [S in ProviderRequestSubject]: Ask } = {
  payout: ofPlatformProcessor(withSnapshotPayout),
  verification: ofPlatformProcessor(withSnapshotVerification),
  payment_method: askToDetach,
};

/**
 * The requests that are due, as they were before they are noted as asked: that is committed before anybody asks, so that what is withdrawn later
 * is known to need the provider. A process without the platform's processor asks nobody about payouts and verifications and puts them off.
 */
const claim = (ctx: Context): Promise<readonly ProviderRequestRow[]> =>
  inTransaction(ctx, async (tx) => {
    const now = tx.wall.now();
    const due = await lockDueRequests(tx.sql, now, most);
    const hasPlatformProcessor = ctx.app.gateways.payoutProvider !== undefined;
    const canAsk = ({ subject }: ProviderRequestRow): boolean =>
      hasPlatformProcessor || subject === 'payment_method';
    await updateRequests(
      tx.sql,
      due.map((row) => (canAsk(row) ? requestedNow(row, now) : putOff(row, now))),
    );
    return due.filter(canAsk);
  });

/**
 * Asks providers about what is due, as many requests at a time as charges, and applies each answer in a transaction of its own. One that fails is logged
 * and asked about again at its next inquiry. Requests not begun by the time `goesOn` says no are too.
 */
export async function askProviders(ctx: Context, goesOn: () => boolean): Promise<void> {
  const { app } = ctx;
  const requests = await claim(ctx);
  await pLimit(app.config.chargeConcurrency).map(requests, async (request) => {
    if (!goesOn()) return;
    try {
      await subjects[request.subject](ctx, request);
    } catch (error) {
      ctx.log.error(
        { err: error, request: request.id },
        'The provider could not be asked, or its answer not be taken in.',
      );
    }
  });
}
