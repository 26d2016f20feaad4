import { builder } from '../../graphql/builder.ts';
import { throwIssues } from '../../graphql/rules.ts';
import { forecast, mostMonths } from './forecast.ts';
import { previewCall } from './preview.ts';
import { previewRenewal } from './preview-renewal.ts';
import { type PreviewInput, SubscriptionPreviewInput } from './types/input.ts';
import { SubscriptionForecast, SubscriptionPreview } from './types/preview.ts';

/** GraphQL checks this itself where it knows of such inputs; a null member counts as none. */
function demandOne(input: PreviewInput): void {
  const provided = Object.values(input).filter((member) => member !== null && member !== undefined);
  if (provided.length !== 1) throwIssues([{ field: 'command', message: 'must have exactly one member' }]);
}

builder.queryField('subscriptionPreview', (t) =>
  t.field({
    type: SubscriptionPreview,
    description:
      'What a call would do if it were made now, by the decision the call itself comes to: documents with lines, tax, credits and totals, payments, events, the subscription afterwards, or the rejection. Nothing is written, charged or sent. The sandbox answers for its test cards; other connections are taken to settle.',
    // A rejection of the decision is part of the answer; these come before there is one.
    errors: [
      'subscription_not_found',
      'customer_not_found',
      'plan_not_found',
      'transaction_not_found',
      'invalid_subscription_status',
    ],
    access: { scope: 'read' },
    args: {
      command: t.arg({ type: SubscriptionPreviewInput, required: true, description: 'The call to preview.' }),
    },
    resolve: (_root, { command }, ctx) => {
      demandOne(command);
      return command.renewal ? previewRenewal(ctx, command.renewal.id) : previewCall(ctx, command);
    },
  }),
);

builder.queryField('subscriptionForecast', (t) =>
  t.field({
    type: SubscriptionForecast,
    description: `The invoices a subscription will have over the next months as things stand: what is scheduled happens, charges settle, and of consumption only what has been used counts. Looks ${mostMonths} months ahead at most; \`subscription_not_found\` when there is none.`,
    errors: ['subscription_not_found'],
    access: { scope: 'read' },
    args: {
      id: t.arg.id({ required: true, description: 'Id of the subscription.' }),
      months: t.arg({
        type: 'Int',
        required: true,
        rule: { minimum: 1, maximum: mostMonths },
        description: `How many months, 1 to ${mostMonths}; the forecast ends with the UTC date so many months from today.`,
      }),
    },
    resolve: (_root, { id, months }, ctx) => forecast(ctx, id, months),
  }),
);
