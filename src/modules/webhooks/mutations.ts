import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { EventKind } from '../events/enums.ts';
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
const description = { maxLength: 2_000, multiline: true } as const;
const apiVersion = { pattern: /^\d{4}-\d{2}-\d{2}$/ } as const;

const urlText =
  'Where events are posted to, up to 2 048 characters. In live mode https. Every address it leads to must be public, unless the settings allow sandboxes others.';
const eventsText = 'Kinds it receives, at least one, none twice.';

const WebhookCreateInput = builder.inputType('WebhookCreateInput', {
  description: 'A new webhook endpoint.',
  fields: (t) => ({
    url: t.string({ required: true, rule: url, description: urlText }),
    events: t.field({ type: [EventKind], required: true, rule: events, description: eventsText }),
    description: t.string({ rule: description, description: 'Up to 2 000 characters.' }),
    apiVersion: t.string({
      rule: apiVersion,
      description: 'A date. Defaults to the version of this request.',
    }),
  }),
});

builder.mutationField('webhookCreate', (t) =>
  t.field({
    type: Webhook,
    description:
      'Registers a webhook endpoint, active, for what happens from now on. Its signing secret is in `secretKey` of this answer and nowhere afterwards. `validation_error` for the 21st of an environment.',
    rest: {
      method: 'POST',
      path: '/webhooks',
      status: 201,
      view: 'CreatedWebhook',
      secret: true,
      idempotency: 'around-provider-call',
    },
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: WebhookCreateInput, required: true, description: 'The new endpoint.' }) },
    resolve: (_root, { input }, ctx) => createWebhook(ctx, input),
  }),
);

const WebhookUpdateInput = builder.inputType('WebhookUpdateInput', {
  description: 'Changes to a webhook endpoint; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the endpoint.' }),
    url: t.string({ rule: url, description: urlText }),
    events: t.field({ type: [EventKind], rule: events, description: eventsText }),
    description: t.string({
      rule: { ...description, nullable: true },
      description: 'Up to 2 000 characters; null takes it away.',
    }),
    isActive: t.boolean({
      description:
        'False gives up what has not been delivered; true begins with what happens from then on and replays nothing.',
    }),
    apiVersion: t.string({ rule: apiVersion, description: 'A date.' }),
  }),
});

builder.mutationField('webhookUpdate', (t) =>
  t.field({
    type: Webhook,
    description: 'Changes a webhook endpoint. Naming nothing is accepted and changes nothing.',
    rest: {
      method: 'PATCH',
      path: '/webhooks/{id}',
      view: 'Webhook',
      errors: ['webhook_not_found'],
      idempotency: 'around-provider-call',
    },
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: WebhookUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updateWebhook(ctx, input),
  }),
);

const WebhookDeleteInput = builder.inputType('WebhookDeleteInput', {
  description: 'Which webhook endpoint to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the endpoint.' }) }),
});

builder.mutationField('webhookDelete', (t) =>
  t.field({
    type: DeletedObject,
    description: 'Deletes a webhook endpoint permanently; what has not been delivered is dropped.',
    rest: { method: 'DELETE', path: '/webhooks/{id}', view: 'DeletedObject', errors: ['webhook_not_found'] },
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: WebhookDeleteInput, required: true, description: 'The endpoint.' }) },
    resolve: (_root, { input }, ctx) => deleteWebhook(ctx, input.id),
  }),
);

const WebhookTestInput = builder.inputType('WebhookTestInput', {
  description: 'Which webhook endpoint to test.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the endpoint.' }),
    event: t.field({
      type: EventKind,
      rule: { nullable: true },
      description:
        'The kind of event to send an example of, with the data of the latest one; empty data where there was none. Defaults to `webhook.test`.',
    }),
  }),
});

builder.mutationField('webhookTest', (t) =>
  t.field({
    type: WebhookTest,
    description:
      'Sends a `webhook.test` event with empty data, or an example of a kind, to an endpoint, once, even to an inactive one, and tells whether it answered 2xx in time.',
    rest: {
      method: 'POST',
      path: '/webhooks/{id}/test',
      view: 'WebhookTest',
      errors: ['webhook_not_found'],
      idempotency: 'around-provider-call',
    },
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: WebhookTestInput, required: true, description: 'The endpoint.' }) },
    resolve: (_root, { input }, ctx) => testWebhook(ctx, input),
  }),
);

const WebhookDeliveryResendInput = builder.inputType('WebhookDeliveryResendInput', {
  description: 'Which delivery to send again.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the delivery.' }) }),
});

builder.mutationField('webhookDeliveryResend', (t) =>
  t.field({
    type: WebhookDelivery,
    description:
      'Sends a delivery again, also to an endpoint that is switched off: a finished one begins again with all its attempts, one that waits for its next attempt has it immediately. `not_found` for an unknown one, `validation_error` for a test.',
    errors: ['not_found', 'webhook_not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: WebhookDeliveryResendInput, required: true, description: 'The delivery.' }),
    },
    resolve: (_root, { input }, ctx) => resendDelivery(ctx, input.id),
  }),
);

const WebhookResendStatus = builder.enumType('WebhookResendStatus', {
  description: 'Which finished deliveries are sent again.',
  values: {
    failed: { description: 'Those whose attempts all failed.' },
    canceled: { description: 'Those that were given up when the endpoint was switched off.' },
  } as const,
});

const WebhookDeliveriesResendInput = builder.inputType('WebhookDeliveriesResendInput', {
  description: 'Which deliveries of an endpoint to send again: those that pass everything that is sent.',
  fields: (t) => ({
    webhookId: t.id({ required: true, description: 'Id of the endpoint.' }),
    status: t.field({ type: WebhookResendStatus, description: 'How they ended. Defaults to `failed`.' }),
    events: t.field({
      type: [EventKind],
      rule: { minItems: 1, maxItems: 100 },
      description: 'Only events of these kinds, 1 to 100.',
    }),
    from: t.field({ type: 'DateTime', description: 'Only those taken up at this instant or later.' }),
    to: t.field({ type: 'DateTime', description: 'Only those taken up before this instant.' }),
  }),
});

builder.mutationField('webhookDeliveriesResend', (t) =>
  t.field({
    type: WebhookResend,
    description:
      'Sends finished deliveries of an endpoint again with all their attempts, also to one that is switched off; at most 1000 in one call, the earliest first. Tests are left out. `webhook_not_found` for an unknown endpoint.',
    errors: ['webhook_not_found'],
    access: { scope: 'write' },
    args: {
      input: t.arg({ type: WebhookDeliveriesResendInput, required: true, description: 'The deliveries.' }),
    },
    resolve: (_root, { input }, ctx) => resendDeliveries(ctx, input),
  }),
);

const WebhookSecretRotateInput = builder.inputType('WebhookSecretRotateInput', {
  description: 'An endpoint that gets a new signing secret.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the endpoint.' }),
    overlapHours: t.field({
      type: 'Int',
      rule: { minimum: 0, maximum: 168, default: 24 },
      description: 'How long messages are signed with the secret before too, 0 to 168 hours. Defaults to 24.',
    }),
  }),
});

builder.mutationField('webhookSecretRotate', (t) =>
  t.field({
    type: Webhook,
    description:
      'Gives an endpoint a new signing secret, which is in `secretKey` of this answer and nowhere afterwards. Until the overlap ends `webhook-signature` carries two signatures, that with the new secret first; `X-Service-Signature` is made with the new secret at once.',
    rest: {
      method: 'POST',
      path: '/webhooks/{id}/rotate-secret',
      view: 'CreatedWebhook',
      errors: ['webhook_not_found'],
      secret: true,
    },
    access: { scope: 'write', role: 'admin' },
    args: { input: t.arg({ type: WebhookSecretRotateInput, required: true, description: 'The endpoint.' }) },
    resolve: (_root, { input }, ctx) => setNewSecret(ctx, input),
  }),
);
