import pLimit from 'p-limit';
import {
  type ProviderRequestRow,
  type ProviderRequestSubject,
  postponedRequest,
  requestedNow,
} from '../../../domain/payments/provider-request.ts';
import type { PayoutProvider } from '../../../providers/payout-provider.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { askToDetach } from '../../organization/provider-requests/ask-to-detach.ts';
import { lockDueRequests, updateRequests } from '../../organization/provider-requests/store.ts';
import { withSnapshotVerification } from '../payout-verification/ask-provider.ts';
import { withSnapshotPayout } from './ask-provider.ts';

/** Maximum number of requests per worker run. Further requests are processed in the next run, which starts immediately. */
const maxRequests = 100;

type Ask = (ctx: Context, request: ProviderRequestRow) => Promise<void>;

/** Returns a handler for requests that the platform's payment provider processes. The provider must be configured. */
const ofPlatformProcessor =
  (ask: (ctx: Context, processor: PayoutProvider, request: ProviderRequestRow) => Promise<void>): Ask =>
  async (ctx, request) => {
    const { payoutProvider } = ctx.app.gateways;
    if (payoutProvider !== undefined) await ask(ctx, payoutProvider, request);
  };

const subjects: { readonly [S in ProviderRequestSubject]: Ask } = {
  payout: ofPlatformProcessor(withSnapshotPayout),
  verification: ofPlatformProcessor(withSnapshotVerification),
  payment_method: askToDetach,
};

/**
 * Claims the due requests and marks them as sent. The mark is committed before the provider is called, so that a later cancellation also
 * involves the provider. A process without the platform's payment provider postpones payouts and verifications.
 */
const claim = (ctx: Context): Promise<readonly ProviderRequestRow[]> =>
  inTransaction(ctx, async (tx) => {
    const now = tx.wall.now();
    const due = await lockDueRequests(tx.sql, now, maxRequests);
    const hasPlatformProcessor = ctx.app.gateways.payoutProvider !== undefined;
    const canAsk = ({ subject }: ProviderRequestRow): boolean =>
      hasPlatformProcessor || subject === 'payment_method';
    await updateRequests(
      tx.sql,
      due.map((row) => (canAsk(row) ? requestedNow(row, now) : postponedRequest(row, now))),
    );
    return due.filter(canAsk);
  });

/**
 * Calls the providers for due requests with the same concurrency limit as for charges, and applies each response in its own transaction. A
 * failed request is logged and retried at its next inquiry. Requests that haven't started when `goesOn` returns `false` also wait for
 * their next inquiry.
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
        'Calling the provider or applying its response failed.',
      );
    }
  });
}
