import { builder } from '../../graphql/builder.ts';
import { reference } from '../../graphql/shapes.ts';
import { AddressInput } from '../customers/types.ts';
import { updateCustomer } from '../customers/update.ts';
import { cancelSubscription } from '../subscriptions/cancel.ts';
import { uncancelSubscription } from '../subscriptions/uncancel.ts';
import { createSession } from './create-session.ts';
import { loadPortal, requireShownSubscription } from './service.ts';
import { PortalSubscription } from './subscription-types.ts';
import { PortalAccess, PortalCustomer } from './types.ts';
import { sessionToken } from './words.ts';

const PortalSessionCreateInput = builder.inputType('PortalSessionCreateInput', {
  description: 'A new portal session: exactly one of `customerId` and `email`.',
  fields: (t) => ({
    customerId: t.string({
      rule: reference,
      description: 'Our id of the customer, else its external id.',
    }),
    email: t.string({
      rule: { format: 'email', maxLength: 320 },
      description: 'E-mail address of the customer, exactly as stored; the newest customer where several have it.',
    }),
    returnUrl: t.string({
      rule: { format: 'uri', maxLength: 2_000 },
      description: 'Where the portal leads back to, http or https; nowhere unless told.',
    }),
  }),
});

builder.mutationField('portalSessionCreate', (t) =>
  t.field({
    type: PortalAccess,
    description:
      'Opens a session in which a customer looks after the subscription on the hosted portal. It ends after 30 minutes without use, and after 2 hours in any case (PLT-30).',
    rest: { method: 'POST', path: '/portal/sessions', view: 'PortalAccess', secret: true, errors: ['customer_not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PortalSessionCreateInput, required: true, description: 'The new session.' }) },
    resolve: (_root, { input }, context) => createSession(context, input),
  }),
);

const PortalSubscriptionCancelInput = builder.inputType('PortalSubscriptionCancelInput', {
  description: 'A cancellation by the customer.',
  fields: (t) => ({
    token: t.string(sessionToken),
    reason: t.string({ rule: { maxLength: 1_000 }, description: 'Why, up to 1000 characters; the seller sees it.' }),
  }),
});

builder.mutationField('portalSubscriptionCancel', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Cancels the subscription of the portal: with its period, or at once where `cancelsAtOnce` says so (SUB-23, SUB-24). `subscription_not_found`, `subscription_already_canceled`, `already_scheduled`, `one_time_subscription_not_cancelable`, `charge_in_progress`.',
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalSubscriptionCancelInput, required: true, description: 'The cancellation.' }) },
    resolve: async (_root, { input: { reason } }, context) =>
      cancelSubscription(context, { id: await requireShownSubscription(context), reason }),
  }),
);

const PortalSubscriptionUncancelInput = builder.inputType('PortalSubscriptionUncancelInput', {
  description: 'A cancellation the customer undoes.',
  fields: (t) => ({ token: t.string(sessionToken) }),
});

builder.mutationField('portalSubscriptionUncancel', (t) =>
  t.field({
    type: PortalSubscription,
    description:
      'Undoes the scheduled cancellation of the subscription of the portal (SUB-29). `subscription_not_found`, `not_scheduled_for_cancellation`, `subscription_already_canceled`.',
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalSubscriptionUncancelInput, required: true, description: 'The session.' }) },
    resolve: async (_root, _args, context) => uncancelSubscription(context, { id: await requireShownSubscription(context) }),
  }),
);

const PortalCustomerUpdateInput = builder.inputType('PortalCustomerUpdateInput', {
  description: 'Billing details as the customer changes them; what is left out stays as it is.',
  fields: (t) => ({
    token: t.string(sessionToken),
    fullName: t.string({ rule: { maxLength: 300 }, description: 'Up to 300 characters.' }),
    taxDocument: t.string({ rule: { minLength: 1, maxLength: 100 }, description: 'Tax number, 1 to 100 characters.' }),
    address: t.field({ type: AddressInput, description: 'Replaces the stored address.' }),
  }),
});

builder.mutationField('portalCustomerUpdate', (t) =>
  t.field({
    type: PortalCustomer,
    description: 'Changes the billing details of the customer of the portal; they count from the next invoice on (PLT-23).',
    access: { page: 'portal' },
    args: { input: t.arg({ type: PortalCustomerUpdateInput, required: true, description: 'The changes.' }) },
    resolve: async (_root, { input: { fullName, taxDocument, address } }, context) => {
      const { customer } = await loadPortal(context);
      return updateCustomer(context, { id: customer.id, fullName, taxDocument, address });
    },
  }),
);
