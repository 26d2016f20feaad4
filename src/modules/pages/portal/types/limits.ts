import type { ThresholdEntry } from '../../../../domain/limits/portal-entry.ts';
import { isCurrency } from '../../../../domain/money/money.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { connectionOf } from '../../../../graphql/reading/pagination.ts';
import type { Row } from '../../../../platform/db/rows.ts';
import { Currency } from '../../../organization/currencies/enums.ts';
import { loadBudgetKey } from '../../../usage/budgets/store.ts';
import { LimitAction, LimitMeasure, LimitSetter, LimitWindowKind } from '../../../usage/limits/enums.ts';
import { loadBudgetLimits } from '../../../usage/limits/load-states.ts';
import { type PortalLimitShape, shownLimits, type UsageLimits } from '../load-usage-limits.ts';

/** Returns a value of a limit whose figures the customer sees. `null` if the figures are hidden. */
const shown =
  <T>(read: (limit: PortalLimitShape) => T) =>
  (limit: PortalLimitShape): T | null =>
    limit.isInPortal ? read(limit) : null;

const unit = 'A decimal: money in major units of the currency, other amounts in the unit of the measure.';
const hidden = '`null` if the organization set the limit without the channel `portal`.';

const PortalLimitThreshold = builder.objectRef<ThresholdEntry>('PortalLimitThreshold').implement({
  description: 'Amount at which the customer is notified about the usage.',
  fields: (t) => ({
    amount: t.member('amount', 'Decimal').describe(`Amount of the threshold. ${unit}`),
    isReached: t
      .member('isReached', 'Boolean')
      .describe('Whether the usage reached the threshold in the current window.'),
  }),
});

const PortalLimit = builder.objectRef<PortalLimitShape>('PortalLimit').implement({
  description:
    "Limit on a customer's usage, as shown to the customer. A limit that the organization set has figures only if its channels include `portal`.",
  fields: (t) => ({
    limitId: t.id({
      nullable: true,
      description: 'ID of the limit. `null` if the organization set the limit.',
      resolve: ({ setBy, limitId }) => (setBy === 'customer' ? limitId : null),
    }),
    setBy: t.member('setBy', LimitSetter).describe('Person who set the limit.'),
    measure: t.field({
      type: LimitMeasure,
      nullable: true,
      description: `Number that the limit bounds. ${hidden}`,
      resolve: shown(({ measure }) => measure),
    }),
    window: t.field({
      type: LimitWindowKind,
      nullable: true,
      description: `Kind of the window. ${hidden}`,
      resolve: shown(({ window }) => window.kind),
    }),
    currency: t.field({
      type: Currency,
      nullable: true,
      description: `Lowercase code of the currency. \`null\` if the amount isn't money. ${hidden}`,
      resolve: shown(({ unit: code }) => (isCurrency(code) ? code : null)),
    }),
    amount: t.field({
      type: 'Decimal',
      nullable: true,
      description: `Amount of the limit. ${unit} ${hidden}`,
      resolve: shown(({ amount }) => amount),
    }),
    raise: t.field({
      type: 'Decimal',
      nullable: true,
      description: `Sum of the current raises. ${unit} ${hidden}`,
      resolve: shown(({ raise }) => raise),
    }),
    used: t.field({
      type: 'Decimal',
      nullable: true,
      description: `Amount used in the window. ${unit} ${hidden}`,
      resolve: shown(({ used }) => used),
    }),
    remaining: t.field({
      type: 'Decimal',
      nullable: true,
      description: `Remaining amount, at least 0. ${unit} ${hidden}`,
      resolve: shown(({ remaining }) => remaining),
    }),
    isReached: t.boolean({
      description: 'Whether the amount is used up. Further usage is then rejected if the limit blocks.',
      resolve: ({ remaining }) => remaining === '0',
    }),
    action: t.field({
      type: LimitAction,
      nullable: true,
      description: `Effect of usage that exceeds the amount. ${hidden}`,
      resolve: shown(({ action }) => action),
    }),
    thresholds: t.field({
      type: [PortalLimitThreshold],
      description:
        'Amounts at which the customer is notified. Empty if the customer is notified only at the amount, or if the figures are hidden.',
      resolve: ({ isInPortal, thresholds }) => (isInPortal ? [...thresholds] : []),
    }),
    isEmailed: t.boolean({
      description: 'Whether the customer is notified by email.',
      resolve: ({ isEmailed }) => isEmailed,
    }),
    isMerchantLower: t.boolean({
      description:
        'Whether a limit of the organization with the same measure and window has a lower amount. `false` for limits of the organization.',
      resolve: ({ isMerchantLower }) => isMerchantLower,
    }),
    resetsAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: "End of the window. `null` if the window slides or doesn't end.",
      resolve: ({ resetsAt }) => resetsAt,
    }),
  }),
});

const PortalBudget = builder.objectRef<Row<'Budget'>>('PortalBudget').implement({
  description: 'Part of the customer with separate limits, such as a team.',
  fields: (t) => ({
    key: t.member('key', 'String').describe('Kind and identifier of the budget, separated by a colon.'),
    name: t.maybe('name', 'String').describe('Name of the budget. `null` if the budget has no name.'),
    parentKey: t.field({
      type: 'String',
      nullable: true,
      description:
        'Key of the budget that includes the budget. `null` if the budget is directly below the customer.',
      resolve: ({ parentId }, _args, ctx) => loadBudgetKey(ctx, parentId),
    }),
    limits: t.field({
      type: [PortalLimit],
      description: 'Limits of the budget, without the limits of its parents and of the customer.',
      resolve: async (budget, _args, ctx) => shownLimits(await loadBudgetLimits(ctx, budget)),
    }),
  }),
});

const PortalBudgetConnection = connectionOf('PortalBudget', PortalBudget, 'budgets');

export const PortalUsageLimits = builder.objectRef<UsageLimits>('PortalUsageLimits').implement({
  description: "Limits on the usage of the portal's customer.",
  fields: (t) => ({
    limits: t.field({
      type: [PortalLimit],
      description:
        'Limits on all usage of the customer. Limits of the organization are included if they reject usage.',
      resolve: ({ limits }) => [...limits],
    }),
    budgets: t.pageBy('Budget', {
      type: PortalBudgetConnection,
      by: 'customerId',
      id: ({ customerId }) => customerId,
      where: () => ({ archivedAt: null }),
      description: 'Budgets of the customer. Archived budgets are excluded.',
    }),
  }),
});
