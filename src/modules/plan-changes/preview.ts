import type { Context } from '../../context.ts';
import type { BillingInterval } from '../../domain/enums.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { type ChangePreview, previewChange } from '../../domain/subscription/plan-change/change-preview.ts';
import { withSnapshot } from '../../engine/with-snapshot.ts';
import { type ProvidedOffer, providedOfferOf } from '../offer-applications/store.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { changeCommand } from './change.ts';

/** A preview with the offer as it is shown. */
export type PreviewedChange = Omit<ChangePreview, 'offerApplication'> & {
  readonly offerApplication: ProvidedOffer | null;
};

/** What to preview; `planId` may be the current plan. */
export type PreviewChangeInput = {
  readonly id: string;
  readonly planId: string;
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly offerId?: string | null | undefined;
};

/** Works out a change at once without doing it (SUB-51). Throws the codes of SUB-37, and `plan_change_scheduled` for one that would wait. */
export async function previewPlanChange(ctx: Context, input: PreviewChangeInput): Promise<PreviewedChange> {
  const { id: subscriptionId, customerId } = await requireSubscription(ctx, input.id);
  const { planId: newPlanId, billingInterval: newBillingInterval, offerId } = input;
  const order = changeCommand(subscriptionId, { newPlanId, newBillingInterval, offerId });
  const { request } = order;
  const preview = await withSnapshot(ctx, customerId, [order], ({ aggregate, now, deps }) =>
    previewChange(aggregate, { subscriptionId, request, now }, deps),
  );
  if ('code' in preview) throw new QuittanceError(preview);
  const { offerApplication, ...figures } = preview;
  return {
    ...figures,
    offerApplication: offerApplication === null ? null : providedOfferOf(offerApplication),
  };
}
