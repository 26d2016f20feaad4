import { builder } from '../../../../graphql/reading/builder.ts';

const LimitScopeInInput = builder.inputType('LimitScopeInInput', {
  description: 'Customers to which a template applies. Set exactly one field.',
  fields: (t) => ({
    organization: t.boolean({ description: 'Must be `true`: the template applies to all customers.' }),
    plan: t.id({ description: 'ID or code of a plan: the template applies to its subscribers.' }),
    customer: t.id({ description: 'ID or external ID of a customer. Only for templates of budgets.' }),
  }),
});

export const LimitScopeInput = builder.inputType('LimitScopeInput', {
  description:
    'Organization, plan, customer, budget, API key, or member to which a limit applies. Set `organization`, `plan`, `customer`, `customer` and `budget`, `apiKey`, `member`, or `each` and `in` for a template.',
  fields: (t) => ({
    organization: t.boolean({
      description: 'Must be `true`: the limit applies to the usage of all customers together.',
    }),
    plan: t.id({
      description: 'ID or code of a plan: the limit applies to the usage of all its subscribers together.',
    }),
    customer: t.id({ description: 'ID or external ID of the customer.' }),
    budget: t.string({ description: 'Key of a budget of the customer. The budget can be created later.' }),
    apiKey: t.id({ description: 'ID of an API key: the limit counts the mutations of the API key.' }),
    member: t.id({ description: 'ID of a member: the limit counts the mutations of the member.' }),
    each: t.string({
      description:
        'Type of the nodes: `customer`, or the first part of the keys of budgets, such as `team`. For limits on operations, `customer`, `apiKey`, or `member`. The template applies to each node separately.',
    }),
    in: t.field({ type: LimitScopeInInput, description: 'Customers to which the template applies.' }),
  }),
});
