import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import {
  type ChangePreview,
  previewChange,
} from '../../../domain/subscription/plan-change/change-preview.ts';
import { withSnapshot } from '../../../engine/preview/with-snapshot.ts';
import type { Context } from '../../../request/context.ts';
import { type ProvidedOffer, providedOfferOf } from '../offer-applications/store.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import { changeCommand } from './change.ts';

/** Preview of a plan change, with the offer in the format of the API. */
export type PreviewedChange = Omit<ChangePreview, 'offerApplication'> & {
  readonly offerApplication: ProvidedOffer | null;
};

/** Parameters for previewing a plan change. `planId` can be the current plan. */
export type PreviewChangeInput = {
  readonly id: string;
  readonly planId: string;
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly offerId?: string | null | undefined;
};

/**
 * Previews a plan change without executing it (SUB-51). Throws the errors listed in SUB-37. Throws `plan_change_scheduled` if the change
 * wouldn't take effect immediately.
 */
export async function previewPlanChange(ctx: Context, input: PreviewChangeInput): Promise<PreviewedChange> {
  const { id: subscriptionId, customerId } = await requireSubscription(ctx, input.id);
  const { planId: newPlanId, billingInterval: newBillingInterval, offerId } = input;
  const order = changeCommand(ctx, { id: subscriptionId, newPlanId, newBillingInterval, offerId });
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
