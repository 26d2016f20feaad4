import { restView } from '../../../graphql/declare/rest.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { node } from '../../../graphql/reading/node.ts';
import { connectionOf } from '../../../graphql/reading/pagination.ts';
import { EventKind } from '../../organization/event-types/enums.ts';
import { type Health, loadHealth } from './load-health.ts';
import { loadRequest, type SentRequest } from './load-request.ts';
import type { Resent } from './resend-many.ts';
import { type DeliveryRow, type HealthRow, loggedAttempts, maxDeliveries } from './store.ts';
import { testKind } from './test-endpoint.ts';

/** Returns the secret. Only an endpoint that was just created or whose secret was just rotated has a secret here. */
const secretOf = (webhook: object): string | null =>
  'secretKey' in webhook && typeof webhook.secretKey === 'string' ? webhook.secretKey : null;

export const Webhook = builder.prismaObject('Webhook', {
  ...node({ prefix: 'whe', access: { scope: 'read', role: 'admin' } }),
  description: "A URL that receives events. Each message is signed with the endpoint's secret.",
  fields: (t) => ({
    id: t.exposeID('id'),
    url: t.exposeString('url'),
    events: t.expose('events', { type: [EventKind] }),
    description: t.exposeString('description', { nullable: true }),
    isActive: t.exposeBoolean('isActive'),
    apiVersion: t.exposeString('apiVersion'),
    secretKey: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Signing secret: `whsec_` followed by 32 bytes in Base64. The full string is the key for `X-Service-Signature`; the decoded bytes are the key for `webhook-signature`. `null` except in the responses of `webhookCreate` and `webhookSecretRotate`.',
      columns: [],
      resolve: secretOf,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    object: t.string({ description: 'Always `webhook`.', resolve: () => 'webhook' }),
    livemode: t.livemode(),
  }),
});

const WebhookHealthHour = builder.objectRef<HealthRow>('WebhookHealthHour').implement({
  description: 'Deliveries of an endpoint within one hour.',
  fields: (t) => ({
    at: t.field({
      type: 'DateTime',
      description: 'Start of the hour in which the deliveries were created.',
      resolve: ({ at }) => at ?? new Date(0),
    }),
    delivered: t.exposeInt('delivered', { description: 'Number of successful deliveries.' }),
    failed: t.exposeInt('failed', { description: 'Number of deliveries for which all attempts failed.' }),
  }),
});

const WebhookHealth = builder.objectRef<Health>('WebhookHealth').implement({
  description: "Statistics for an endpoint's most recent deliveries.",
  fields: (t) => ({
    delivered: t.int({
      description: 'Number of successful deliveries.',
      resolve: ({ total }) => total.delivered,
    }),
    failed: t.int({
      description: 'Number of deliveries for which all attempts failed.',
      resolve: ({ total }) => total.failed,
    }),
    queued: t.int({
      description: 'Number of deliveries that are waiting for an attempt.',
      resolve: ({ total }) => total.queued,
    }),
    medianMs: t.int({
      nullable: true,
      description:
        "Median duration of each delivery's last attempt, in milliseconds. `null` if there were no attempts.",
      resolve: ({ total }) => total.medianMs,
    }),
    series: t.field({
      type: [WebhookHealthHour],
      description: 'Statistics by hour, oldest first. Hours without deliveries are omitted.',
      resolve: ({ series }) => [...series],
    }),
  }),
});

builder.prismaObjectField('Webhook', 'health', (t) =>
  t.computed({
    type: WebhookHealth,
    description: `Statistics of the deliveries that were created in the given number of hours, limited to the latest ${maxDeliveries.toLocaleString('en')}. Uses real time, even in a sandbox.`,
    columns: ['id'],
    args: {
      hours: t.arg({
        type: 'Int',
        rule: { minimum: 1, maximum: 168 },
        description: 'Number of hours to include, from 1 to 168. Defaults to 24.',
      }),
    },
    resolve: ({ id }, { hours }, ctx) => loadHealth(ctx, id, hours ?? 24),
  }),
);

export const WebhookConnection = connectionOf('Webhook', Webhook, 'webhook endpoints');

export const WebhookDeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'Status of a delivery.',
  values: {
    pending: { description: 'The delivery is scheduled for its next attempt.' },
    succeeded: { description: 'The endpoint responded with 2xx in time.' },
    failed: { description: "All attempts failed. The delivery isn't retried automatically." },
    canceled: { description: 'The delivery was canceled because its endpoint was disabled or deleted.' },
  } as const,
});

const WebhookHeader = builder.objectRef<SentRequest['headers'][number]>('WebhookHeader').implement({
  description: 'HTTP header of a webhook message.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Name of the header.' }),
    value: t.exposeString('value', { description: 'Value of the header.' }),
  }),
});

const WebhookRequest = builder.objectRef<SentRequest>('WebhookRequest').implement({
  description: 'HTTP request that delivers a webhook message to an endpoint.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'URL of the endpoint.' }),
    headers: t.field({
      type: [WebhookHeader],
      description: 'Headers of the message, including the signatures.',
      resolve: ({ headers }) => [...headers],
    }),
    body: t.exposeString('body', {
      description: 'JSON body of the message. The signatures are computed over this exact text.',
    }),
  }),
});

const WebhookAttempt = builder.objectRef<Stored.WebhookAttempts[number]>('WebhookAttempt').implement({
  description: 'An attempt to deliver a message.',
  fields: (t) => ({
    at: t.field({
      type: 'DateTime',
      description: "Time at which the attempt started, in real time (not the test clock's time).",
      resolve: ({ at }) => new Date(at),
    }),
    status: t.exposeInt('status', {
      nullable: true,
      description: 'HTTP status of the response. `null` if there was no response.',
    }),
    durationMs: t.exposeInt('durationMs', {
      nullable: true,
      description: 'Duration in milliseconds. `null` if unknown.',
    }),
    responseBody: t.exposeString('responseBody', {
      nullable: true,
      description:
        'First 1,000 characters of the response. `null` if there was no response or the address is private.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Reason why there was no response. `null` if there was a response.',
    }),
  }),
});

export const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  ...node({ prefix: 'whd' }),
  description:
    'The delivery of one event to one endpoint. Times are real time, independent of the test clock.',
  fields: (t) => ({
    id: t.exposeID('id'),
    webhook: t.row('webhook', { description: 'Endpoint that receives the message.' }),
    eventId: t.exposeID('eventId'),
    event: t.computed({
      type: EventKind,
      nullable: true,
      description: 'Event type. `null` if the delivery is a test.',
      columns: ['kind'],
      resolve: ({ kind }) => (kind === testKind ? null : kind),
    }),
    timestamp: t.expose('occurredAt', {
      type: 'DateTime',
      description: "Time of the event. In a sandbox, the test clock's time.",
    }),
    outboxEvent: t.rowById('Event', {
      id: 'eventId',
      nullable: true,
      description: 'Delivered event. `null` if the delivery is a test or the event is no longer stored.',
    }),
    status: t.expose('status', { type: WebhookDeliveryStatus }),
    attempts: t.exposeInt('attempts'),
    nextAttemptAt: t.expose('nextAttemptAt', { type: 'DateTime', nullable: true }),
    lastAttemptAt: t.expose('lastAttemptAt', { type: 'DateTime', nullable: true }),
    responseStatus: t.exposeInt('responseStatus', { nullable: true }),
    responseBody: t.exposeString('responseBody', { nullable: true }),
    error: t.exposeString('error', { nullable: true }),
    durationMs: t.exposeInt('durationMs', { nullable: true }),
    attemptsLog: t.computed({
      type: [WebhookAttempt],
      description: `Latest attempts, oldest first. Up to ${loggedAttempts}, including attempts before the delivery was resent.`,
      columns: ['attemptLog'],
      resolve: ({ attemptLog }) => [...(attemptLog ?? [])],
    }),
    request: t.computed({
      type: WebhookRequest,
      nullable: true,
      description:
        "Message as sent in the last attempt, or as it would be sent now, signed with the current secret. `null` if the event is no longer stored. For `customer.state_changed`, the data is the customer's current state.",
      columns: ['webhookId', 'eventId', 'kind', 'occurredAt', 'lastAttemptAt', 'testData'],
      resolve: (delivery, _args, ctx) => loadRequest(ctx, delivery),
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    object: t.string({ description: 'Always `webhook_delivery`.', resolve: () => 'webhook_delivery' }),
    livemode: t.livemode(),
  }),
});

export const WebhookDeliveryConnection = connectionOf(
  'WebhookDelivery',
  WebhookDelivery,
  'webhook deliveries',
);

export const WebhookResend = builder.objectRef<Resent>('WebhookResend').implement({
  description: 'The result of resending deliveries.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: Webhook, description: 'Endpoint of the deliveries.' }),
    resentCount: t.exposeInt('resentCount', { description: 'Number of deliveries that are resent.' }),
    isComplete: t.exposeBoolean('isComplete', {
      description:
        '`true` if all matching deliveries are resent. If `false`, repeat the request to resend the remaining deliveries.',
    }),
  }),
});

export const WebhookTest = builder.objectRef<DeliveryRow>('WebhookTest').implement({
  description: 'The result of testing an endpoint.',
  fields: (t) => ({
    success: t.boolean({
      description: 'Whether the endpoint responded with 2xx in time.',
      resolve: ({ status }) => status === 'succeeded',
    }),
    deliveryId: t.exposeID('id', { description: 'ID of the recorded delivery, starting with `whd_`.' }),
    deliveredAt: t.field({
      type: 'DateTime',
      description: "Time at which the test was sent, in real time (not the test clock's time).",
      resolve: ({ lastAttemptAt, createdAt }) => lastAttemptAt ?? createdAt,
    }),
    object: t.string({ description: 'Always `webhook_delivery`.', resolve: () => 'webhook_delivery' }),
    livemode: t.livemode(),
  }),
});

const restFields = 'id url events description isActive apiVersion createdAt object livemode';

restView('Webhook', 'Webhook', restFields);
restView('CreatedWebhook', 'Webhook', `${restFields} secretKey`);
restView('WebhookTest', 'WebhookTest', 'success deliveryId deliveredAt object livemode');
