import { defineCommand } from 'citty';
import type { Quittance } from '../../sdk/index.ts';
import { counted, Rejected, UsageError } from '../output.ts';
import { command, type Session } from '../session.ts';

type Clock = Awaited<ReturnType<Quittance['testClock']['get']>>;
type Run = NonNullable<Clock['latestRun']>;

const pollMs = 200;

const clockText = ({ now, latestRun }: Clock): string =>
  `${now}${latestRun === null ? '' : `, latest run ${latestRun.status}`}`;

/** Returns the number of days in a duration such as `30d`, `12h`, or `2w`. */
function daysIn(duration: string): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)([hdw])$/.exec(duration) ?? [];
  const days = { h: 1 / 24, d: 1, w: 7 }[unit];
  if (count === undefined || days === undefined)
    throw new UsageError(`${duration} isn't a duration such as 30d, 12h, or 2w.`);
  return Number(count) * days;
}

const isRunning = ({ status }: Run): boolean => status === 'pending' || status === 'running';

/** Prints the progress of a run until the run ends. The run continues if the command is interrupted. */
async function follow({ client, print }: Session, id: string): Promise<void> {
  for (let shown = ''; ; ) {
    const clock = await client.testClock.get();
    const run = clock.latestRun;
    if (run === null || run.id !== id) throw new Rejected('Another run started.');
    const { status, completedDeadlineCount, estimatedDeadlineCount, failedDeadlineCount } = run;
    const line = JSON.stringify([status, completedDeadlineCount]);
    if (line !== shown)
      print(
        {
          runId: id,
          status,
          completedDeadlineCount,
          estimatedDeadlineCount,
          failedDeadlineCount,
          now: clock.now,
        },
        `${status}, ${completedDeadlineCount} of ${counted(estimatedDeadlineCount, { one: '# deadline', other: '# deadlines' })}, ${clock.now}`,
      );
    shown = line;
    if (!isRunning(run)) {
      if (status === 'completed') return;
      throw new Rejected(`The run ended as ${status}.`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

/** Advances the test clock, and waits until all due work is complete. */
export async function advanceClock(
  session: Session,
  input: Parameters<Quittance['testClock']['advance']>[0],
): Promise<void> {
  const run = await session.client.testClock.advance(input);
  await follow(session, run.id);
}

const status = command({
  description: "Show the test clock's time and its latest run.",
  run: async ({ client, print }) => {
    const clock = await client.testClock.get();
    print(clock, clockText(clock));
  },
});

const advance = command({
  description: 'Advance the test clock, and wait until all due work is complete.',
  args: {
    duration: { type: 'positional', required: false, description: 'Duration, such as 30d, 12h, or 2w.' },
    to: { type: 'string', valueHint: 'TIME', description: 'Time to advance to, instead of a duration.' },
  },
  run: async (session, { duration, to }) => {
    if ((duration === undefined) === (to === undefined))
      throw new UsageError('Set either a duration, such as 30d, or --to.');
    const frozenTime = to === undefined ? undefined : new Date(to);
    if (frozenTime !== undefined && Number.isNaN(frozenTime.getTime()))
      throw new UsageError(`${to} isn't a time, such as 2027-01-31T00:00:00Z.`);
    await advanceClock(
      session,
      frozenTime === undefined
        ? { advanceDays: daysIn(duration ?? '') }
        : { frozenTime: frozenTime.toISOString() },
    );
  },
});

export const clock = defineCommand({
  meta: { description: 'Show or advance the test clock of a sandbox.' },
  subCommands: { status, advance },
});
