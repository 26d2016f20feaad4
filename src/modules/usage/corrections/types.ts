import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { loadFeatureCode } from '../../catalog/features/store.ts';
import { UsageEvent } from '../usage/types/usage.ts';

export const UsageCorrection = builder.prismaObject('UsageCorrection', {
  ...node({ prefix: 'ucr' }),
  description:
    'Correction that removed a usage event from the total of its usage window. The event itself never changes.',
  fields: (t) => ({
    ...t.columns('id', 'kind', 'usageEventId', 'customerId', 'subscriptionId'),
    featureCode: t.computed({
      type: 'String',
      description: 'Code of the feature.',
      columns: ['featureId'],
      resolve: ({ featureId }, _args, ctx) => loadFeatureCode(ctx, featureId),
    }),
    ...t.columns('difference', 'deducted', 'waived'),
    amount: t.column('amountMinor'),
    ...t.columns('reason', 'windowStart', 'createdAt'),
    event: t.rowById('UsageEvent', {
      type: UsageEvent,
      id: 'usageEventId',
      nullable: true,
      description: 'Corrected usage event. `null` if it was deleted after its retention period.',
    }),
    replacement: t.rowById('UsageEvent', {
      type: UsageEvent,
      id: 'replacementId',
      nullable: true,
      description:
        'Usage event that was recorded in place of the corrected event. `null` if the event was only voided, or if the replacement was deleted after its retention period.',
    }),
    ...t.resource('usage_correction'),
  }),
});

export const UsageCorrectionConnection = connectionOf(
  'UsageCorrection',
  UsageCorrection,
  'corrections of usage events',
);

restView(
  'UsageCorrection',
  'UsageCorrection',
  'id kind usageEventId customerId subscriptionId featureCode difference deducted waived amount reason windowStart createdAt replacement { id } object livemode',
);
