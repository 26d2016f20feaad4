import { builder } from '../../graphql/builder.ts';
import { node } from '../../graphql/node.ts';
import { connectionOf } from '../../graphql/pagination.ts';
import { restView } from '../../graphql/rest.ts';
import { EventKind } from '../events/enums.ts';
import { type Health, loadHealth } from './load-health.ts';
import { loadRequest, type SentRequest } from './load-request.ts';
import type { Resent } from './resend-many.ts';
import { type DeliveryRow, type HealthRow, loggedAttempts, mostDeliveries } from './store.ts';
import { testKind } from './test-endpoint.ts';

/** The secret rides on the row only where the endpoint has just been made. */
const secretOf = (webhook: object): string | null =>
  'secretKey' in webhook && typeof webhook.secretKey === 'string' ? webhook.secretKey : null;

export const Webhook = builder.prismaObject('Webhook', {
  ...node({ prefix: 'whe', access: { scope: 'read', role: 'admin' } }),
  description: 'An address that receives events. Each message is signed with its secret.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `whe_…`.' }),
    url: t.exposeString('url', {
      description:
        'Where events are posted to: https in live mode, http or https in the sandbox. A public address, unless the settings allow sandboxes others.',
    }),
    events: t.expose('events', { type: [EventKind], description: 'Kinds it receives, each once.' }),
    description: t.exposeString('description', { nullable: true, description: 'Null when none was given.' }),
    isActive: t.exposeBoolean('isActive', {
      description:
        'False receives nothing but tests and deliveries resent manually; three events in a row that fail permanently switch it off.',
    }),
    apiVersion: t.exposeString('apiVersion', {
      description: 'The version it wants its messages in; one that does not exist counts as the current one.',
    }),
    secretKey: t.computed({
      type: 'String',
      nullable: true,
      description:
        'The signing secret: `whsec_` and 32 bytes as Base64. The whole text is the key of `X-Service-Signature`, the bytes are the key of `webhook-signature`. Null everywhere but in the answer of `webhookCreate`.',
      columns: [],
      resolve: secretOf,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Business time of creation.' }),
    object: t.string({ description: 'Always `webhook`.', resolve: () => 'webhook' }),
    livemode: t.livemode(),
  }),
});

const WebhookHealthHour = builder.objectRef<HealthRow>('WebhookHealthHour').implement({
  description: 'How the deliveries of an hour went.',
  fields: (t) => ({
    at: t.field({
      type: 'DateTime',
      description: 'The beginning of the hour in which they were taken up.',
      resolve: ({ at }) => at ?? new Date(0),
    }),
    delivered: t.exposeInt('delivered', { description: 'Deliveries that succeeded.' }),
    failed: t.exposeInt('failed', { description: 'Deliveries whose attempts all failed.' }),
  }),
});

const WebhookHealth = builder.objectRef<Health>('WebhookHealth').implement({
  description: 'How the latest deliveries of an endpoint went.',
  fields: (t) => ({
    delivered: t.int({
      description: 'Deliveries that succeeded.',
      resolve: ({ total }) => total.delivered,
    }),
    failed: t.int({
      description: 'Deliveries whose attempts all failed.',
      resolve: ({ total }) => total.failed,
    }),
    queued: t.int({
      description: 'Deliveries that wait for an attempt.',
      resolve: ({ total }) => total.queued,
    }),
    medianMs: t.int({
      nullable: true,
      description: 'Milliseconds that half of the last attempts took at most; null without attempts.',
      resolve: ({ total }) => total.medianMs,
    }),
    series: t.field({
      type: [WebhookHealthHour],
      description: 'The same by hour, the earliest first; hours without deliveries are left out.',
      resolve: ({ series }) => [...series],
    }),
  }),
});

builder.prismaObjectField('Webhook', 'health', (t) =>
  t.computed({
    type: WebhookHealth,
    description: `How the deliveries went that were taken up in the last hours, at most the latest ${mostDeliveries}. Real time, also in a sandbox.`,
    columns: ['id'],
    args: {
      hours: t.arg({
        type: 'Int',
        rule: { minimum: 1, maximum: 168 },
        description: 'How many hours, 1 to 168. Defaults to 24.',
      }),
    },
    resolve: ({ id }, { hours }, ctx) => loadHealth(ctx, id, hours ?? 24),
  }),
);

export const WebhookConnection = connectionOf('Webhook', Webhook, 'webhook endpoints');

export const WebhookDeliveryStatus = builder.enumType('WebhookDeliveryStatus', {
  description: 'How far a delivery has come.',
  values: {
    pending: { description: 'Its next attempt is due or will be.' },
    succeeded: { description: 'The endpoint answered 2xx in time.' },
    failed: { description: 'All attempts failed; it is not tried again automatically.' },
    canceled: { description: 'Given up, since its endpoint was switched off.' },
  } as const,
});

const WebhookHeader = builder.objectRef<SentRequest['headers'][number]>('WebhookHeader').implement({
  description: 'A header of a message.',
  fields: (t) => ({
    name: t.exposeString('name', { description: 'Its name.' }),
    value: t.exposeString('value', { description: 'Its value.' }),
  }),
});

const WebhookRequest = builder.objectRef<SentRequest>('WebhookRequest').implement({
  description: 'A message to an endpoint.',
  fields: (t) => ({
    url: t.exposeString('url', { description: 'Where it is posted to.' }),
    headers: t.field({
      type: [WebhookHeader],
      description: 'Its headers, the signatures included.',
      resolve: ({ headers }) => [...headers],
    }),
    body: t.exposeString('body', { description: 'Its body, JSON: the text that is signed.' }),
  }),
});

const WebhookAttempt = builder.objectRef<Stored.WebhookAttempts[number]>('WebhookAttempt').implement({
  description: 'An attempt to deliver a message.',
  fields: (t) => ({
    at: t.field({
      type: 'DateTime',
      description: 'When it began, in real time.',
      resolve: ({ at }) => new Date(at),
    }),
    status: t.exposeInt('status', {
      nullable: true,
      description: 'HTTP status of the answer; null when there was none.',
    }),
    durationMs: t.exposeInt('durationMs', {
      nullable: true,
      description: 'Milliseconds it took; null when unknown.',
    }),
    responseBody: t.exposeString('responseBody', {
      nullable: true,
      description:
        'The first 1 000 characters of the answer; null when there was none, and for an address that is not public.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why there was no answer; null when there was one.',
    }),
  }),
});

export const WebhookDelivery = builder.prismaObject('WebhookDelivery', {
  ...node({ prefix: 'whd' }),
  description:
    'One event on its way to one endpoint. Its times are operational: the test clock does not move them.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `whd_…`.' }),
    webhook: t.row('webhook', { description: 'The endpoint.' }),
    eventId: t.exposeID('eventId', { description: 'Id of the event, `whev_…`, the same in every attempt.' }),
    event: t.computed({
      type: EventKind,
      nullable: true,
      description: 'What happened; null for a test, which is no event.',
      columns: ['kind'],
      resolve: ({ kind }) => (kind === testKind ? null : kind),
    }),
    timestamp: t.expose('occurredAt', { type: 'DateTime', description: 'Business time of the event.' }),
    outboxEvent: t.rowById('Event', {
      id: 'eventId',
      nullable: true,
      description: 'The event; null for a test, which is none.',
    }),
    status: t.expose('status', { type: WebhookDeliveryStatus, description: 'How far it has come.' }),
    attempts: t.exposeInt('attempts', {
      description: 'Attempts made, 8 at most; a delivery resent manually begins at 0.',
    }),
    nextAttemptAt: t.expose('nextAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the next attempt is due; null when none is.',
    }),
    lastAttemptAt: t.expose('lastAttemptAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last attempt began; null before the first.',
    }),
    responseStatus: t.exposeInt('responseStatus', {
      nullable: true,
      description: 'HTTP status of the last answer; null when there was none.',
    }),
    responseBody: t.exposeString('responseBody', {
      nullable: true,
      description:
        'The first 1 000 characters of the last answer; null when there was none, and for an address that is not public.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the last attempt had no answer; null when it had one, and before the first.',
    }),
    durationMs: t.exposeInt('durationMs', {
      nullable: true,
      description: 'Milliseconds the last attempt took; null before the first.',
    }),
    attemptsLog: t.computed({
      type: [WebhookAttempt],
      description: `The latest attempts, ${loggedAttempts} at most, the earliest first; those before it was sent again included.`,
      columns: ['attemptLog'],
      resolve: ({ attemptLog }) => [...(attemptLog ?? [])],
    }),
    request: t.computed({
      type: WebhookRequest,
      nullable: true,
      description:
        'The message with the time of its last attempt, or as it would be sent now, signed with the present secret. Null when its event is no longer stored. The data of `customer.state_changed` are those of now.',
      columns: ['webhookId', 'eventId', 'kind', 'occurredAt', 'lastAttemptAt', 'testData'],
      resolve: (delivery, _args, ctx) => loadRequest(ctx, delivery),
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the event was taken up for the endpoint.',
    }),
    finishedAt: t.expose('finishedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it ended; null while pending.',
    }),
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
  description: 'Deliveries that are sent again.',
  fields: (t) => ({
    webhook: t.expose('webhook', { type: Webhook, description: 'The endpoint.' }),
    resentCount: t.exposeInt('resentCount', { description: 'How many deliveries begin again.' }),
    isComplete: t.exposeBoolean('isComplete', {
      description: 'False where there may be more; another call goes on with them.',
    }),
  }),
});

export const WebhookTest = builder.objectRef<DeliveryRow>('WebhookTest').implement({
  description: 'How a test of an endpoint went.',
  fields: (t) => ({
    success: t.boolean({
      description: 'Whether the endpoint answered 2xx in time.',
      resolve: ({ status }) => status === 'succeeded',
    }),
    deliveryId: t.exposeID('id', { description: 'Id of the delivery that was recorded, `whd_…`.' }),
    deliveredAt: t.field({
      type: 'DateTime',
      description: 'When the test was sent, by operational time.',
      resolve: ({ lastAttemptAt, createdAt }) => lastAttemptAt ?? createdAt,
    }),
    object: t.string({ description: 'Always `webhook_delivery`.', resolve: () => 'webhook_delivery' }),
    livemode: t.livemode(),
  }),
});

const shown = 'id url events description isActive apiVersion createdAt object livemode';

restView('Webhook', 'Webhook', shown);
restView('CreatedWebhook', 'Webhook', `${shown} secretKey`);
restView('WebhookTest', 'WebhookTest', 'success deliveryId deliveredAt object livemode');
