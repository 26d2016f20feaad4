import type { ChangeOption } from '../../../domain/subscription/decision/change-options.ts';
import { builder } from '../../../graphql/builder.ts';
import { Currency } from '../../currencies/enums.ts';
import { BillingInterval } from '../../plans/enums.ts';

const PlanChangeTiming = builder.enumType('PlanChangeTiming', {
  description: 'When a change of plan or interval takes effect.',
  values: {
    immediate: { description: 'At once, when its charge has settled.' },
    scheduled: { description: 'At the end of the period or trial; nothing is charged before.' },
    checkout: { description: 'At once, when its checkout has been paid.' },
  } as const,
});

export const PortalPlanOption = builder.objectRef<ChangeOption>('PortalPlanOption').implement({
  description: 'A plan and interval a customer can move to.',
  fields: (t) => ({
    planId: t.id({ description: 'Names it in `portalPlanChange`.', resolve: ({ plan }) => plan.id }),
    planName: t.string({ description: 'What it is called.', resolve: ({ plan }) => plan.name }),
    billingInterval: t.expose('billingInterval', {
      type: BillingInterval,
      nullable: true,
      description: 'How often its price is charged; null on a free plan.',
    }),
    price: t.expose('priceMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description: 'What an interval costs, minor units of `currency`.',
    }),
    currency: t.expose('currency', {
      type: Currency,
      description: 'Lower-case ISO 4217 code of both amounts.',
    }),
    timing: t.expose('direction', { type: PlanChangeTiming, description: 'When it takes effect.' }),
    amountDue: t.expose('dueMinor', {
      type: 'SafeInt',
      amount: 'MINOR',
      description:
        'What is charged for the change: the whole invoice, with what is left of the present period taken off and tax added, minor units; 0 where it waits.',
    }),
    effectiveDate: t.expose('effectiveAt', {
      type: 'DateTime',
      description: 'When it takes effect if requested now.',
    }),
  }),
});
