import { workCosts } from '../../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { inTurn } from '../../../../request/turn.ts';
import { PreviewedInvoice } from '../../../subscriptions/previews/types/invoice.ts';
import { PreviewedTotals } from '../../../subscriptions/previews/types/preview.ts';
import { maxSubscriptions, mostSteps, type SimulatedItem, type Simulation, simulate } from '../simulate.ts';
import { ItemKind, ItemStatus } from './test-clock.ts';

const SimulatedItemType = builder.objectRef<SimulatedItem>('TestClockSimulatedItem').implement({
  description: 'A deadline that a test clock run would execute, with its simulated outcome.',
  fields: (t) => ({
    kind: t.field({
      type: ItemKind,
      description: 'Type of the deadline.',
      resolve: ({ deadline }) => (deadline.kind === 'dunning_retry' ? 'dunning_retry' : 'billing_cycle'),
    }),
    status: t.member('status', ItemStatus).describe('Status that the item would have after the run.'),
    dueAt: t.field({
      type: 'DateTime',
      description: 'Time at which the deadline is due.',
      resolve: ({ deadline }) => deadline.dueAt,
    }),
    subscriptionId: t.id({
      description: 'ID of the subscription.',
      resolve: ({ deadline }) => deadline.subscriptionId ?? '',
    }),
    customerName: t
      .maybe('customerName', 'String')
      .describe('Name of the customer. `null` if the customer has no name.'),
    outcome: t
      .maybe('outcome', 'String')
      .describe('Outcome, such as `renewed`, `declined`, or `reset`. `null` if the item failed.'),
    detail: t
      .maybe('detail', 'String')
      .describe('Details about the outcome. `null` if the outcome has no details.'),
    error: t
      .maybe('error', 'String')
      .describe('Reason for the failure, starting with its error code. `null` unless the item would fail.'),
  }),
});

const TestClockSimulation = builder.objectRef<Simulation>('TestClockSimulation').implement({
  description: "The effects of a simulated test clock run. Simulations aren't stored.",
  fields: (t) => ({
    startedAtTime: t.member('startedAtTime', 'DateTime').describe('Current time of the test clock.'),
    targetTime: t.member('targetTime', 'DateTime').describe('Time to which the test clock would advance.'),
    completedDeadlineCount: t.field({
      type: 'Int',
      description: 'Number of deadlines whose action would be executed.',
      resolve: ({ items }) => items.filter(({ status }) => status === 'completed').length,
    }),
    failedDeadlineCount: t.field({
      type: 'Int',
      description: 'Number of deadlines that would fail.',
      resolve: ({ items }) => items.filter(({ status }) => status === 'failed').length,
    }),
    items: t.member('items', [SimulatedItemType]).describe('Items of the simulated run, in order.'),
    invoices: t
      .member('invoices', [PreviewedInvoice])
      .describe('Invoices that would be issued or changed, in the order of their simulated invoice numbers.'),
    totals: t.member('totals', [PreviewedTotals]).describe('Invoice totals by currency.'),
  }),
});

const TestClockSimulateInput = builder.inputType('TestClockSimulateInput', {
  description: 'Parameters for simulating a test clock run.',
  fields: (t) => ({
    until: t.field({
      type: 'DateTime',
      required: true,
      description: "Time to advance to. Must be later than the test clock's time.",
    }),
    subscriptionIds: t.idList({
      rule: { minItems: 1, maxItems: maxSubscriptions },
      description: `IDs of the subscriptions to include. Up to ${maxSubscriptions} values. Defaults to all subscriptions.`,
    }),
  }),
});

builder.queryField('testClockSimulate', (t) =>
  t.field({
    type: TestClockSimulation,
    description: `Simulates \`testClockAdvance\` to a given time without storing anything. Returns invoices, payments with test cards, totals, and failures in the order of the run. Can include up to ${maxSubscriptions} subscriptions and ${mostSteps.toLocaleString('en')} deadlines, including notices. Fails with \`validation_error\` above these limits, or if a test clock run is unfinished.`,
    errors: ['subscription_not_found'],
    access: { scope: 'read', environment: 'sandbox' },
    args: { input: t.arg({ type: TestClockSimulateInput, required: true }) },
    complexity: { field: workCosts.simulation },
    resolve: (_root, { input }, ctx) => inTurn(ctx, () => simulate(ctx, input)),
  }),
);
