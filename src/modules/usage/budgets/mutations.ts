import { budgetKey } from '../../../graphql/declare/shapes.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { archiveBudget, createBudget, updateBudget } from './store.ts';
import { Budget } from './types.ts';

const customerText = 'ID or external ID of the customer.';
const keyText = 'Key of the budget.';
const names = { customerId: 'id' } as const;
const nameRule = { minLength: 1, maxLength: 200 } as const;

const BudgetCreateInput = builder.inputType('BudgetCreateInput', {
  description: 'Parameters for creating a budget.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: customerText }),
    key: t.string({
      required: true,
      rule: budgetKey,
      description:
        "Kind and identifier of the budget, separated by a colon, such as `team:eu`. Unique per customer and case-sensitive. The kind has up to 20 lowercase letters, digits, and underscores. The identifier has up to 180 characters. Can't be changed later.",
    }),
    parentKey: t.string({
      description: 'Key of the budget that includes the budget. Defaults to the customer.',
    }),
    name: t.string({ rule: nameRule, description: 'Name of the budget. From 1 to 200 characters.' }),
    metadata: t.field({
      type: 'Json',
      description: 'Key-value data to attach to the budget. Defaults to an empty object.',
    }),
  }),
});

builder.mutationField('budgetCreate', (t) =>
  t.field({
    type: Budget,
    description:
      'Creates a budget of a customer. Usage with the key of the budget is limited by the budget, its parents, and the customer.',
    rest: { method: 'POST', path: '/customers/{id}/budgets', names, status: 201, view: 'Budget' },
    errors: ['customer_not_found', ['duplicate', 'the customer already has a budget with this key']],
    access: { scope: 'write' },
    args: { input: t.arg({ type: BudgetCreateInput, required: true }) },
    resolve: (_root, { input }, ctx) => createBudget(ctx, input),
  }),
);

const BudgetUpdateInput = builder.inputType('BudgetUpdateInput', {
  description: 'Parameters for changing a budget. Omitted fields keep their values.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: customerText }),
    key: t.string({ required: true, description: keyText }),
    parentKey: t.string({
      rule: { nullable: true },
      description:
        'Key of the budget that includes the budget. `null` moves the budget directly below the customer. Recorded usage does not move.',
    }),
    name: t.string({
      rule: { ...nameRule, nullable: true },
      description: 'Name of the budget. From 1 to 200 characters. `null` removes the name.',
    }),
    metadata: t.field({ type: 'Json', description: 'Key-value data. Replaces all stored metadata.' }),
  }),
});

builder.mutationField('budgetUpdate', (t) =>
  t.field({
    type: Budget,
    description: 'Changes the name, the parent, or the metadata of a budget.',
    rest: { method: 'PATCH', path: '/customers/{id}/budgets/{key}', names, view: 'Budget' },
    errors: ['customer_not_found', 'not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: BudgetUpdateInput, required: true }) },
    resolve: (_root, { input }, ctx) => updateBudget(ctx, input),
  }),
);

const BudgetArchiveInput = builder.inputType('BudgetArchiveInput', {
  description: 'Parameters for archiving a budget.',
  fields: (t) => ({
    customerId: t.id({ required: true, description: customerText }),
    key: t.string({ required: true, description: keyText }),
  }),
});

builder.mutationField('budgetArchive', (t) =>
  t.field({
    type: Budget,
    description:
      "Archives a budget. Usage of the budget and of budgets below the budget is rejected. The key can't be reused.",
    rest: { method: 'DELETE', path: '/customers/{id}/budgets/{key}', names, view: 'Budget' },
    errors: ['customer_not_found', 'not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: BudgetArchiveInput, required: true }) },
    resolve: (_root, { input }, ctx) => archiveBudget(ctx, input),
  }),
);
