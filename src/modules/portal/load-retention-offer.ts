import type { Context } from '../../context.ts';
import { retainedTerms } from '../../domain/subscription/lifecycle/retention.ts';
import type { Aggregate, DecisionDeps } from '../../domain/subscription/state/aggregate.ts';
import type { OfferApplicationRow } from '../../domain/subscription/state/rows.ts';
import { decideAndCharge } from '../../engine/charge.ts';
import { type CommandInput, commandAt } from '../../engine/execute.ts';
import { type NextCharge, upcomingCharges } from '../../engine/next-charge.ts';
import { settlingGateways } from '../../engine/simulate.ts';
import { type Requested, withSnapshot } from '../../engine/with-snapshot.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { findRetentionOffer } from '../offers/store.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';
import { withMethod } from './load-extras.ts';
import { hasAcceptedRetention, isCanceledByCustomer, readPortalSettings } from './store.ts';

/** How many charges are shown at most, and counted in what is saved. */
const mostCharges = 12;

/** A charge with the offer, and what it would come to without, minor units. */
export type RetainedCharge = { readonly charge: NextCharge; readonly withoutMinor: bigint };

/** The offer to stay as one customer would get it. */
export type RetentionOffer = {
  /** Names these terms; another one once they are others. */
  readonly key: string;
  readonly terms: string;
  readonly application: OfferApplicationRow;
  readonly currency: string;
  readonly charges: readonly RetainedCharge[];
  readonly savingMinor: bigint;
  /** When the last discount ends; null for an open end. */
  readonly endsAt: Date | null;
  readonly revokesCancellation: boolean;
};

type Leaving = Pick<SubscriptionRow, 'id' | 'customerId' | 'cancelAtPeriodEnd' | 'cancellationScheduledAt'>;

/** What names the terms of an application to its customer. */
export const keyOf = (application: OfferApplicationRow): string =>
  hashSecret(retainedTerms(application)).slice(0, 32);

/** The command by which a customer stays. */
export const acceptance = (
  { id, cancellationScheduledAt }: Leaving,
  offerId: string,
  agreed: string | null,
  reason: string | null,
): CommandInput => ({
  kind: 'offer.apply',
  subscriptionId: id,
  offerId,
  expiresAt: null,
  retention: { agreed, cancellationScheduledAt, reason },
});

/**
 * The offer to stay as the customer of a subscription would get it now, by the very decision that would apply it and the charges that would
 * follow; nothing is written. Null where the portal does not offer to cancel, where none is named or it cannot be given out or applied, where
 * the customer has accepted it before, where the seller has canceled, and where nothing would be saved (OFR-42).
 */
export async function loadRetentionOffer(
  ctx: Context,
  subscription: Leaving,
): Promise<RetentionOffer | null> {
  const { id, customerId, cancelAtPeriodEnd } = subscription;
  if (!(await readPortalSettings(ctx)).cancel) return null;
  const offer = await findRetentionOffer(ctx);
  if (offer === null || (await hasAcceptedRetention(ctx, customerId, offer.id))) return null;
  if (cancelAtPeriodEnd && !(await isCanceledByCustomer(ctx, id))) return null;
  const commands = [
    acceptance(subscription, offer.id, null, null),
    ...(cancelAtPeriodEnd ? [{ kind: 'subscription.uncancel', subscriptionId: id } as const] : []),
  ] as const;
  return withSnapshot(ctx, customerId, commands, (requested) => compare(requested, subscription, commands));
}

/** What follows on a command in memory; null where it is rejected. */
function settled({ aggregate, now, deps }: Requested, id: string, command: CommandInput) {
  const before = withMethod(aggregate, id);
  const result = decideAndCharge(settlingGateways, before, commandAt(command, now), deps);
  return result.finalOutcome.kind === 'rejection' ? null : result;
}

function compare(
  requested: Requested,
  { id, cancelAtPeriodEnd }: Leaving,
  [accept, uncancel]: readonly [CommandInput, ...CommandInput[]],
): RetentionOffer | null {
  const { now, deps } = requested;
  const staying = settled(requested, id, accept);
  const kept =
    uncancel === undefined
      ? withMethod(requested.aggregate, id)
      : settled(requested, id, uncancel)?.aggregate;
  const application = [...(staying?.changes.offerApplications.values() ?? [])].find(
    ({ flag }) => flag === 'new',
  )?.row;
  if (staying === null || kept === undefined || application === undefined) return null;
  const ends = application.phases.at(-1)?.endsAt ?? null;
  const endsAt = ends === null ? null : new Date(ends);
  const charges = retainedCharges({ kept, staying: staying.aggregate, id, now, deps, endsAt });
  const savingMinor = charges.reduce(
    (sum, { charge, withoutMinor }) => sum + withoutMinor - charge.amountMinor,
    0n,
  );
  const [first] = charges;
  if (first === undefined || savingMinor <= 0n) return null;
  return {
    key: keyOf(application),
    terms: retainedTerms(application),
    application,
    currency: first.charge.invoice.currency,
    charges,
    savingMinor,
    endsAt,
    revokesCancellation: cancelAtPeriodEnd,
  };
}

type Compared = {
  readonly kept: Aggregate;
  readonly staying: Aggregate;
  readonly id: string;
  readonly now: Date;
  readonly deps: DecisionDeps;
  readonly endsAt: Date | null;
};

/** The charges until the last discount ends, 12 at most, each beside the one of the same instant without the offer. */
function retainedCharges({ kept, staying, id, now, deps, endsAt }: Compared): RetainedCharge[] {
  const regular = upcomingCharges(kept, id, now, deps);
  const charges: RetainedCharge[] = [];
  for (const charge of upcomingCharges(staying, id, now, deps)) {
    const { value: without } = regular.next();
    const isOver = endsAt !== null && charge.at >= endsAt;
    if (isOver || without === undefined || without.at.getTime() !== charge.at.getTime()) break;
    charges.push({ charge, withoutMinor: without.amountMinor });
    if (charges.length === mostCharges) break;
  }
  return charges;
}
