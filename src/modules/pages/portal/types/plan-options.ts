import type { ChangeOption } from '../../../../domain/subscription/decision/change-options.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { BillingInterval } from '../../../catalog/plans/enums.ts';
import { Currency } from '../../../organization/currencies/enums.ts';

const PlanChangeTiming = builder.enumType('PlanChangeTiming', {
  description: 'Timing of a plan or interval change.',
  values: {
    immediate: { description: 'The change takes effect immediately after the charge succeeds.' },
    scheduled: {
      description: 'The change takes effect at the end of the period or trial, without an earlier charge.',
    },
    checkout: { description: 'The change takes effect immediately after the checkout is paid.' },
  } as const,
});

export const PortalPlanOption = builder.objectRef<ChangeOption>('PortalPlanOption').implement({
  description: 'Plan and billing interval that a customer can change to.',
  fields: (t) => ({
    planId: t.id({
      description: 'ID of the plan, as sent to `portalPlanChange`.',
      resolve: ({ plan }) => plan.id,
    }),
    planName: t.string({ description: 'Name of the plan.', resolve: ({ plan }) => plan.name }),
    billingInterval: t
      .maybe('billingInterval', BillingInterval)
      .describe('Billing interval of the price. `null` if the plan is free.'),
    price: t
      .member('priceMinor', 'MINOR')
      .describe('Price per interval, in the smallest unit of `currency`.'),
    currency: t
      .member('currency', Currency)
      .describe('Currency of `price` and `amountDue`, as a lowercase ISO 4217 code.'),
    timing: t
      .member('direction', PlanChangeTiming)
      .describe('Timing of the change: immediate, scheduled, or after a checkout.'),
    amountDue: t
      .member('dueMinor', 'MINOR')
      .describe(
        'Amount charged for the change, in the smallest unit of `currency`. Includes tax. The credit for the rest of the current period is already subtracted. 0 if the change is scheduled.',
      ),
    effectiveDate: t
      .member('effectiveAt', 'DateTime')
      .describe('Time at which the change takes effect if the customer requests the change now.'),
  }),
});
