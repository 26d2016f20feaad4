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

/** Returns the signing secret of an endpoint. `null` unless the request created the endpoint or rotated its secret. */
const secretOf = (webhook: object): string | null =>
  'secretKey' in webhook && typeof webhook.secretKey === 'string' ? webhook.secretKey : null;

export const Webhook = builder.prismaObject('Webhook', {
  ...node({ prefix: 'whe', access: { scope: 'read', role: 'admin' } }),
  description: "A URL that receives events. Each message is signed with the endpoint's secret.",
  fields: (t) => ({
    ...t.columns('id', 'url'),
    events: t.expose('events', { type: [EventKind] }),
    ...t.columns('description', 'isActive', 'apiVersion'),
    secretKey: t.computed({
      type: 'String',
      nullable: true,
      description:
        'Signing secret: `whsec_` followed by 32 bytes in Base64. The full string is the key for `X-Service-Signature`, and the decoded bytes are the key for `webhook-signature`. `null` except in the responses of `webhookCreate` and `webhookSecretRotate`.',
      columns: [],
      resolve: secretOf,
    }),
    ...t.columns('createdAt'),
    ...t.resource('webhook'),
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
    delivered: t.member('delivered', 'Int').describe('Number of successful deliveries.'),
    failed: t.member('failed', 'Int').describe('Number of deliveries for which all attempts failed.'),
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
        "Median duration of the deliveries' last attempts, in milliseconds. `null` if there were no attempts.",
      resolve: ({ total }) => total.medianMs,
    }),
    series: t
      .member('series', [WebhookHealthHour])
      .describe('Statistics by hour, oldest first. Hours without deliveries are omitted.'),
  }),
});

builder.prismaObjectField('Webhook', 'health', (t) =>
  t.computed({
    type: WebhookHealth,
    description: `Statistics for deliveries created in the last \`hours\` hours. Covers at most the latest ${maxDeliveries.toLocaleString('en')} deliveries. Always uses real time, never the test clock's time.`,
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
    succeeded: { description: 'The endpoint responded with a 2xx status before the timeout.' },
    failed: { description: "All attempts failed. The delivery isn't retried automatically." },
    canceled: { description: 'The delivery was canceled because its endpoint was disabled or deleted.' },
  } as const,
});

const WebhookHeader = builder.objectRef<SentRequest['headers'][number]>('WebhookHeader').implement({
  description: 'HTTP header of a webhook message.',
  fields: (t) => ({
    name: t.member('name', 'String').describe('Name of the header.'),
    value: t.member('value', 'String').describe('Value of the header.'),
  }),
});

const WebhookRequest = builder.objectRef<SentRequest>('WebhookRequest').implement({
  description: 'HTTP request that delivers a webhook message to an endpoint.',
  fields: (t) => ({
    url: t.member('url', 'String').describe('URL of the endpoint.'),
    headers: t
      .member('headers', [WebhookHeader])
      .describe('Headers of the message, including the signatures.'),
    body: t
      .member('body', 'String')
      .describe('JSON body of the message. The signatures are computed over exactly this body.'),
  }),
});

const WebhookAttempt = builder.objectRef<Stored.WebhookAttempts[number]>('WebhookAttempt').implement({
  description: 'An attempt to deliver a webhook message.',
  fields: (t) => ({
    at: t.field({
      type: 'DateTime',
      description: "Time at which the attempt started. Always real time, never the test clock's time.",
      resolve: ({ at }) => new Date(at),
    }),
    status: t
      .maybe('status', 'Int')
      .describe('HTTP status of the response. `null` if there was no response.'),
    durationMs: t
      .maybe('durationMs', 'Int')
      .describe('Duration of the attempt in milliseconds. `null` if unknown.'),
    responseBody: t
      .maybe('responseBody', 'String')
      .describe(
        "First 1,000 characters of the response. `null` if there was no response or the endpoint's address is private.",
      ),
    error: t
      .maybe('error', 'String')
      .describe('Reason why there was no response. `null` if there was a response.'),
  }),
});

export const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  ...node({ prefix: 'whd' }),
  description:
    "The delivery of one event to one endpoint. All times except `timestamp` are real time, never the test clock's time.",
  fields: (t) => ({
    ...t.columns('id'),
    webhook: t.row('webhook', { description: 'Endpoint that receives the message.' }),
    ...t.columns('eventId'),
    event: t.computed({
      type: EventKind,
      nullable: true,
      description: 'Event type. `null` if the delivery is a test.',
      columns: ['kind'],
      resolve: ({ kind }) => (kind === testKind ? null : kind),
    }),
    timestamp: t.column('occurredAt'),
    outboxEvent: t.rowById('Event', {
      id: 'eventId',
      nullable: true,
      description: 'Delivered event. `null` if the delivery is a test or the event is no longer stored.',
    }),
    ...t.columns('status', 'attempts'),
    ...t.columns('nextAttemptAt', 'lastAttemptAt'),
    ...t.columns('responseStatus', 'responseBody', 'error', 'durationMs'),
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
        "Message of the last attempt, or the message as it would be sent now if no attempt has been made yet. Signed with the current secret. `null` if the event is no longer stored. For `customer.state_changed`, the data is the customer's current state.",
      columns: ['webhookId', 'eventId', 'kind', 'occurredAt', 'lastAttemptAt', 'testData'],
      resolve: (delivery, _args, ctx) => loadRequest(ctx, delivery),
    }),
    ...t.columns('createdAt', 'finishedAt'),
    ...t.resource('webhook_delivery'),
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
    webhook: t.member('webhook', Webhook).describe('Endpoint to which the deliveries are resent.'),
    resentCount: t.member('resentCount', 'Int').describe('Number of deliveries that the request resends.'),
    isComplete: t
      .member('isComplete', 'Boolean')
      .describe(
        '`true` if the request resends all matching deliveries. If `false`, repeat the request to resend the remaining deliveries.',
      ),
  }),
});

export const WebhookTest = builder.objectRef<DeliveryRow>('WebhookTest').implement({
  description: 'The result of testing an endpoint.',
  fields: (t) => ({
    success: t.boolean({
      description: 'Whether the endpoint responded with a 2xx status before the timeout.',
      resolve: ({ status }) => status === 'succeeded',
    }),
    deliveryId: t.member('id', 'ID').describe('ID of the recorded delivery, starting with `whd_`.'),
    deliveredAt: t.field({
      type: 'DateTime',
      description: "Time at which the test was sent. Always real time, never the test clock's time.",
      resolve: ({ lastAttemptAt, createdAt }) => lastAttemptAt ?? createdAt,
    }),
    ...t.resource('webhook_delivery'),
  }),
});

const restFields = 'id url events description isActive apiVersion createdAt object livemode';

restView('Webhook', 'Webhook', restFields);
restView('CreatedWebhook', 'Webhook', `${restFields} secretKey`);
restView('WebhookTest', 'WebhookTest', 'success deliveryId deliveredAt object livemode');
