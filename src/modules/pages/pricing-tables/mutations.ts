import { name } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { deletionField } from '../../../graphql/reading/deleted.ts';
import { BillingInterval } from '../../catalog/plans/enums.ts';
import { Language } from '../../organization/organizations/types/organization.ts';
import { maxPlans, termsOf } from './check.ts';
import { beginPurchase } from './purchase.ts';
import { tableRows } from './store.ts';
import { PricingPurchase } from './types/page.ts';
import { PricingTable } from './types/table.ts';

const url = { format: 'uri', maxLength: 2_000, nullable: true } as const;

const PricingTablePlanInput = builder.inputType('PricingTablePlanInput', {
  description: 'Parameters for a plan of a pricing table.',
  fields: (t) => ({
    planId: t.id({ required: true, rule: { minLength: 1 }, description: 'ID or code of the plan to show.' }),
    text: t.string({
      rule: { maxLength: 500, multiline: true, nullable: true },
      description: 'Text that replaces the description of the plan. Up to 500 characters.',
    }),
  }),
});

const PricingTableCreateInput = builder.inputType('PricingTableCreateInput', {
  description: 'Parameters for creating a pricing table. Set exactly one of `planGroupId` and `plans`.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: name,
      description: 'Heading of the pricing table. From 1 to 200 characters.',
    }),
    planGroupId: t.id({
      rule: { nullable: true },
      description:
        "ID of the plan group whose public plans are shown. The plans are shown in the plan group's order.",
    }),
    plans: t.field({
      type: [PricingTablePlanInput],
      rule: { maxItems: maxPlans, nullable: true },
      description:
        "Plans to show, in this order. Up to 12 plans. Hidden plans and plans that can't be purchased aren't shown on the page.",
    }),
    highlightedPlanId: t.id({
      rule: { nullable: true },
      description: 'ID or code of the plan to highlight. The plan must be in the table.',
    }),
    intervals: t.field({
      type: [BillingInterval],
      rule: { nullable: true },
      description: 'Billing intervals to offer. Defaults to all intervals of the plans.',
    }),
    signUpUrl: t.string({
      rule: url,
      description: 'URL where visitors sign up for a free plan. If omitted, free plans have no button.',
    }),
    successUrl: t.string({
      rule: url,
      description: 'URL to which the customer is redirected after the checkout.',
    }),
    isActive: t.boolean({
      rule: { nullable: true },
      description: "Whether the pricing table's page is available. Defaults to `true`.",
    }),
  }),
});

builder.mutationField('pricingTableCreate', (t) =>
  t.field({
    type: PricingTable,
    description:
      'Creates a pricing table with a public page on which visitors can purchase plans. An environment can have up to 100 pricing tables.',
    rest: {
      method: 'POST',
      path: '/pricing-tables',
      status: 201,
      view: 'PricingTable',
    },
    errors: ['plan_not_found', 'plan_group_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PricingTableCreateInput, required: true }) },
    resolve: (_root, { input: { name, ...input } }, ctx) =>
      tableRows.create(ctx, async (tx) => ({ name, ...(await termsOf(tx, null, input)) })),
  }),
);

const PricingTableUpdateInput = builder.inputType('PricingTableUpdateInput', {
  description: 'Parameters for changing a pricing table. Omitted fields keep their values.',
  fields: (t) => ({
    id: t.id({ required: true, description: 'ID of the pricing table.' }),
    name: t.string({ rule: name, description: 'Heading of the pricing table. From 1 to 200 characters.' }),
    planGroupId: t.id({
      description: 'ID of the plan group whose public plans are shown. Replaces the selected plans.',
    }),
    plans: t.field({
      type: [PricingTablePlanInput],
      rule: { maxItems: maxPlans },
      description:
        'Plans to show, in this order. Up to 12 plans. Replaces the plan group or the selected plans.',
    }),
    highlightedPlanId: t.id({
      rule: { nullable: true },
      description:
        'ID or code of the plan to highlight. The plan must be in the table. `null` removes the highlight.',
    }),
    intervals: t.field({
      type: [BillingInterval],
      description: 'Billing intervals to offer. An empty list offers all intervals of the plans.',
    }),
    signUpUrl: t.string({
      rule: url,
      description: 'URL where visitors sign up for a free plan. `null` removes the URL.',
    }),
    successUrl: t.string({
      rule: url,
      description:
        'URL to which the customer is redirected after the checkout. `null` removes the URL, so the customer stays on the checkout page.',
    }),
    isActive: t.boolean({ description: "Whether the pricing table's page is available." }),
  }),
});

builder.mutationField('pricingTableUpdate', (t) =>
  t.field({
    type: PricingTable,
    description:
      "Changes a pricing table. The URL of the public page doesn't change, and open checkouts aren't affected. The highlight is removed if the new plans don't include the highlighted plan.",
    rest: {
      method: 'PATCH',
      path: '/pricing-tables/{id}',
      view: 'PricingTable',
    },
    errors: ['not_found', 'plan_not_found', 'plan_group_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PricingTableUpdateInput, required: true }) },
    resolve: (_root, { input: { id, name, ...input } }, ctx) =>
      tableRows.update(ctx, id, async (tx, table) => ({ name, ...(await termsOf(tx, table, input)) })),
  }),
);

deletionField('pricingTableDelete', {
  of: 'a pricing table',
  reference: 'ID of the pricing table.',
  description:
    'Deletes a pricing table. The public page is no longer available, but purchases that were already started can still be paid.',
  path: '/pricing-tables/{id}',
  errors: ['not_found'],
  access: { scope: 'write' },
  delete: (ctx, id) => tableRows.delete(ctx, id),
});

const PricingTablePurchaseInput = builder.inputType('PricingTablePurchaseInput', {
  description: 'Parameters for starting a purchase on a pricing table.',
  fields: (t) => ({
    token: t.string({
      required: true,
      description: 'Token from the URL of the pricing page (the last path segment).',
    }),
    visit: t.string({
      required: true,
      rule: { pattern: /^[0-9a-f]{32}$/ },
      description:
        'Secret of 32 hexadecimal digits that the browser generates and stores. Requests that contain the same secret continue the same purchase.',
    }),
    planId: t.id({ required: true, rule: { minLength: 1 }, description: 'ID of a plan on the page.' }),
    billingInterval: t.field({
      type: BillingInterval,
      required: true,
      description: 'Billing interval. The page must show a price of the plan for this interval.',
    }),
    email: t.string({
      required: true,
      rule: { format: 'email', maxLength: 320 },
      description: 'Email address of the customer, to which receipts are sent.',
    }),
    country: t.string({
      rule: { format: 'country', nullable: true },
      description:
        'Country of the payer as an uppercase ISO 3166-1 alpha-2 code. Determines the market, currency, and tax.',
    }),
    state: t.string({
      rule: { maxLength: 200, nullable: true },
      description: 'State or province of the payer. Required if the tax depends on the state or province.',
    }),
    locale: t.field({
      type: Language,
      rule: { nullable: true },
      description:
        "Language of the checkout. Defaults to the customer's language, or to the organization's language if the customer has none.",
    }),
  }),
});

builder.mutationField('pricingTablePurchase', (t) =>
  t.field({
    type: PricingPurchase,
    description:
      "Starts the purchase of a plan on a pricing table and returns the URL of the checkout. A new customer is created for every purchase, and the response doesn't reveal whether another customer has the email address. The subscription is pending until the first payment, and is canceled if the first payment isn't made within 72 hours. Requests with the same `visit` return the open checkout, or replace the checkout if the plan or another selection differs. Fails with `rate_limited` after 10 purchases per minute from an IP address or 300 new purchases per hour on a table.",
    errors: [
      ['not_found', 'the pricing table is inactive or was deleted'],
      ['plan_not_found', "the page doesn't show the plan"],
      ['price_not_found', "the page doesn't show a price for the billing interval"],
      ['already_has_active_subscription', 'the purchase of this visit was already paid'],
      'provider_unsupported',
      ['payment_failed', "the tax can't be computed without a state; `details.reason` is `tax_not_computed`"],
      'charge_in_progress',
      'missing_regional_price',
      'rate_limited',
    ],
    access: { page: 'pricing', countedIn: 'purchases' },
    args: { input: t.arg({ type: PricingTablePurchaseInput, required: true }) },
    resolve: (_root, { input: { token: _token, ...input } }, ctx) => beginPurchase(ctx, input),
  }),
);
