import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { onlyMember } from '../../../graphql/declare/rules.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { inTurn } from '../../../request/turn.ts';
import { Currency } from '../../organization/currencies/enums.ts';
import { computeUpcomingPayments, mostSubscriptions } from './compute-upcoming-payments.ts';
import { forecast, mostMonths } from './forecast.ts';
import { previewCall } from './preview.ts';
import { previewRenewal } from './preview-renewal.ts';
import { SubscriptionPreviewInput } from './types/input.ts';
import { SubscriptionForecast, SubscriptionPreview } from './types/preview.ts';
import { UpcomingPaymentsType } from './types/upcoming-payments.ts';

builder.queryField('subscriptionPreview', (t) =>
  t.field({
    type: SubscriptionPreview,
    description:
      "Previews a mutation. Returns the resulting invoices, payments, events, and subscription, or the reason why the mutation would be rejected. Invoices include line items, tax, credits, and totals. The preview doesn't store, charge, or send anything. The sandbox provider simulates its test cards. Payments with other providers are assumed to succeed.",
    // If the command is rejected, the response contains the error. The errors below occur before the command runs.
    errors: [
      'subscription_not_found',
      'customer_not_found',
      'plan_not_found',
      'transaction_not_found',
      'invalid_subscription_status',
    ],
    access: { scope: 'read' },
    args: {
      command: t.arg({ type: SubscriptionPreviewInput, required: true, description: 'Mutation to preview.' }),
    },
    complexity: { field: workCosts.preview },
    resolve: (_root, { command }, ctx) => {
      onlyMember(command, 'command');
      const { renewal, ...call } = command;
      return renewal ? previewRenewal(ctx, renewal.id) : previewCall(ctx, call);
    },
  }),
);

builder.queryField('subscriptionForecast', (t) =>
  t.field({
    type: SubscriptionForecast,
    description: `Returns a forecast of a subscription's invoices for up to ${mostMonths} months. The forecast assumes that scheduled changes take effect and that charges succeed. Only usage that was already recorded is included.`,
    errors: ['subscription_not_found'],
    access: { scope: 'read' },
    args: {
      id: t.arg.id({ required: true, description: 'ID of the subscription.' }),
      months: t.arg({
        type: 'Int',
        required: true,
        rule: { minimum: 1, maximum: mostMonths },
        description: `Number of months, from 1 to ${mostMonths}. The forecast ends on the UTC date that is this many months from today.`,
      }),
    },
    complexity: ({ months }) => ({ field: months * workCosts.forecastMonth }),
    resolve: (_root, { id, months }, ctx) => inTurn(ctx, () => forecast(ctx, id, months)),
  }),
);

builder.queryField('upcomingPayments', (t) =>
  t.field({
    type: UpcomingPaymentsType,
    description: `Returns the payments that subscriptions make in the next days, with the payments that may fail. Assumes that scheduled changes take effect and that charges succeed. Only usage that was already recorded is included. Includes up to ${mostSubscriptions.toLocaleString('en')} subscriptions.`,
    access: { scope: 'finance' },
    args: {
      days: t.arg({
        type: 'Int',
        rule: { minimum: 1, maximum: 31 },
        description:
          'Number of days to include, starting with the current UTC day. From 1 to 31. Defaults to 14.',
      }),
      currency: t.arg({
        type: Currency,
        required: true,
        description: 'Currency of the payments. Payments in other currencies are omitted.',
      }),
    },
    complexity: { field: workCosts.impact },
    resolve: (_root, { days, currency }, ctx) =>
      inTurn(ctx, () => computeUpcomingPayments(ctx, { days: days ?? 14, currency })),
  }),
);
