import { builder } from '../../../graphql/builder.ts';
import { node } from '../../../graphql/node.ts';
import { defaultPageSize } from '../../../graphql/pages.ts';
import { connectionOf, pageArgs } from '../../../graphql/pagination.ts';
import { restView } from '../../../graphql/rest.ts';
import { loadInvoiceNumber } from '../../invoices/store.ts';
import {
  type ClockState,
  loadRunItems,
  loadTestClock,
  progressOf,
  type RunItemRow,
  type RunRow,
  readLatestRunItems,
  shownItems,
} from '../store.ts';

/** Who sees the clock. */
const inSandbox = { scope: 'read', environment: 'sandbox' } as const;

const RunStatus = builder.enumType('TestClockRunStatus', {
  description: 'How far a clock run has come.',
  values: {
    pending: { description: 'Not begun yet.' },
    running: { description: 'On its way.' },
    completed: { description: 'The target is reached, even if items failed.' },
    failed: { description: 'The run itself could not go on; the clock stays at the last executed instant.' },
  } as const,
});

export const ItemKind = builder.enumType('TestClockItemKind', {
  description: 'What kind of deadline an item is.',
  values: {
    billing_cycle: { description: 'A start, trial end, period end or window reset.' },
    dunning_retry: { description: 'A retry of a declined charge.' },
  } as const,
});

export const ItemStatus = builder.enumType('TestClockItemStatus', {
  description: 'How an item ended. A declined payment is a completed item.',
  values: {
    pending: { description: 'Not begun yet.' },
    processing: { description: 'On its way.' },
    completed: { description: 'Executed.' },
    failed: { description: 'Not executed; its subscription is as it was, and the next run tries again.' },
  } as const,
});

const RunErrorType = builder.objectRef<Stored.ClockRunError>('TestClockRunError').implement({
  description: 'Why a run could not go on.',
  fields: (t) => ({
    code: t.exposeString('code', { description: '`canceled` or `too_many_instants`.' }),
    message: t.exposeString('message', { description: 'The reason as a sentence.' }),
  }),
});

const RunItem = builder.objectRef<RunItemRow>('TestClockRunItem').implement({
  ...node({ prefix: 'tcri', access: inSandbox, model: 'TestClockRunItem' }),
  description: 'A deadline a run has executed.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `tcri_…`.' }),
    kind: t.expose('kind', { type: ItemKind, description: 'What kind of deadline it was.' }),
    status: t.expose('status', { type: ItemStatus, description: 'How it ended.' }),
    dueAt: t.expose('dueAt', { type: 'DateTime', description: 'The instant it was due.' }),
    subscriptionId: t.exposeString('subscriptionId', { description: 'Whose deadline it was.' }),
    customerName: t.exposeString('customerName', {
      nullable: true,
      description: 'Name of the customer; null when it has none.',
    }),
    invoiceNumber: t.string({
      nullable: true,
      description: 'Number of the invoice it issued or collected; null without one.',
      resolve: ({ invoiceId }, _args, ctx) => loadInvoiceNumber(ctx, invoiceId),
    }),
    invoiceId: t.exposeString('invoiceId', {
      nullable: true,
      description: 'Id of that invoice; null without one.',
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
      description: 'Why it failed, the code of the rejection first; null for completed items.',
    }),
  }),
});

const RunItemConnection = connectionOf(
  'TestClockRunItem',
  RunItem,
  'items of a run',
  'in the order they were executed',
);

export const TestClockRun = builder.objectRef<RunRow>('TestClockRun');

TestClockRun.implement({
  ...node({ prefix: 'tcr', access: inSandbox, model: 'TestClockRun' }),
  description: 'One durable advance of the test clock. It survives restarts and continues where it stopped.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Our identifier, `tcr_…`.' }),
    status: t.expose('status', { type: RunStatus, description: 'How far it has come.' }),
    startedAtTime: t.expose('startedAtTime', {
      type: 'DateTime',
      description: 'Where the clock stood when it began.',
    }),
    targetTime: t.expose('targetTime', { type: 'DateTime', description: 'Where the clock is moved to.' }),
    cursorTime: t.expose('cursorTime', { type: 'DateTime', description: 'The last executed instant.' }),
    progress: t.float({
      description:
        'How much of the simulated time has passed, from 0 to 1: exactly 1 once the target is reached, and never less than before. A run that failed keeps what it had.',
      resolve: progressOf,
    }),
    estimatedDeadlineCount: t.expose('estimatedDeadlineCount', {
      type: 'Int',
      description: 'Deadlines known when it began; more may come up on the way.',
    }),
    completedDeadlineCount: t.expose('completedDeadlineCount', {
      type: 'Int',
      description: 'Deadlines executed to date.',
    }),
    failedDeadlineCount: t.expose('failedDeadlineCount', {
      type: 'Int',
      description: 'Deadlines that failed to date.',
    }),
    error: t.field({
      type: RunErrorType,
      nullable: true,
      description: 'Why the run could not go on; null unless it is `failed`.',
      resolve: ({ error }) => error,
    }),
    items: t.field({
      type: [RunItem],
      description: `The latest ${shownItems} items, in the order they were executed. All of them are in \`itemPages\`.`,
      resolve: (run, _args, ctx) => readLatestRunItems(ctx.sql, run.id, shownItems),
    }),
    itemPages: t.field({
      type: RunItemConnection,
      description:
        'All items in the order they were executed, page by page; removed when the run ended long ago.',
      args: pageArgs(defaultPageSize, 1_000),
      resolve: (run, args, ctx) => loadRunItems(ctx, run.id, args),
    }),
    object: t.string({ description: 'Always `test_clock_run`.', resolve: () => 'test_clock_run' }),
    livemode: t.boolean({
      description: 'Always false: live time cannot be moved.',
      resolve: (_run, _args, ctx) => ctx.livemode,
    }),
  }),
});

export const TestClockRunConnection = connectionOf(
  'TestClockRun',
  TestClockRun,
  'runs of the test clock',
  'newest first',
);

export const TestClock = builder.objectRef<ClockState>('TestClock').implement({
  ...node({ prefix: 'env', access: inSandbox, load: loadTestClock }),
  description:
    'The clock of the sandbox: real time until it is first moved, then it stands still between runs and never goes back.',
  fields: (t) => ({
    id: t.id({
      description: 'Our identifier of the sandbox, `env_…`.',
      resolve: (_clock, _args, ctx) => ctx.environment.id,
    }),
    simulatedTime: t.expose('simulatedTime', {
      type: 'DateTime',
      nullable: true,
      description: 'Null while the clock was never moved.',
    }),
    isActive: t.boolean({
      description: 'True once the clock was moved.',
      resolve: ({ simulatedTime }) => simulatedTime !== null,
    }),
    now: t.expose('now', {
      type: 'DateTime',
      description: 'Simulated time, or real time while the clock was never moved.',
    }),
    latestRun: t.expose('latestRun', {
      type: TestClockRun,
      nullable: true,
      description: 'The run begun last; null before the first.',
    }),
    object: t.string({ description: 'Always `test_clock`.', resolve: () => 'test_clock' }),
    livemode: t.boolean({
      description: 'Always false: live time cannot be moved.',
      resolve: (_clock, _args, ctx) => ctx.livemode,
    }),
  }),
});

const itemFields =
  'kind status dueAt subscriptionId customerName invoiceNumber invoiceId outcome detail error';
const runFields = `id status startedAtTime targetTime estimatedDeadlineCount completedDeadlineCount failedDeadlineCount error { code message } items { ${itemFields} }`;

restView('TestClockRun', 'TestClockRun', `${runFields} object livemode`);
restView('TestClock', 'TestClock', `simulatedTime isActive now latestRun { ${runFields} } object livemode`);
