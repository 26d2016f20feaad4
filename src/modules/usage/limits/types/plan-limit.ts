import type { PlanThreshold, PlanLimit as Shape } from '../../../../domain/usage/plan-limits.ts';
import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { EventKind } from '../../../organization/event-types/enums.ts';
import { LimitAction, LimitMeasure, LimitRearm } from '../enums.ts';
import { LimitStateWindow } from './state.ts';

const PlanLimitThreshold = builder.objectRef<PlanThreshold>('PlanLimitThreshold').implement({
  description: 'Value at which a limit from the terms of a plan sends an event.',
  fields: (t) => ({
    event: t.member('event', EventKind).describe('Type of the event.'),
    amount: t.member('amount', 'Decimal').describe("Value in the unit of the limit's amount."),
    rearm: t.member('rearm', LimitRearm).describe('Time from which the threshold can be crossed again.'),
  }),
});

export const PlanLimit = builder.objectRef<Shape>('PlanLimit').implement({
  description:
    "Limit from the terms of a customer's plan and add-ons, with its current value: included units, seats, or quota units, or the available amount of credits, another custom unit, or a balance. Amounts are decimals in the unit of the measure. Balances are in ten-thousandths of the currency unit.",
  fields: (t) => ({
    feature: t
      .maybe('feature', 'String')
      .describe("Code of the feature. `null` if the limit doesn't bound the units of one feature."),
    measure: t.member('measure', LimitMeasure).describe('Number that the limit bounds.'),
    action: t
      .member('action', LimitAction)
      .describe('Effect of usage that exceeds the amount: `block`, or `notify` if the plan allows overage.'),
    window: t.member('window', LimitStateWindow).describe('Current window.'),
    unit: t.member('unit', 'String').describe('Lowercase currency code, code of a custom unit, or `units`.'),
    amount: t.member('amount', 'Decimal').describe('Included amount. For `remaining`, the minimum.'),
    used: t.member('used', 'Decimal').describe('Used amount. For `remaining`, the available amount.'),
    held: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Amount that open holds reserve. `null` if nothing is held.',
      resolve: ({ held }) => held,
    }),
    remaining: t.member('remaining', 'Decimal').describe('Remaining amount, at least 0.'),
    resetsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: "End of the window. `null` if the window doesn't end.",
      resolve: ({ resetsAt }) => resetsAt,
    }),
    thresholds: t.field({
      type: [PlanLimitThreshold],
      description: 'Values at which events are sent, in the order in which the value crosses them.',
      resolve: ({ thresholds }) => [...thresholds],
    }),
  }),
});

restView(
  'PlanLimit',
  'PlanLimit',
  `feature measure action window { kind start end } unit amount used held remaining resetsAt
  thresholds { event amount rearm }`,
  { absentWhenUnset: ['held'] },
);
