import { type App, type Context, RequestContext } from '../../context.ts';
import { monotonicMs } from '../../infra/clock.ts';
import { DatabaseBusyError } from '../../infra/db.ts';
import { isAboutRows } from '../../infra/savepoint.ts';
import { openTurns } from '../../infra/turns.ts';
import { isDivisionByZero, isLockTimeout, isUniqueViolation } from '../../infra/unique.ts';
import { attempt, Behind, Outdated, type Terms, Undone } from './attempt.ts';
import { catchUpFirst } from './late.ts';
import { type Flushed, Member, type Operation } from './member.ts';

// Usage of an environment is recorded by one transaction after another, each of all that has gathered since the one before (protocols A4);
// one may read while another writes.

/** Until when, by the monotonic clock, flushes of a process look for their keys first: requests that are sent again come in numbers. */
const lookingUntilMs = new WeakMap<App, number>();
const lookingMs = 5_000;

/** Until when what is kept is not decided on, after something of it was otherwise: another process works on the same customers. */
const readingUntilMs = new WeakMap<App, number>();
const readingMs = 1_000;

/** How often rivals with the same keys or event ids are met by looking again. */
const maxTries = 3;

/** How long all wait for the rival of one. */
const patienceMs = 100;

const isOver = (until: WeakMap<App, number>, app: App): boolean => monotonicMs() >= (until.get(app) ?? 0);

/** Notes what a failure says about those to come; answers whether to look again. */
function isMetByLooking(app: App, error: unknown): boolean {
  if (error instanceof Outdated) readingUntilMs.set(app, monotonicMs() + readingMs);
  else if (isUniqueViolation(error) || isDivisionByZero(error)) lookingUntilMs.set(app, monotonicMs() + lookingMs);
  else return false;
  return true;
}

/**
 * Flushes operations and settles each. What cannot be written is found by halves and fails alone; what waits for a rival with its key does
 * so alone and no longer holds up the others. Never rejects.
 */
async function flush(context: Context, members: readonly Member[], isAlone = false, tries = 1, isCaughtUp = false): Promise<void> {
  const { app } = context;
  const bound = app.config.idempotencyLockTimeoutMs;
  let hasBegun = false;
  const looksFirst = isAlone || tries > 1 || !isOver(lookingUntilMs, app);
  const terms: Terms = {
    isCaughtUp,
    looksFirst,
    believes: !looksFirst && isOver(readingUntilMs, app),
    lockTimeoutMs: isAlone ? bound : Math.min(patienceMs, bound),
    onBegun: (begun) => {
      hasBegun = begun;
    },
  };
  try {
    await attempt(context, members, terms);
  } catch (error) {
    if (error instanceof Behind) {
      // What cannot be executed is the worker's, and usage counts where the customer stands.
      await catchUpFirst(context, error.customerIds).catch((failure: unknown) =>
        context.log.error({ error: failure }, 'What is due failed.'),
      );
      return flush(context, members, isAlone, tries, true);
    }
    if (error instanceof Undone) return leaveOut(context, members, error.members, isAlone);
    if (isMetByLooking(app, error) && tries < maxTries) return flush(context, members, isAlone, tries + 1);
    if (isLockTimeout(error) && !isAlone) return goAlone(context, members);
    if (members.length === 1 || !isAboutRows(error)) {
      // Only a key is waited for with a bound, and then nothing was executed.
      for (const member of members) member.fail(error, hasBegun && !isLockTimeout(error));
      return;
    }
    const middle = Math.ceil(members.length / 2);
    await flush(context, members.slice(0, middle), isAlone);
    await flush(context, members.slice(middle), isAlone);
  }
}

/** Settles the operations that keep nothing, and flushes the others without them. */
async function leaveOut(context: Context, members: readonly Member[], undone: readonly Member[], isAlone: boolean): Promise<void> {
  for (const member of undone) {
    const ended = await member.ended;
    if ('error' in ended) member.fail(ended.error, true);
    else member.settle({ value: ended.finished.value });
  }
  const rest = members.filter((member) => !undone.includes(member));
  if (rest.length > 0) await flush(context, rest, isAlone);
}

/** Flushes the operations with keys one by one beside the queue, where each may wait for its rival, and the others together. */
async function goAlone(context: Context, members: readonly Member[]): Promise<void> {
  const keyed = members.filter(({ key }) => key !== null).values();
  const drain = async (): Promise<void> => {
    for (const member of keyed) await flush(context, [member], true);
  };
  void Promise.all([drain(), drain()]);
  const others = members.filter(({ key }) => key === null);
  if (others.length > 0) await flush(context, others);
}

type Turns = ReturnType<typeof openTurns<Member>>;

/** The queues of each process. */
const queues = new WeakMap<App, Turns>();

const weightOf = ({ seat }: Member): number => Math.max(1, seat.requests.length);

function queueOf(app: App): Turns {
  const known = queues.get(app);
  if (known !== undefined) return known;
  const { databasePoolSize, usageQueueEvents } = app.config;
  const isEmbedded = app.database.kind === 'pglite';
  const limits = {
    slots: isEmbedded ? 1 : Math.max(1, Math.floor(databasePoolSize / 2)),
    // While one flush writes, the next one reads; a small one costs more beside another than what it waits for to come along.
    lanes: isEmbedded ? 1 : 2,
    besideWeight: 16,
    lotWeight: 1_000,
    queueWeight: usageQueueEvents,
    weightOf,
    nameOf: ({ key }: Member) => key?.key ?? null,
  };
  const made = openTurns<Member>(limits, async (environmentId, members) => {
    const context = new RequestContext(app, 'usage');
    const [first] = members;
    if (first === undefined || first.seat.environment.id !== environmentId) throw new Error('A flush is of one environment.');
    context.become({ kind: 'system' }, first.seat.environment);
    await flush(context, members);
  });
  queues.set(app, made);
  return made;
}

/**
 * Runs an operation that records usage as a member of a flush, together with what else has gathered in its environment, and answers after
 * the commit. An operation that ends before it asks for events takes part when an answer is to be stored. Throws FlushError for a failure of
 * the transaction, and DatabaseBusyError when the queue of the environment is full; nothing is recorded then.
 */
export async function joinFlush<A>(context: Context, operation: Operation<A>): Promise<Flushed<A>> {
  const member = new Member(context, operation);
  const early = await member.prepare();
  if (early !== null && 'error' in early) throw early.error;
  // The value is that of the operation given.
  if (early?.finished.isUndone === true) return { value: early.finished.value as A };
  if (!queueOf(context.app).put(context.environment.id, member)) {
    throw new DatabaseBusyError('Too much usage of the environment is waiting to be recorded.');
  }
  return (await member.result) as Flushed<A>;
}
