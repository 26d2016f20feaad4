import type { OfferApplicationRow } from '../../../domain/rows/rows.ts';
import { retainedTerms } from '../../../domain/subscription/lifecycle/retention.ts';
import type { Aggregate, DecisionDeps } from '../../../domain/subscription/state/aggregate.ts';
import { decideAndCharge } from '../../../engine/charge.ts';
import { type CommandInput, commandAt } from '../../../engine/execute.ts';
import { type NextCharge, upcomingCharges } from '../../../engine/preview/next-charge.ts';
import { type Requested, withSnapshot } from '../../../engine/preview/with-snapshot.ts';
import { settlingGateways } from '../../../engine/simulate.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import type { Context } from '../../../request/context.ts';
import { findRetentionOffer } from '../../catalog/offers/store.ts';
import { subscriptionUncancel } from '../../subscriptions/subscriptions/mutations.ts';
import type { SubscriptionRow } from '../../subscriptions/subscriptions/store.ts';
import { withMethod } from './load-extras.ts';
import { hasAcceptedRetention, isCanceledByCustomer, readPortalSettings } from './store.ts';

/** Maximum number of upcoming charges that are shown and included in the savings. */
const maxCharges = 12;

/**
 * Charge with the retention offer applied, and the amount that would be charged without the offer, in minor
 * units.
 */
export type RetainedCharge = { readonly charge: NextCharge; readonly withoutMinor: bigint };

/** Retention offer with its effects on the charges of a customer. */
export type RetentionOffer = {
  /** Key that identifies the terms of the offer. Changes if the terms change. */
  readonly key: string;
  readonly terms: string;
  readonly application: OfferApplicationRow;
  readonly currency: string;
  readonly charges: readonly RetainedCharge[];
  readonly savingMinor: bigint;
  /** Time at which the last discount of the offer ends. `null` if the discount has no end. */
  readonly endsAt: Date | null;
  readonly revokesCancellation: boolean;
};

type Leaving = Pick<SubscriptionRow, 'id' | 'customerId' | 'cancelAtPeriodEnd' | 'cancellationScheduledAt'>;

/** Returns the key that identifies the terms of an offer application. */
export const keyOf = (application: OfferApplicationRow): string =>
  hashSecret(retainedTerms(application)).slice(0, 32);

/** Returns the command that accepts a retention offer. */
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
 * Returns the retention offer that a subscription's customer could accept now, with the charges that would follow. Simulated in memory;
 * nothing is stored. `null` if the portal doesn't allow cancellation, or if the organization canceled the subscription. Also `null` if no
 * offer is configured, or if the offer isn't applicable, saves nothing, or was already accepted by the customer (OFR-42).
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
    ...(cancelAtPeriodEnd ? [subscriptionUncancel.command({ id })] : []),
  ] as const;
  return withSnapshot(ctx, customerId, commands, (requested) => compare(requested, subscription, commands));
}

/** Returns the simulated result of a command. `null` if the command is rejected. */
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
  const withoutOffer =
    uncancel === undefined
      ? withMethod(requested.aggregate, id)
      : settled(requested, id, uncancel)?.aggregate;
  const application = [...(staying?.changes.offerApplications.values() ?? [])].find(
    ({ flag }) => flag === 'new',
  )?.row;
  if (staying === null || withoutOffer === undefined || application === undefined) return null;
  const ends = application.phases.at(-1)?.endsAt ?? null;
  const endsAt = ends === null ? null : new Date(ends);
  const charges = retainedCharges({ withoutOffer, staying: staying.aggregate, id, now, deps, endsAt });
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
  readonly withoutOffer: Aggregate;
  readonly staying: Aggregate;
  readonly id: string;
  readonly now: Date;
  readonly deps: DecisionDeps;
  readonly endsAt: Date | null;
};

/** Returns up to 12 upcoming charges until the last discount ends, each with the amount that would be charged without the offer. */
function retainedCharges({ withoutOffer, staying, id, now, deps, endsAt }: Compared): RetainedCharge[] {
  const regular = upcomingCharges(withoutOffer, id, now, deps);
  const charges: RetainedCharge[] = [];
  for (const charge of upcomingCharges(staying, id, now, deps)) {
    const { value: without } = regular.next();
    const isOver = endsAt !== null && charge.at >= endsAt;
    if (isOver || without === undefined || without.at.getTime() !== charge.at.getTime()) break;
    charges.push({ charge, withoutMinor: without.amountMinor });
    if (charges.length === maxCharges) break;
  }
  return charges;
}
