import type { PlanGrantEntry } from '../../domain/subscription/state/aggregate.ts';
import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';

const PlanGrantStatus = builder.enumType('PlanGrantStatus', {
  description: 'Whether a plan grant gives access.',
  values: {
    active: { description: 'It does.' },
    expired: { description: 'It reached its end.' },
    revoked: { description: 'It was ended early, or ended with its subscription.' },
  } as const,
});

export const PlanGrantDuration = builder.enumType('PlanGrantDuration', {
  description: 'How the end of a plan grant is set.',
  values: {
    cycles: { description: 'The end of a billing period.' },
    until_date: { description: 'A given instant.' },
    until_revoked: { description: 'None.' },
  } as const,
});

const PlanGrantSource = builder.enumType('PlanGrantSource', {
  description: 'Who made a plan grant.',
  values: { dashboard: { description: 'A member.' }, api: { description: 'An API key.' } } as const,
});

const PlanGrantEventType = builder.enumType('PlanGrantEventType', {
  description: 'What happened to a plan grant.',
  values: {
    created: { description: 'It began.' },
    updated: { description: 'Its duration was replaced.' },
    expired: { description: 'It reached its end.' },
    revoked: { description: 'It was ended early.' },
  } as const,
});

const PlanGrantEventSource = builder.enumType('PlanGrantEventSource', {
  description: 'Who caused something that happened to a plan grant.',
  values: {
    dashboard: { description: 'A member.' },
    api: { description: 'An API key.' },
    system: { description: 'No one: time, or the end or change of the subscription.' },
  } as const,
});

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

const PlanGrantEvent = builder.objectRef<PlanGrantEntry>('PlanGrantEvent').implement({
  description: 'Something that happened to a plan grant.',
  fields: (t) => ({
    eventId: t.exposeID('id', {
      description: 'Our identifier, `gre_…`, unique among the events of the grant.',
    }),
    type: t.expose('type', { type: PlanGrantEventType, description: 'What happened.' }),
    reason: t.exposeString('reason', { description: 'Why it happened.' }),
    source: t.expose('source', { type: PlanGrantEventSource, description: 'Who caused it.' }),
    previousExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the grant was to end before; null at its beginning and where it had no end.',
      resolve: ({ previousExpiresAt }) => dateOf(previousExpiresAt),
    }),
    expiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the grant was to end from then on; null where it had no end.',
      resolve: ({ expiresAt }) => dateOf(expiresAt),
    }),
    duration: t.expose('duration', {
      type: PlanGrantDuration,
      nullable: true,
      description: 'What was requested; null when it ended.',
    }),
    durationCycles: t.expose('durationCycles', {
      type: 'Int',
      nullable: true,
      description: 'Null but for `cycles`.',
    }),
    requestedExpiresAt: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'The requested instant; null except for `until_date`.',
      resolve: ({ requestedExpiresAt }) => dateOf(requestedExpiresAt),
    }),
    createdAt: t.field({
      type: 'DateTime',
      description: 'Business time at which it happened.',
      resolve: ({ createdAt }) => new Date(createdAt),
    }),
  }),
});

export const PlanGrant = builder.prismaObject('PlanGrant', {
  ...node({ prefix: 'pgr' }),
  description: 'Temporary access of a subscription to a higher plan, without effect on billing.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `pgr_…`.' }),
    customerId: t.exposeID('customerId', { description: 'Our id of the customer.' }),
    subscriptionId: t.exposeID('subscriptionId', { description: 'Id of the subscription.' }),
    basePlanId: t.exposeID('basePlanId', { description: 'Id of the plan the subscription pays for.' }),
    planId: t.exposeID('planId', { description: 'Id of the plan it has access to as well.' }),
    planReleaseId: t.exposeID('planReleaseId', {
      description:
        'The features of the granted plan as they stood when it was granted, `plr_…`; later changes of the plan do not reach the grant.',
    }),
    status: t.expose('status', { type: PlanGrantStatus, description: 'Whether it gives access.' }),
    duration: t.expose('duration', { type: PlanGrantDuration, description: 'How its end is set.' }),
    durationCycles: t.expose('durationCycles', {
      type: 'Int',
      nullable: true,
      description: 'Null but for `cycles`.',
    }),
    startsAt: t.expose('startsAt', { type: 'DateTime', description: 'From when on it gives access.' }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ends, or was to end; null until it is revoked.',
    }),
    reason: t.exposeString('reason', { description: 'Why it changed last.' }),
    source: t.expose('source', { type: PlanGrantSource, description: 'Who made it.' }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was ended early; null otherwise.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of its creation.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Business time of its last change.' }),
    events: t.computed({
      type: [PlanGrantEvent],
      description: 'What happened to it, the first first.',
      columns: ['timeline'],
      resolve: ({ timeline }) => timeline,
    }),
    customer: t.row('customer', { description: 'Who has it.' }),
    subscription: t.row('subscription', { description: 'The subscription whose access it widens.' }),
    basePlan: t.row('basePlan', {
      description: 'The plan the subscription pays for, as the catalog has it now.',
    }),
    plan: t.row('plan', { description: 'The granted plan as the catalog has it now.' }),
    object: t.string({ description: 'Always `plan_grant`.', resolve: () => 'plan_grant' }),
    livemode: t.livemode(),
  }),
});

export const PlanGrantConnection = connectionOf('PlanGrant', PlanGrant, 'plan grants');

builder.prismaObjectField('Customer', 'planGrants', (t) =>
  t.page('planGrants', { description: 'The plan grants of the customer, ended ones too.' }),
);

restView(
  'PlanGrant',
  'PlanGrant',
  `id customerId subscriptionId basePlanId planId planReleaseId status duration durationCycles startsAt expiresAt reason source revokedAt
  createdAt updatedAt events { id: eventId type reason source previousExpiresAt expiresAt duration durationCycles requestedExpiresAt createdAt }
  object livemode`,
);
