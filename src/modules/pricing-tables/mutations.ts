import { builder } from '../../graphql/builder.ts';
import { DeletedObject } from '../../graphql/deleted.ts';
import { name } from '../../graphql/shapes.ts';
import { Language } from '../organizations/types/organization.ts';
import { BillingInterval } from '../plans/enums.ts';
import { mostPlans } from './check.ts';
import { createTable } from './create.ts';
import { deleteTable } from './delete.ts';
import { beginPurchase } from './purchase.ts';
import { PricingPurchase } from './types/page.ts';
import { PricingTable } from './types/table.ts';
import { updateTable } from './update.ts';

const url = { format: 'uri', maxLength: 2_000, nullable: true } as const;

const PricingTablePlanInput = builder.inputType('PricingTablePlanInput', {
  description: 'A plan of a pricing table.',
  fields: (t) => ({
    planId: t.id({ required: true, rule: { minLength: 1 }, description: 'Id of the plan, else its code.' }),
    text: t.string({
      rule: { maxLength: 500, multiline: true, nullable: true },
      description: 'Shown instead of the description of the plan, up to 500 characters.',
    }),
  }),
});

const PricingTableCreateInput = builder.inputType('PricingTableCreateInput', {
  description: 'A new pricing table: exactly one of `planGroupId` and `plans`.',
  fields: (t) => ({
    name: t.string({ required: true, rule: name, description: 'Its heading, 1 to 200 characters.' }),
    planGroupId: t.id({
      rule: { nullable: true },
      description: 'Shows the public plans of the group in its order.',
    }),
    plans: t.field({
      type: [PricingTablePlanInput],
      rule: { maxItems: mostPlans, nullable: true },
      description:
        'Shows these plans in this order, at most 12. Hidden plans and plans off sale are left out of the page.',
    }),
    highlightedPlanId: t.id({
      rule: { nullable: true },
      description: 'Id or code of the plan to highlight, one of the table.',
    }),
    intervals: t.field({
      type: [BillingInterval],
      rule: { nullable: true },
      description: 'The intervals to offer. Defaults to all the plans are sold in.',
    }),
    signUpUrl: t.string({
      rule: url,
      description: 'Where a visitor signs up for a free plan. Without it free plans have no button.',
    }),
    successUrl: t.string({ rule: url, description: 'Where the checkout leads once it is completed.' }),
    isActive: t.boolean({
      rule: { nullable: true },
      description: 'False shows nothing to anybody. Defaults to true.',
    }),
  }),
});

builder.mutationField('pricingTableCreate', (t) =>
  t.field({
    type: PricingTable,
    description:
      'Makes a pricing table, with a page of its own that anybody can open and buy from. An environment has at most 100.',
    rest: {
      method: 'POST',
      path: '/pricing-tables',
      status: 201,
      view: 'PricingTable',
      errors: ['plan_not_found', 'plan_group_not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PricingTableCreateInput, required: true, description: 'The new table.' }) },
    resolve: (_root, { input }, ctx) => createTable(ctx, input),
  }),
);

const PricingTableUpdateInput = builder.inputType('PricingTableUpdateInput', {
  description: 'Changes to a pricing table; what is left out stays as it is.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'Id of the table.' }),
    name: t.string({ rule: name, description: 'Its heading, 1 to 200 characters.' }),
    planGroupId: t.id({ description: 'Shows the plans of this group from now on.' }),
    plans: t.field({
      type: [PricingTablePlanInput],
      rule: { maxItems: mostPlans },
      description: 'Shows these plans in this order from now on, at most 12.',
    }),
    highlightedPlanId: t.id({
      rule: { nullable: true },
      description: 'Id or code of the plan to highlight, one of the table; null for none.',
    }),
    intervals: t.field({
      type: [BillingInterval],
      description: 'The intervals to offer; empty for all the plans are sold in.',
    }),
    signUpUrl: t.string({
      rule: url,
      description: 'Where a visitor signs up for a free plan; null for nowhere.',
    }),
    successUrl: t.string({
      rule: url,
      description: 'Where the checkout leads once it is completed; null to stay there.',
    }),
    isActive: t.boolean({ description: 'False shows nothing to anybody; true shows it again.' }),
  }),
});

builder.mutationField('pricingTableUpdate', (t) =>
  t.field({
    type: PricingTable,
    description:
      'Changes a pricing table. Its address stays the same, and checkouts that are open already stay as they are. A highlighted plan that is not among new plans is highlighted no more.',
    rest: {
      method: 'PATCH',
      path: '/pricing-tables/{id}',
      view: 'PricingTable',
      errors: ['not_found', 'plan_not_found', 'plan_group_not_found'],
    },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PricingTableUpdateInput, required: true, description: 'The changes.' }) },
    resolve: (_root, { input }, ctx) => updateTable(ctx, input),
  }),
);

const PricingTableDeleteInput = builder.inputType('PricingTableDeleteInput', {
  description: 'Which pricing table to delete.',
  fields: (t) => ({ id: t.id({ required: true, description: 'Id of the table.' }) }),
});

builder.mutationField('pricingTableDelete', (t) =>
  t.field({
    type: DeletedObject,
    description:
      'Deletes a pricing table. Its page shows nothing any more; what was begun there can still be paid.',
    rest: { method: 'DELETE', path: '/pricing-tables/{id}', view: 'DeletedObject', errors: ['not_found'] },
    access: { scope: 'write' },
    args: { input: t.arg({ type: PricingTableDeleteInput, required: true, description: 'The table.' }) },
    resolve: (_root, { input }, ctx) => deleteTable(ctx, input.id),
  }),
);

const PricingTablePurchaseInput = builder.inputType('PricingTablePurchaseInput', {
  description: 'What a visitor of a pricing table wants to buy.',
  fields: (t) => ({
    token: t.string({ required: true, description: 'The last part of the address of the page.' }),
    visit: t.string({
      required: true,
      rule: { pattern: /^[0-9a-f]{32}$/ },
      description:
        'A secret of 32 hexadecimal digits that the browser draws and keeps: with it the same visitor goes on with the same purchase.',
    }),
    planId: t.id({ required: true, rule: { minLength: 1 }, description: 'A plan of the page.' }),
    billingInterval: t.field({
      type: BillingInterval,
      required: true,
      description: 'An interval the page has a price of the plan for.',
    }),
    email: t.string({
      required: true,
      rule: { format: 'email', maxLength: 320 },
      description: 'Where receipts go.',
    }),
    country: t.string({
      rule: { format: 'country', nullable: true },
      description:
        'Where the payer is, ISO 3166-1 alpha-2 in upper case; it decides market, currency and tax.',
    }),
    state: t.string({
      rule: { maxLength: 200, nullable: true },
      description: 'The state or province, where the tax depends on it.',
    }),
    locale: t.field({
      type: Language,
      rule: { nullable: true },
      description: "Language of the checkout. Defaults to the customer's, else that of the organization.",
    }),
  }),
});

builder.mutationField('pricingTablePurchase', (t) =>
  t.field({
    type: PricingPurchase,
    description:
      'Begins to buy a plan at a pricing table and answers its checkout, the same whether or not a customer has the email address: a purchase belongs to a customer of its own. The subscription waits for its first payment, and is canceled when it was not paid within 72 hours. The same visit gets its open checkout again; another choice takes its place. `not_found` for a table that is off, `plan_not_found` and `price_not_found` for what it does not show, `already_has_active_subscription` once this visit has paid, `payment_failed` with `details.reason` `tax_not_computed` where the tax needs a state, `rate_limited` after 10 purchases of an address in a minute or 300 new ones of a table in an hour.',
    errors: [
      'not_found',
      'plan_not_found',
      'price_not_found',
      'already_has_active_subscription',
      'provider_unsupported',
      'payment_failed',
      'charge_in_progress',
      'missing_regional_price',
      'rate_limited',
    ],
    access: { page: 'pricing', countedIn: 'purchases' },
    args: { input: t.arg({ type: PricingTablePurchaseInput, required: true, description: 'The purchase.' }) },
    resolve: (_root, { input: { token: _token, ...input } }, ctx) => beginPurchase(ctx, input),
  }),
);
