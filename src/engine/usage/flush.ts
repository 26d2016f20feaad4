import { type App, type Context, RequestContext } from '../../context.ts';
import { UsageBook } from '../../domain/consumption/book.ts';
import type { UsageRequest } from '../../domain/consumption/record.ts';
import { type WritePart, writeTogether } from '../../infra/bulk.ts';
import { monotonicMs } from '../../infra/clock.ts';
import { DatabaseBusyError, type Query } from '../../infra/db.ts';
import { allStored, allStoredPart, answersPart, findKeysInUse, type KeyedAnswer, type KeyRequest } from '../../infra/idempotency.ts';
import { isAboutRows } from '../../infra/savepoint.ts';
import { openTurns } from '../../infra/turns.ts';
import { isDivisionByZero, isLockTimeout, isUniqueViolation } from '../../infra/unique.ts';
import { type Ahead, hintEvents, inAskedTransaction } from '../../transaction.ts';
import { catchUpFirst, lateCustomers } from './late.ts';
import { writtenBefore } from './late-writes.ts';
import { readUsage, type UsageNeeds, type UsageRows, usageFactsOf } from './load.ts';
import { type Flushed, Member, type Operation } from './member.ts';
import type { UsageOutcome } from './seat.ts';
import { usageParts, writeUsage } from './write.ts';

// Usage of an environment is recorded by one transaction after another, each of all that has gathered since the one before (protocols A4,
// A5): facts are locked and read, events are decided in order of arrival, then everything is written together with the answers, which claims
// the keys, once for all. One may read while another writes.

/** What requests name. */
export function needsOf(requests: readonly UsageRequest[]): UsageNeeds {
  const [customers, featureCodes, eventIds, models] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
  for (const { customerId, featureCode, eventId, model } of requests) {
    customers.add(customerId);
    featureCodes.add(featureCode);
    if (eventId !== null) eventIds.add(eventId);
    if (model !== null) models.add(model);
  }
  return { customers: [...customers], featureCodes: [...featureCodes], eventIds: [...eventIds], models: [...models] };
}

/** Decides the requests of one operation. */
function decideAll(book: UsageBook, requests: readonly UsageRequest[]): UsageOutcome {
  const written = () => book.entries.length + book.events.length + book.outbox.length;
  const before = written();
  const results = requests.map((request) => book.record(request));
  return { results, hasChanges: written() > before };
}

/** Carries out of the transaction, and undoes with it, what operations ended with that keep nothing. */
class Undone extends Error {
  readonly members: readonly Member[];

  constructor(members: readonly Member[], cause: unknown) {
    super('An operation is undone.', { cause });
    this.members = members;
  }
}

/** Something is due for customers before usage of theirs is recorded. */
class Behind extends Error {
  readonly customerIds: readonly string[];

  constructor(customerIds: readonly string[]) {
    super('The worker is behind.');
    this.customerIds = customerIds;
  }
}

/** Waits for the operations to end and answers what is to be stored of each. Throws Undone when some of them keep nothing. */
async function answersOf(members: readonly Member[]): Promise<KeyedAnswer[]> {
  const answers: KeyedAnswer[] = [];
  const undone: Member[] = [];
  let cause: unknown;
  for (const member of members) {
    const ended = await member.ended;
    if ('error' in ended || ended.finished.isUndone) {
      undone.push(member);
      cause ??= 'error' in ended ? ended.error : ended.finished.cause;
    } else if (member.key !== null && ended.finished.stored !== null) {
      answers.push({ ...member.key, answer: ended.finished.stored });
    }
  }
  if (undone.length > 0) throw new Undone(undone, cause);
  return answers;
}

/**
 * How a flush deals with keys: whether it looks first which of them are in use, or finds out when it stores the answers, since hardly any ever
 * is; how long a rival is waited for; and whom it tells when operations are about to be executed.
 */
type Terms = {
  readonly looksFirst: boolean;
  readonly lockTimeoutMs: number;
  readonly onBegun: () => void;
  /** Whether what was due has just been executed. */
  readonly isCaughtUp: boolean;
};

/** What a flush finds: which of its keys are in use, and the rows its events name. */
type Asked = {
  readonly keysInUse: Awaited<ReturnType<typeof findKeysInUse>>;
  readonly needs: UsageNeeds;
  readonly rows: UsageRows;
};

const keysOf = (members: readonly Member[]): KeyRequest[] => members.flatMap(({ key }) => (key === null ? [] : [key]));

/** Asks for all a flush needs to know, by statements that go out together. */
const askFor =
  ({ app, environment }: Context, members: readonly Member[], { looksFirst, lockTimeoutMs, onBegun }: Terms): Ahead<Asked> =>
  async (sql, query) => {
    for (const member of members) if (!member.isReady) await member.prepare();
    const needs = needsOf(members.flatMap(({ seat }) => seat.requests));
    const keys = looksFirst ? keysOf(members) : [];
    const keyTerms = { now: app.wall.now(), lockTimeoutMs };
    const looked = findKeysInUse(query, { environmentId: environment.id }, keys, keyTerms, app.secrets);
    // From the last rows on the bound holds for the table of keys.
    const [keysInUse, rows] = await Promise.all([looked, readUsage(sql, query, needs, 'record', lockTimeoutMs)]);
    onBegun();
    return { keysInUse, needs, rows };
  };

/**
 * Writes what the book holds, unless somebody has asked for that before, and stores the answers under their keys, by one statement with which the
 * transaction ends. Fails with `unique_violation` for a key used before, or, where that was looked up, with `division_by_zero` when a rival was first.
 */
async function writeAll(
  tx: Context,
  usage: readonly WritePart[],
  answers: readonly KeyedAnswer[],
  { looksFirst, lockTimeoutMs }: Terms,
): Promise<void> {
  const { transaction, environment } = tx;
  if (transaction === null) throw new Error('A flush is a transaction.');
  const terms = { now: tx.wall.now(), lockTimeoutMs, wereLookedUp: looksFirst };
  const stored = answers.length === 0 ? [] : [answersPart(answers, terms, usage[0]?.name)];
  const complete = looksFirst && stored.length > 0 ? [allStoredPart(answers)] : [];
  if (usage.length > 0) hintEvents(tx);
  const last: Query = (text, params = []) => transaction.last(text, [environment.id, ...params]);
  await writeTogether(last, [...usage, ...stored, ...complete], complete.length === 0 ? undefined : allStored);
}

/**
 * Decides the operations whose keys are free, writes, and stores the answers under the keys, which claims them, in the open transaction. Answers
 * what became of each.
 */
async function flushAll(
  tx: Context,
  members: readonly Member[],
  { keysInUse, needs, rows }: Asked,
  terms: Terms,
): Promise<Map<Member, Flushed<unknown>>> {
  const late = terms.isCaughtUp ? [] : await lateCustomers(tx, rows);
  if (late.length > 0) throw new Behind(late);
  const flushed = new Map<Member, Flushed<unknown>>();
  const seated: Member[] = [];
  for (const member of members) {
    const found = member.key === null ? undefined : keysInUse.get(member.key.key);
    if (found === undefined) seated.push(member);
    else flushed.set(member, { found });
  }
  const book = new UsageBook(await usageFactsOf(tx, needs, rows, true));
  const outcomes = seated.map(({ seat }) => decideAll(book, seat.requests));
  let written: Promise<void> | null = null;
  const write = (): Promise<void> => {
    written ??= writeUsage(tx, book);
    return written;
  };
  const seatContext = writtenBefore(tx, write);
  for (const [index, outcome] of outcomes.entries()) seated[index]?.decide(outcome, seatContext);
  const answers = await answersOf(seated).finally(() => written);
  await writeAll(tx, written === null ? usageParts(book) : [], answers, terms);
  for (const member of seated) {
    const ended = await member.ended;
    if ('finished' in ended) flushed.set(member, { value: ended.finished.value });
  }
  return flushed;
}

/** Until when, by the monotonic clock, flushes of a process look for their keys first: requests that are sent again come in numbers. */
const lookingUntilMs = new WeakMap<App, number>();
const lookingMs = 5_000;

/** How often rivals with the same keys or event ids are met by looking again. */
const maxTries = 3;

/** How long all wait for the rival of one. */
const patienceMs = 100;

/**
 * Flushes operations and settles each. What cannot be written is found by halves and fails alone; what waits for a rival with its key does
 * so alone and no longer holds up the others. Never rejects.
 */
async function flush(context: Context, members: readonly Member[], isAlone = false, attempt = 1, isCaughtUp = false): Promise<void> {
  const bound = context.app.config.idempotencyLockTimeoutMs;
  let hasBegun = false;
  const { app } = context;
  const terms = {
    isCaughtUp,
    looksFirst: isAlone || attempt > 1 || monotonicMs() < (lookingUntilMs.get(app) ?? 0),
    lockTimeoutMs: isAlone ? bound : Math.min(patienceMs, bound),
    onBegun: () => {
      hasBegun = true;
    },
  };
  try {
    const ahead: Ahead<Asked> = (sql, query) => {
      hasBegun = false;
      return askFor(context, members, terms)(sql, query);
    };
    const flushed = await inAskedTransaction(context, ahead, (tx, asked) => flushAll(tx, members, asked, terms));
    for (const [member, result] of flushed) member.settle(result);
  } catch (error) {
    if (error instanceof Behind) {
      // What cannot be executed is the worker's, and usage counts where the customer stands.
      await catchUpFirst(context, error.customerIds).catch((failure: unknown) =>
        context.log.error({ error: failure }, 'What is due failed.'),
      );
      return flush(context, members, isAlone, attempt, true);
    }
    if (error instanceof Undone) return leaveOut(context, members, error.members, isAlone);
    if (isUniqueViolation(error) || isDivisionByZero(error)) {
      lookingUntilMs.set(app, monotonicMs() + lookingMs);
      if (attempt < maxTries) return flush(context, members, isAlone, attempt + 1);
    }
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
