/** Prompt that a user can start in a client. The arguments are inserted into the text. */
export type Prompt = {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
  readonly textOf: (values: Readonly<Record<string, string>>) => string;
};

const argument = (name: string, description: string, required = true) => ({ name, description, required });

/** Prompts for common tasks. */
export const prompts: readonly Prompt[] = [
  {
    name: 'set_up_billing',
    description: 'Creates features, plans and prices for a product, in the sandbox.',
    arguments: [argument('product', 'What is sold, and for which prices.')],
    textOf: ({ product = '' }) =>
      `Set up billing in the sandbox for this product:\n\n${product}\n\nRead \`search_docs\` for plans and features first. Create the features, then the plans with their features and prices. Show each mutation with \`dryRun: true\` before you make it. At the end, list the plans with their prices, and the customer's steps to buy one.`,
  },
  {
    name: 'why_this_invoice',
    description: 'Explains each line of an invoice.',
    arguments: [argument('invoiceId', 'ID of the invoice.')],
    textOf: ({ invoiceId = '' }) =>
      `Explain invoice ${invoiceId} to the customer. Read the invoice with its line items, the subscription and the plan. For each line item, state the quantity, the unit price, the period and the calculation. State which credits were applied, and why the total is the sum of the line items. Don't change anything.`,
  },
  {
    name: 'simulate_price_change',
    description:
      'Shows what a price change would cost the subscribers of a plan, without changing the price.',
    arguments: [
      argument('planId', 'ID of the plan.'),
      argument('price', 'New price, with its billing interval.'),
    ],
    textOf: ({ planId = '', price = '' }) =>
      `Simulate this price change for plan ${planId}: ${price}. Call \`plan_price_update\` only with \`dryRun: true\`, read \`catalog_impact\`, and use \`test_clock_simulate\` in the sandbox for the next billing periods. Report the number of subscribers, the difference in monthly recurring revenue, and the subscribers with the largest increase. Don't change the price.`,
  },
  {
    name: 'find_failed_payments',
    description: 'Lists customers with failed payments, and the next step for each of them.',
    arguments: [argument('since', 'First day, as YYYY-MM-DD. Defaults to 30 days ago.', false)],
    textOf: ({ since = '30 days ago' }) =>
      `Find the payments that have failed since ${since}. For each customer, state the amount, the reason, the next retry, and whether the subscription is past due. Suggest one next step per customer: wait for the retry, send a recovery link, or contact the customer. Don't retry payments and don't send anything.`,
  },
];
