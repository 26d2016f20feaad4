import { QuittanceError } from '../../../domain/errors/errors.ts';
import type { Context } from '../../../request/context.ts';
import { creditGrant } from '../../customers/credits/mutations.ts';
import { transactionRefund } from '../../payments/transactions/mutations.ts';
import { addonActivate } from '../../subscriptions/active-addons/mutations.ts';
import { planChange } from '../../subscriptions/plan-changes/mutations.ts';
import { subscriptionCancel } from '../../subscriptions/subscriptions/mutations.ts';
import { type Action, supportAddon } from './arrange-year.ts';
import { type ActingCustomer, findActingCustomers, findPlanIds } from './store.ts';

/** Takes an action for a customer with a current subscription. */
async function takeOne(
  ctx: Context,
  { kind, externalId }: Action,
  planId: string | undefined,
  { subscriptionId, transactionId, hasCredit }: ActingCustomer,
): Promise<void> {
  switch (kind) {
    case 'upgrade':
      if (planId !== undefined) await planChange.execute(ctx, { id: subscriptionId, newPlanId: planId });
      return;
    case 'cancel':
      await subscriptionCancel.execute(ctx, { id: subscriptionId });
      return;
    case 'addon':
      await addonActivate.execute(ctx, { subscriptionId, addonId: supportAddon.slug });
      return;
    case 'credit':
      if (!hasCredit)
        await creditGrant.execute(ctx, {
          customerId: externalId,
          amount: 2_000,
          currency: 'usd',
          reason: 'Apology for an outage',
        });
      return;
    case 'refund':
      if (transactionId !== null)
        await transactionRefund.execute(ctx, {
          id: transactionId,
          reason: 'requested_by_customer',
          cancelSubscription: false,
        });
  }
}

/** Takes the actions of a week. Skips rejected actions, such as a repeated action or an action of a customer whose subscription has ended. */
export async function takeActions(ctx: Context, actions: readonly Action[]): Promise<void> {
  const customers = await findActingCustomers(
    ctx.sql,
    actions.map(({ externalId }) => externalId),
  );
  const planIds = await findPlanIds(
    ctx,
    actions.flatMap(({ plan }) => plan ?? []),
  );
  for (const action of actions) {
    const customer = customers.find(({ externalId }) => externalId === action.externalId);
    if (customer === undefined) continue;
    try {
      await takeOne(ctx, action, planIds.get(action.plan ?? ''), customer);
    } catch (error) {
      if (!(error instanceof QuittanceError)) throw error;
    }
  }
}
