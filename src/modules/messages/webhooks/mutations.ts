import { description } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { EventKind } from '../../organization/event-types/enums.ts';
import { createWebhook } from './create.ts';
import { deleteWebhook } from './delete.ts';
import { resendDelivery } from './resend.ts';
import { resendDeliveries } from './resend-many.ts';
import { setNewSecret } from './set-secret.ts';
import { testWebhook } from './test-endpoint.ts';
import { Webhook, WebhookDelivery, WebhookResend, WebhookTest } from './types.ts';
import { updateWebhook } from './update.ts';

const url = { minLength: 1, maxLength: 2_048, format: 'uri', credentials: true } as const;
const events = { minItems: 1 } as const;
const apiVersion = { pattern: /^\d{4}-\d{2}-\d{2}$/ } as const;

const urlText =
  'URL that receives the events, up to 2,048 characters. Must be HTTPS in the live environment. Must resolve to public addresses only, unless the installation allows private addresses in sandboxes.';
const eventsText = "Event types to receive. At least one type is required, and duplicates aren't allowed.";

const WebhookCreateInput = builder.inputType('WebhookCreateInput', {
  description: 'Parameters for creating a webhook endpoint.',
  fields: (t) => ({
    url: t.string({ required: true, rule: url, description: urlText }),
    events: t.field({ type: [EventKind], required: true, rule: events, description: eventsText }),
    description: t.string({
      rule: description,
      description: 'Description of the endpoint, up to 2,000 characters.',
    }),
    apiVersion: t.string({
      rule: apiVersion,
      description: 'API version of the messages, as a date. Defaults to the version of this request.',
    }),
  }),
});

builder.mutationField('webhookCreate', (t) =>
  t.field({
    type: Webhook,
    description:
      'Creates an enabled webhook endpoint. Only events that occur after creation are sent. The response is the only one that contains the signing secret (`secretKey`). An environment can have up to 20 endpoints.',
    rest: {
      method: 'POST',
      path: '/webhooks',
      status: 201,
      view: 'CreatedWebhook',
      secret: true,
      idempotency: 'around-provider-call',
    },
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: WebhookCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createWebhook(ctx, input),
  }),
);

const WebhookUpdateInput = builder.inputType('WebhookUpdateInput', {
  description: "Parameters for updating a webhook endpoint. Omitted fields don't change.",
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the endpoint.' }),
    url: t.string({ rule: url, description: urlText }),
    events: t.field({ type: [EventKind], rule: events, description: eventsText }),
    description: t.string({
      rule: { ...description, nullable: true },
      description: 'Description of the endpoint, up to 2,000 characters. `null` removes the description.',
    }),
    isActive: t.boolean({
      description:
        "Whether the endpoint is enabled. Disabling cancels pending deliveries. After enabling, only new events are sent. Earlier events aren't replayed.",
    }),
    apiVersion: t.string({ rule: apiVersion, description: 'API version of the messages, as a date.' }),
  }),
});

builder.mutationField('webhookUpdate', (t) =>
  t.field({
    type: Webhook,
    description: "Updates a webhook endpoint. A request that doesn't change anything also succeeds.",
    rest: {
      method: 'PATCH',
      path: '/webhooks/{id}',
      view: 'Webhook',
      idempotency: 'around-provider-call',
    },
    errors: ['webhook_not_found'],
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: WebhookUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updateWebhook(ctx, input),
  }),
);

deletionField('webhookDelete', {
  of: 'a webhook endpoint',
  reference: 'ID of the endpoint.',
  description: 'Permanently deletes a webhook endpoint. Pending deliveries are canceled.',
  path: '/webhooks/{id}',
  errors: ['webhook_not_found'],
  access: { scope: 'write', role: 'admin' },
  delete: (ctx, id) => deleteWebhook(ctx, id),
});

const WebhookTestInput = builder.inputType('WebhookTestInput', {
  description: 'Parameters for testing a webhook endpoint.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the endpoint.' }),
    event: t.field({
      type: EventKind,
      rule: { nullable: true },
      description:
        'Event type of the test. The message contains the data of the latest event of this type, or empty data if no event of this type exists. Defaults to `webhook.test`.',
    }),
  }),
});

builder.mutationField('webhookTest', (t) =>
  t.field({
    type: WebhookTest,
    description:
      'Sends a test message to an endpoint once, even if the endpoint is disabled. The message is a `webhook.test` event with empty data, or an example event of the requested type. Reports whether the endpoint responded with a 2xx status before the timeout.',
    rest: {
      method: 'POST',
      path: '/webhooks/{id}/test',
      view: 'WebhookTest',
      idempotency: 'around-provider-call',
    },
    errors: ['webhook_not_found'],
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: WebhookTestInput, required: true }) },
    resolve: (_root, { input }, ctx) => testWebhook(ctx, input),
  }),
);

const WebhookDeliveryResendInput = builder.inputType('WebhookDeliveryResendInput', {
  description: 'Parameters for resending a delivery.',
  fields: (t) => ({ id: t.id({ required: true, description: 'ID of the delivery.' }) }),
});

builder.mutationField('webhookDeliveryResend', (t) =>
  t.field({
    type: WebhookDelivery,
    description:
      'Resends a delivery, even if its endpoint is disabled. A finished delivery starts over with all attempts, and a pending delivery is attempted immediately. Fails with `validation_error` for a test delivery.',
    errors: ['not_found', ['webhook_not_found', 'the endpoint was deleted']],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: WebhookDeliveryResendInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => resendDelivery(ctx, input.id),
  }),
);

const WebhookResendStatus = builder.enumType('WebhookResendStatus', {
  description: 'Status of the finished deliveries to resend.',
  values: {
    failed: { description: 'Deliveries for which all attempts failed.' },
    canceled: { description: 'Deliveries that were canceled when the endpoint was disabled.' },
  } as const,
});

const WebhookDeliveriesResendInput = builder.inputType('WebhookDeliveriesResendInput', {
  description:
    'Parameters for resending several deliveries. Only deliveries that match all given fields are resent.',
  fields: (t) => ({
    webhookId: t.id({ required: true, description: 'ID of the endpoint.' }),
    status: t.field({
      type: WebhookResendStatus,
      description: 'Status of the deliveries to resend. Defaults to `failed`.',
    }),
    events: t.field({
      type: [EventKind],
      rule: { minItems: 1, maxItems: 100 },
      description: 'Event types to include. From 1 to 100 values.',
    }),
    from: t.field({ type: 'DateTime', description: 'Earliest creation time of the deliveries, inclusive.' }),
    to: t.field({ type: 'DateTime', description: 'Latest creation time of the deliveries, exclusive.' }),
  }),
});

builder.mutationField('webhookDeliveriesResend', (t) =>
  t.field({
    type: WebhookResend,
    description:
      'Resends finished deliveries to an endpoint, even if the endpoint is disabled. Each delivery starts over with all attempts. A request resends up to 1,000 deliveries, oldest first. Test deliveries are excluded.',
    errors: ['webhook_not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: WebhookDeliveriesResendInput, required: true }),
    },
    resolve: (_root, { input }, ctx) => resendDeliveries(ctx, input),
  }),
);

const WebhookSecretRotateInput = builder.inputType('WebhookSecretRotateInput', {
  description: 'Parameters for rotating the signing secret of a webhook endpoint.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the endpoint.' }),
    overlapHours: t.field({
      type: 'Int',
      rule: { minimum: 0, maximum: 168, default: 24 },
      description:
        'Number of hours during which messages are also signed with the previous secret, from 0 to 168. Defaults to 24.',
    }),
  }),
});

builder.mutationField('webhookSecretRotate', (t) =>
  t.field({
    type: Webhook,
    description:
      'Replaces the signing secret of an endpoint. The response is the only one that contains the new secret (`secretKey`). During the overlap, `webhook-signature` contains two signatures, starting with the signature of the new secret. `X-Service-Signature` uses the new secret immediately.',
    rest: {
      method: 'POST',
      path: '/webhooks/{id}/rotate-secret',
      view: 'CreatedWebhook',
      secret: true,
    },
    errors: ['webhook_not_found'],
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: WebhookSecretRotateInput, required: true }) },
    resolve: (_root, { input }, ctx) => setNewSecret(ctx, input),
  }),
);
