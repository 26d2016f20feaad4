import { builder } from '../../../graphql/builder.ts';
import { PreviewedInvoice } from '../../previews/types/invoice.ts';
import { PreviewedTotals } from '../../previews/types/preview.ts';
import { mostSteps, mostSubscriptions, type SimulatedItem, type Simulation, simulate } from '../simulate.ts';
import { ItemKind, ItemStatus } from './test-clock.ts';

const SimulatedItemType = builder.objectRef<SimulatedItem>('TestClockSimulatedItem').implement({
  description: 'A deadline a run would execute, as the run would show it.',
  fields: (t) => ({
    kind: t.field({
      type: ItemKind,
      description: 'What kind of deadline it is.',
      resolve: ({ deadline }) => (deadline.kind === 'dunning_retry' ? 'dunning_retry' : 'billing_cycle'),
    }),
    status: t.expose('status', { type: ItemStatus, description: 'How it would end.' }),
    dueAt: t.field({
      type: 'DateTime',
      description: 'The instant it is due.',
      resolve: ({ deadline }) => deadline.dueAt,
    }),
    subscriptionId: t.id({
      description: 'Whose deadline it is.',
      resolve: ({ deadline }) => deadline.subscriptionId ?? '',
    }),
    customerName: t.exposeString('customerName', {
      nullable: true,
      description: 'Name of the customer; null when it has none.',
    }),
    outcome: t.exposeString('outcome', {
      nullable: true,
      description: '`renewed`, `declined`, `reset` …; null for failed items.',
    }),
    detail: t.exposeString('detail', {
      nullable: true,
      description: 'More about the outcome; null when there is nothing to add.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why it would fail, the code of the rejection first; null otherwise.',
    }),
  }),
});

const TestClockSimulation = builder.objectRef<Simulation>('TestClockSimulation').implement({
  description: 'What a run of the test clock would do. Nothing of it is stored.',
  fields: (t) => ({
    startedAtTime: t.expose('startedAtTime', { type: 'DateTime', description: 'Where the clock stands.' }),
    targetTime: t.expose('targetTime', { type: 'DateTime', description: 'Where it would be moved to.' }),
    completedDeadlineCount: t.field({
      type: 'Int',
      description: 'Deadlines that would be executed.',
      resolve: ({ items }) => items.filter(({ status }) => status === 'completed').length,
    }),
    failedDeadlineCount: t.field({
      type: 'Int',
      description: 'Deadlines that would fail.',
      resolve: ({ items }) => items.filter(({ status }) => status === 'failed').length,
    }),
    items: t.field({
      type: [SimulatedItemType],
      description: 'The items the run would have, in their order.',
      resolve: ({ items }) => [...items],
    }),
    invoices: t.field({
      type: [PreviewedInvoice],
      description: 'The invoices it would issue or change, in the order they would be numbered.',
      resolve: ({ invoices }) => [...invoices],
    }),
    totals: t.field({
      type: [PreviewedTotals],
      description: 'What they come to, currency by currency.',
      resolve: ({ totals }) => [...totals],
    }),
  }),
});

const TestClockSimulateInput = builder.inputType('TestClockSimulateInput', {
  description: 'How far to move the clock in thought.',
  fields: (t) => ({
    until: t.field({
      type: 'DateTime',
      required: true,
      description: 'The instant to move to, later than the clock.',
    }),
    subscriptionIds: t.idList({
      rule: { minItems: 1, maxItems: mostSubscriptions },
      description: `Only what happens to these, at most ${mostSubscriptions}. Defaults to to all.`,
    }),
  }),
});

builder.queryField('testClockSimulate', (t) =>
  t.field({
    type: TestClockSimulation,
    description: `What \`testClockAdvance\` to an instant would do: documents, payments by test cards, totals and failures, in the order of the run, with nothing written. At most ${mostSubscriptions} subscriptions and ${mostSteps} deadlines, notices included; \`validation_error\` beyond that and while a run is unfinished, \`sandbox_only\` for live keys.`,
    errors: ['subscription_not_found'],
    access: { scope: 'read', environment: 'sandbox' },
    args: { input: t.arg({ type: TestClockSimulateInput, required: true, description: 'The target.' }) },
    resolve: (_root, { input }, ctx) => simulate(ctx, input),
  }),
);
