import {
  count,
  flag,
  id,
  inGraphql,
  int,
  listOf,
  object,
  oneOf,
  orNull,
  text,
  textMap,
  time,
} from './fields.ts';
import { customerId, subscriptionId } from './shared.ts';

const customer = {
  id: inGraphql('customerId', id('cus', 'ID of the customer.')),
  externalId: orNull(text('External ID of the customer.', 'ada'), 'the customer has no external ID'),
  fullName: orNull(text('Name of the customer.', 'Ada Lovelace'), 'the name is not set'),
  email: text('Email address of the customer.', 'ada@example.com'),
  taxDocument: orNull(text('Tax ID of the customer.', 'DE123456788'), 'the tax ID is not set'),
  documentType: orNull(text('Type of the tax ID.', 'vat'), 'the tax ID is not set'),
  timezone: text('Time zone of the customer.', 'Europe/Berlin'),
  metadata: textMap('Metadata of the customer.', { tier: 'gold' }),
  createdAt: time('Time at which the customer was created.'),
  updatedAt: time('Time of the last change.'),
};

const duration = oneOf('PlanGrantDuration', 'Type of the duration.', 'cycles');
const durationCycles = orNull(
  int('Number of billing periods.', 3),
  "the duration isn't a number of billing periods",
);
const grantEnd = orNull(
  time('Time at which the plan grant expires.', '2026-11-27T09:30:00.000Z'),
  'the plan grant has no expiration time',
);
const grantReason = text('Reason for the plan grant.', 'Trial of the higher plan');

const planGrant = {
  id: inGraphql('planGrantId', id('pgr', 'ID of the plan grant.')),
  customerId: id('cus', 'ID of the customer, even if the customer has an external ID.'),
  subscriptionId,
  basePlanId: id('pln', 'ID of the plan that the customer pays for.'),
  targetPlanId: id('pln', 'ID of the granted plan.'),
  targetPlanReleaseId: id('plr', 'ID of the granted version of the plan.'),
  status: oneOf('PlanGrantStatus', 'Status of the plan grant.', 'active'),
  duration,
  durationCycles,
  startsAt: time('Start of the plan grant.'),
  expiresAt: grantEnd,
  reason: grantReason,
  source: oneOf('PlanGrantEventSource', 'Source of the last change.', 'api'),
  revokedAt: orNull(time('Time of the revocation.'), "the plan grant wasn't revoked"),
  createdAt: time('Time at which the plan grant was created.'),
  updatedAt: time('Time of the last change.'),
  events: listOf(
    object(
      {
        name: 'EventPlanGrantChange',
        description: 'A change to a plan grant, in an event.',
        fields: {
          id: inGraphql('changeId', id('pge', 'ID of the change.')),
          type: oneOf('PlanGrantEventType', 'Type of the change.', 'created'),
          reason: grantReason,
          source: oneOf('PlanGrantEventSource', 'Source of the change.', 'api'),
          previousExpiresAt: orNull(
            time('Expiration time before the change.'),
            'the plan grant had no expiration time',
          ),
          expiresAt: grantEnd,
          duration: orNull(duration, 'the change ended the plan grant'),
          durationCycles,
          requestedExpiresAt: orNull(time('Requested expiration time.'), 'no time was requested'),
          createdAt: time('Time of the change.'),
        },
      },
      'Changes to the plan grant, oldest first.',
    ),
  ),
};

const taxRegistration = {
  taxRegistrationId: id('txr', 'ID of the tax registration.'),
  country: text('Country, as an ISO 3166-1 code.', 'US'),
  region: orNull(text('Region, as an ISO 3166-2 code.', 'US-TX'), 'the registration is for the country'),
  rateBps: orNull(int('Tax rate in basis points; 10,000 = 100%.', 825), 'the rate follows from the address'),
};

const ended = {
  exportId: id('exp', 'ID of the export.'),
  kind: oneOf('ExportKind', 'Exported list.', 'invoices'),
  format: oneOf('ExportFormat', 'Format of the files.', 'csv'),
};

/** Payloads of events about customers, plan grants, and settings. */
export const otherPayloads = {
  'customer.created': customer,
  'customer.updated': customer,
  'customer.deleted': customer,
  'plan_grant.created': planGrant,
  'plan_grant.updated': planGrant,
  'plan_grant.expired': planGrant,
  'plan_grant.revoked': planGrant,
  'rate_card.updated': {
    rateCardId: id('rcd', 'ID of the rate card.'),
    code: text('Code of the rate card.', 'ai_models'),
    name: text('Name of the rate card.', 'AI models'),
    version: int('Version of the rates.', 2),
    subscribers: int(
      'Number of subscriptions that give access and whose plan or add-on refers to the rate card. Capped at 10,000.',
      120,
    ),
  },
  'tax_registration.created': taxRegistration,
  'tax_registration.deleted': taxRegistration,
  'export.completed': {
    ...ended,
    rows: count('Number of exported rows.', 1_204),
    bytes: count('Size of the files in bytes.', 96_320),
    files: int('Number of files.', 1),
    delivered: flag('Whether the files were delivered to the destination.', false),
  },
  'export.failed': {
    ...ended,
    error: text('Reason of the failure.', "The file couldn't be written. Start a new export."),
  },
  'deadline.failed': {
    customerId,
    subscriptionId: orNull(subscriptionId, "the action isn't related to a subscription"),
    deadlineId: text('ID of the scheduled action.', 'period_end:sub_1JNkcnXR6WYnGWJZKY8DeJ'),
    deadline: text('Type of the scheduled action.', 'period_end'),
    dueAt: time('Due time of the action.'),
    error: text('Reason of the failure.', 'The total of the invoice is too large.'),
  },
};
