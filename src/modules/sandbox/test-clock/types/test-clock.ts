import { restView } from '../../../../graphql/declare/rest.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { node } from '../../../../graphql/reading/node.ts';
import { defaultPageSize } from '../../../../graphql/reading/pages.ts';
import { connectionOf, pageArgs } from '../../../../graphql/reading/pagination.ts';
import { loadInvoiceNumber } from '../../../invoices/invoices/store.ts';
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

/** Access required for test clock fields. */
const inSandbox = { scope: 'read', environment: 'sandbox' } as const;

const RunStatus = builder.enumType('TestClockRunStatus', {
  description: 'Status of a test clock run.',
  values: {
    pending: { description: "The run hasn't started yet." },
    running: { description: 'The run is in progress.' },
    completed: { description: 'The run reached its target, even if some items failed.' },
    failed: {
      description: "The run couldn't continue. The clock stays at the time of the last executed deadline.",
    },
  } as const,
});

export const ItemKind = builder.enumType('TestClockItemKind', {
  description: 'Type of a deadline in a test clock run.',
  values: {
    billing_cycle: { description: 'A subscription start, trial end, period end, or usage window reset.' },
    dunning_retry: { description: 'A payment retry after a declined charge.' },
  } as const,
});

export const ItemStatus = builder.enumType('TestClockItemStatus', {
  description: 'Status of a test clock run item. An item with a declined payment has the status `completed`.',
  values: {
    pending: { description: "The item hasn't started yet." },
    processing: { description: 'The item is in progress.' },
    completed: { description: "The deadline's action was executed." },
    failed: {
      description:
        "The deadline's action wasn't executed, and the subscription didn't change. The next run retries the deadline.",
    },
  } as const,
});

const RunErrorType = builder.objectRef<Stored.ClockRunError>('TestClockRunError').implement({
  description: "Reason why a test clock run couldn't continue.",
  fields: (t) => ({
    code: t
      .member('code', 'String')
      .describe('Reason code: `canceled`, `too_many_instants`, or `quota_exceeded`.'),
    message: t
      .member('message', 'String')
      .describe("Explanation of why the run couldn't continue, in English."),
  }),
});

const RunItem = builder.objectRef<RunItemRow>('TestClockRunItem').implement({
  ...node({ prefix: 'tcri', access: inSandbox, model: 'TestClockRunItem' }),
  description: 'A deadline of a test clock run, with its status and outcome.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `tcri_`.'),
    kind: t.member('kind', ItemKind).describe('Type of the deadline.'),
    status: t.member('status', ItemStatus).describe('Status of the item.'),
    dueAt: t.member('dueAt', 'DateTime').describe('Time at which the deadline was due.'),
    subscriptionId: t.member('subscriptionId', 'String').describe('ID of the subscription.'),
    customerName: t
      .maybe('customerName', 'String')
      .describe('Name of the customer. `null` if the customer has no name.'),
    invoiceNumber: t.string({
      nullable: true,
      description: 'Number of the issued or collected invoice. `null` if the item has no invoice.',
      resolve: ({ invoiceId }, _args, ctx) => loadInvoiceNumber(ctx, invoiceId),
    }),
    invoiceId: t
      .maybe('invoiceId', 'String')
      .describe('ID of the issued or collected invoice. `null` if the item has no invoice.'),
    outcome: t
      .maybe('outcome', 'String')
      .describe('Outcome, such as `renewed`, `declined`, or `reset`. `null` if the item failed.'),
    detail: t
      .maybe('detail', 'String')
      .describe('Details about the outcome. `null` if the outcome has no details.'),
    error: t
      .maybe('error', 'String')
      .describe('Reason for the failure, starting with its error code. `null` unless the item failed.'),
  }),
});

const RunItemConnection = connectionOf(
  'TestClockRunItem',
  RunItem,
  'test clock run items',
  'in the order in which the items were executed',
);

export const TestClockRun = builder.objectRef<RunRow>('TestClockRun');

TestClockRun.implement({
  ...node({ prefix: 'tcr', access: inSandbox, model: 'TestClockRun' }),
  description: 'A background run that advances the test clock. Resumes if the service restarts.',
  fields: (t) => ({
    id: t.member('id', 'ID').describe('Unique identifier. Starts with `tcr_`.'),
    status: t.member('status', RunStatus).describe('Status of the run.'),
    startedAtTime: t
      .member('startedAtTime', 'DateTime')
      .describe('Test clock time at which the run started.'),
    targetTime: t.member('targetTime', 'DateTime').describe('Time to which the run advances the test clock.'),
    cursorTime: t
      .member('cursorTime', 'DateTime')
      .describe('Test clock time that the run has reached so far.'),
    progress: t.float({
      description:
        'Progress in simulated time, from 0 to 1. Never decreases, and is exactly 1 once the target is reached. A failed run keeps its progress.',
      resolve: progressOf,
    }),
    estimatedDeadlineCount: t
      .member('estimatedDeadlineCount', 'Int')
      .describe(
        'Number of deadlines that were known when the run started. More deadlines can be added during the run.',
      ),
    completedDeadlineCount: t
      .member('completedDeadlineCount', 'Int')
      .describe('Number of deadlines whose actions the run has executed so far.'),
    failedDeadlineCount: t
      .member('failedDeadlineCount', 'Int')
      .describe('Number of deadlines that failed so far.'),
    error: t
      .maybe('error', RunErrorType)
      .describe("Reason why the run couldn't continue. `null` unless the run failed."),
    items: t.field({
      type: [RunItem],
      description: `Latest ${shownItems.toLocaleString('en')} items, in the order in which the items were executed. \`itemPages\` contains all items.`,
      resolve: (run, _args, ctx) => readLatestRunItems(ctx.sql, run.id, shownItems),
    }),
    itemPages: t.field({
      type: RunItemConnection,
      description:
        'All items of the run, paginated, in the order in which the items were executed. Items are deleted after a retention period.',
      args: pageArgs(defaultPageSize, 1_000),
      resolve: (run, args, ctx) => loadRunItems(ctx, run.id, args),
    }),
    object: t.string({ description: 'Always `test_clock_run`.', resolve: () => 'test_clock_run' }),
    livemode: t.boolean({
      description: 'Always `false`, because the test clock exists only in the sandbox.',
      resolve: (_run, _args, ctx) => ctx.livemode,
    }),
  }),
});

export const TestClockRunConnection = connectionOf(
  'TestClockRun',
  TestClockRun,
  'test clock runs',
  'newest first',
);

export const TestClock = builder.objectRef<ClockState>('TestClock').implement({
  ...node({ prefix: 'env', access: inSandbox, load: loadTestClock }),
  description:
    "The test clock of the sandbox. Shows real time until the first advance. After the first advance, the clock doesn't move between runs and never moves backward.",
  fields: (t) => ({
    id: t.id({
      description: 'ID of the sandbox environment, starting with `env_`.',
      resolve: (_clock, _args, ctx) => ctx.environment.id,
    }),
    simulatedTime: t
      .maybe('simulatedTime', 'DateTime')
      .describe('Simulated time. `null` if the clock has never been advanced.'),
    isActive: t.boolean({
      description: 'Whether the clock has ever been advanced.',
      resolve: ({ simulatedTime }) => simulatedTime !== null,
    }),
    now: t
      .member('now', 'DateTime')
      .describe('Simulated time, or real time if the clock has never been advanced.'),
    latestRun: t
      .maybe('latestRun', TestClockRun)
      .describe('Latest test clock run. `null` if the clock has never been advanced.'),
    object: t.string({ description: 'Always `test_clock`.', resolve: () => 'test_clock' }),
    livemode: t.boolean({
      description: 'Always `false`, because the test clock exists only in the sandbox.',
      resolve: (_clock, _args, ctx) => ctx.livemode,
    }),
  }),
});

const itemFields =
  'kind status dueAt subscriptionId customerName invoiceNumber invoiceId outcome detail error';
const runFields = `id status startedAtTime targetTime estimatedDeadlineCount completedDeadlineCount failedDeadlineCount error { code message } items { ${itemFields} }`;

restView('TestClockRun', 'TestClockRun', `${runFields} object livemode`);
restView('TestClock', 'TestClock', `simulatedTime isActive now latestRun { ${runFields} } object livemode`);
