import type { PlanGrantEntry } from '../../../domain/subscription/state/aggregate.ts';
import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';

builder.enumType('PlanGrantStatus', {
  description: 'Status of a plan grant.',
  values: {
    active: { description: 'The plan grant gives access.' },
    expired: { description: 'The plan grant reached its end.' },
    revoked: { description: 'The plan grant was revoked, or its subscription ended.' },
  } as const,
});

export const PlanGrantDuration = builder.enumType('PlanGrantDuration', {
  description: 'Rule that determines the end of a plan grant.',
  values: {
    cycles: { description: 'The grant ends after a number of billing periods.' },
    until_date: { description: 'The grant ends at a given time.' },
    until_revoked: { description: "The grant has no end and stays active until it's revoked." },
  } as const,
});

builder.enumType('PlanGrantSource', {
  description: 'Source of a plan grant.',
  values: {
    dashboard: { description: 'The plan grant was created by a member.' },
    api: { description: 'The plan grant was created with an API key.' },
  } as const,
});

const PlanGrantEventType = builder.enumType('PlanGrantEventType', {
  description: 'Type of a plan grant event.',
  values: {
    created: { description: 'The plan grant was created.' },
    updated: { description: 'The duration of the plan grant was replaced.' },
    expired: { description: 'The plan grant reached its end.' },
    revoked: { description: 'The plan grant was revoked.' },
  } as const,
});

const PlanGrantEventSource = builder.enumType('PlanGrantEventSource', {
  description: 'Source of a plan grant event.',
  values: {
    dashboard: { description: 'A member caused the event.' },
    api: { description: 'An API key caused the event.' },
    system: {
      description:
        'The event was automatic: the grant reached its end, or the subscription ended or changed.',
    },
  } as const,
});

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

const PlanGrantEvent = builder.objectRef<PlanGrantEntry>('PlanGrantEvent').implement({
  description: 'Event in the history of a plan grant.',
  fields: (t) => ({
    eventId: t
      .member('id', 'ID')
      .describe('Identifier of the event. Starts with `gre_`. Unique within the grant.'),
    type: t.member('type', PlanGrantEventType).describe('Type of the event.'),
    reason: t.member('reason', 'String').describe('Reason for the event.'),
    source: t.member('source', PlanGrantEventSource).describe('Source of the event.'),
    previousExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description:
        'Previous end of the grant. `null` if the event created the grant, or if the grant had no end.',
      resolve: ({ previousExpiresAt }) => dateOf(previousExpiresAt),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'New end of the grant. `null` if the grant has no end.',
      resolve: ({ expiresAt }) => dateOf(expiresAt),
    }),
    duration: t
      .maybe('duration', PlanGrantDuration)
      .describe('Requested duration. `null` if the event ended the grant.'),
    durationCycles: t
      .maybe('durationCycles', 'Int')
      .describe(
        'Number of billing periods, including the period of the event. `null` unless the duration is `cycles`.',
      ),
    requestedExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'Requested end of the grant. `null` unless the duration is `until_date`.',
      resolve: ({ requestedExpiresAt }) => dateOf(requestedExpiresAt),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: "Time at which the event occurred. In a sandbox, the test clock's time.",
      resolve: ({ createdAt }) => new Date(createdAt),
    }),
  }),
});

export const PlanGrant = builder.prismaObject('PlanGrant', {
  ...node({ prefix: 'pgr' }),
  description: "Temporary access to a higher-ranked plan, granted to a subscription. Billing doesn't change.",
  fields: (t) => ({
    ...t.columns('id', 'customerId', 'subscriptionId', 'basePlanId', 'planId'),
    ...t.columns('planReleaseId', 'status', 'duration', 'durationCycles'),
    ...t.columns('startsAt', 'expiresAt'),
    ...t.columns('reason', 'source'),
    ...t.columns('revokedAt', 'createdAt', 'updatedAt'),
    events: t.computed({
      type: [PlanGrantEvent],
      description: 'History of the plan grant, oldest event first.',
      columns: ['timeline'],
      resolve: ({ timeline }) => timeline,
    }),
    customer: t.row('customer', { description: 'Customer that the grant belongs to.' }),
    subscription: t.row('subscription', { description: 'Subscription that has access to the granted plan.' }),
    basePlan: t.row('basePlan', {
      description: 'Plan that the subscription pays for, as currently defined in the catalog.',
    }),
    plan: t.row('plan', { description: 'Granted plan, as currently defined in the catalog.' }),
    ...t.resource('plan_grant'),
  }),
});

export const PlanGrantConnection = connectionOf('PlanGrant', PlanGrant, 'plan grants');

builder.prismaObjectField('Customer', 'planGrants', (t) =>
  t.page('planGrants', { description: 'Plan grants of the customer, including ended grants.' }),
);

restView(
  'PlanGrant',
  'PlanGrant',
  `id customerId subscriptionId basePlanId planId planReleaseId status duration durationCycles startsAt expiresAt reason source revokedAt
  createdAt updatedAt events { id: eventId type reason source previousExpiresAt expiresAt duration durationCycles requestedExpiresAt createdAt }
  object livemode`,
);
