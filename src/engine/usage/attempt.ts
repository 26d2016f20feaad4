import { isConfirmed } from '../../authenticate.ts';
import { type App, type Context, unauthorized } from '../../context.ts';
import { UsageBook } from '../../domain/consumption/book.ts';
import type { UsageRequest } from '../../domain/consumption/record.ts';
import { type WritePart, writeTogether } from '../../infra/bulk.ts';
import { type KeyBelief, keysPart } from '../../infra/credentials.ts';
import type { Query } from '../../infra/db.ts';
import { allStoredPart, answersPart, findKeysInUse, type KeyedAnswer, type KeyRequest } from '../../infra/idempotency.ts';
import { isAboutRows } from '../../infra/savepoint.ts';
import { isLockTimeout, isUniqueViolation } from '../../infra/unique.ts';
import { type Ahead, hintEvents, inAskedTransaction, inBelievedTransaction } from '../../transaction.ts';
import { beliefPart, lockBelieved, rowsOf } from './believe.ts';
import { type Believed, keeperOf, type Recorded } from './kept.ts';
import { lateCustomers } from './late.ts';
import { writtenBefore } from './late-writes.ts';
import { readUsage, type UsageNeeds, type UsageRows, usageFactsOf } from './load.ts';
import type { Flushed, Member } from './member.ts';
import type { UsageOutcome } from './seat.ts';
import { usageParts } from './write.ts';

// One transaction that records usage (protocols A4, A5): facts are locked and read, events are decided in order of arrival, then everything is
// written together with the answers, which claims the keys. Where all it needs is kept from the one before, nothing is read: it decides at
// once, and fails where anything is otherwise by now.

/** What requests name. */
function needsOf(requests: readonly UsageRequest[]): UsageNeeds {
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
export class Undone extends Error {
  readonly members: readonly Member[];

  constructor(members: readonly Member[], cause: unknown) {
    super('An operation is undone.', { cause });
    this.members = members;
  }
}

/** Something is due for customers before usage of theirs is recorded. */
export class Behind extends Error {
  readonly customerIds: readonly string[];

  constructor(customerIds: readonly string[]) {
    super('The worker is behind.');
    this.customerIds = customerIds;
  }
}

/** What a flush decided on without reading may be otherwise by now: it is to be read. */
export class Outdated extends Error {}

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
 * How a flush goes about it: whether it looks first which of its keys are in use, or finds out when it stores the answers, since hardly any ever
 * is; whether it may decide on what is kept; how long a rival is waited for; and whom it tells whether operations are about to be executed.
 */
export type Terms = {
  readonly looksFirst: boolean;
  readonly believes: boolean;
  readonly lockTimeoutMs: number;
  readonly onBegun: (hasBegun: boolean) => void;
  /** Whether what was due has just been executed. */
  readonly isCaughtUp: boolean;
};

/** What a flush decides on: which of its keys are in use, and the rows its events name, with what is to be written about them in any case. */
type Asked = {
  readonly keysInUse: Awaited<ReturnType<typeof findKeysInUse>>;
  readonly needs: UsageNeeds;
  readonly rows: UsageRows;
  readonly conditions: readonly WritePart[];
};

const keysOf = (members: readonly Member[]): KeyRequest[] => members.flatMap(({ key }) => (key === null ? [] : [key]));

const prepared = async (members: readonly Member[]): Promise<readonly UsageRequest[]> => {
  for (const member of members) if (!member.isReady) await member.prepare();
  return members.flatMap(({ seat }) => seat.requests);
};

/** Asks for all a flush needs to know, by statements that go out together. */
const askFor =
  ({ app, environment }: Context, members: readonly Member[], { looksFirst, lockTimeoutMs, onBegun }: Terms): Ahead<Asked> =>
  async (sql, query) => {
    onBegun(false);
    const needs = needsOf(await prepared(members));
    const keys = looksFirst ? keysOf(members) : [];
    const keyTerms = { now: app.wall.now(), lockTimeoutMs };
    const looked = findKeysInUse(query, { environmentId: environment.id }, keys, keyTerms, app.secrets);
    // From the last rows on the bound holds for the table of keys.
    const [keysInUse, rows] = await Promise.all([looked, readUsage(sql, query, needs, 'record', lockTimeoutMs)]);
    onBegun(true);
    return { keysInUse, needs, rows, conditions: [] };
  };

/** The parts that store the answers under their keys. Keys are met before numbers are taken, which others wait for. */
function answerParts(tx: Context, answers: readonly KeyedAnswer[], { looksFirst, lockTimeoutMs }: Terms, isBound: boolean): WritePart[] {
  if (answers.length === 0) return [];
  const stored = answersPart(answers, { now: tx.wall.now(), lockTimeoutMs: isBound ? null : lockTimeoutMs, wereLookedUp: looksFirst });
  return looksFirst ? [stored, allStoredPart(answers)] : [stored];
}

/** The statement of the environment with which the transaction ends. */
function lastOf({ transaction, environment }: Context): Query {
  if (transaction === null) throw new Error('A flush is a transaction.');
  return (text, params = []) => transaction.last(text, [environment.id, ...params]);
}

type Written = readonly { readonly stamp?: string }[];

type Done = { readonly flushed: ReadonlyMap<Member, Flushed<unknown>>; readonly recorded: Recorded };

/**
 * Decides the operations whose keys are free, writes, and stores the answers under the keys, which claims them, as the end of the open
 * transaction. Answers what became of each. Fails with `unique_violation` for a key used before, or, where that was looked up, with
 * `division_by_zero` when a rival was first.
 */
async function decideAndWrite(tx: Context, members: readonly Member[], asked: Asked, terms: Terms): Promise<Done> {
  const { keysInUse, needs, rows, conditions } = asked;
  const late = terms.isCaughtUp ? [] : await lateCustomers(tx, rows);
  if (late.length > 0) throw new Behind(late);
  const flushed = new Map<Member, Flushed<unknown>>();
  const seated: Member[] = [];
  for (const member of members) {
    const found = member.key === null ? undefined : keysInUse.get(member.key.key);
    if (found === undefined) seated.push(member);
    else flushed.set(member, { found });
  }
  const facts = await usageFactsOf(tx, needs, rows, true);
  const book = new UsageBook(facts);
  const outcomes = seated.map(({ seat }) => decideAll(book, seat.requests));
  const partsAfter = (name: string | null): WritePart[] => {
    const usage = usageParts(book, name);
    if (usage.length > 0) hintEvents(tx);
    return [...usage, ...conditions];
  };
  let written: Promise<Written> | null = null;
  const write = async (): Promise<void> => {
    written ??= writeTogether(tx.sql, partsAfter(null));
    await written;
  };
  const seatContext = writtenBefore(tx, write);
  for (const [index, outcome] of outcomes.entries()) seated[index]?.decide(outcome, seatContext);
  const answers = await answersOf(seated).finally(() => written);
  const before = await (written as Promise<Written> | null);
  const stored = answerParts(tx, answers, terms, before === null);
  const usage = before === null ? partsAfter(stored[0]?.name ?? null) : [];
  const last = await writeTogether<Written[number]>(lastOf(tx), [...stored, ...usage]);
  for (const member of seated) {
    const ended = await member.ended;
    if ('finished' in ended) flushed.set(member, { value: ended.finished.value });
  }
  const [{ stamp = '' } = {}] = before ?? last;
  return { flushed, recorded: { needs, rows, facts, book, stamp, simulatedTime: tx.environment.simulatedTime } };
}

/** What a failure means to a flush that decided without reading: nothing of it is to be relied on but that a key or an event id is taken, or the database in trouble. */
const unread = (error: unknown): unknown =>
  isAboutRows(error) && !isUniqueViolation(error) && !isLockTimeout(error) ? new Outdated('Decided on old rows.', { cause: error }) : error;

const isPresent = <T>(value: T | null): value is T => value !== null;

/** What callers of operations were taken for without looking. */
const beliefsOf = (members: readonly Member[]): KeyBelief[] => members.map(({ belief }) => belief).filter(isPresent);

/** The parts that hold to what callers were taken for, each key once. */
function callerParts(members: readonly Member[]): WritePart[] {
  const distinct = new Map(beliefsOf(members).map((belief) => [`${belief.hash} ${belief.stamp}`, belief]));
  return distinct.size === 0 ? [] : [keysPart([...distinct.values()])];
}

/** The operations whose callers are whom they were taken for; the others end as those of unknown callers do, and nothing is done for them. */
async function confirmed(app: App, members: readonly Member[]): Promise<readonly Member[]> {
  const isKnown = await Promise.all(members.map(({ belief }) => belief === null || isConfirmed(app, belief)));
  for (const [index, member] of members.entries()) if (isKnown[index] !== true) member.fail(unauthorized(), true);
  return members.filter((_member, index) => isKnown[index]);
}

/** Reads, decides and writes. */
async function afterReading(context: Context, given: readonly Member[], terms: Terms): Promise<Done | null> {
  const members = await confirmed(context.app, given);
  if (members.length === 0) return null;
  return inAskedTransaction(context, askFor(context, members, terms), (tx, asked) => decideAndWrite(tx, members, asked, terms));
}

/** Decides and writes what is refused where anything believed is otherwise. */
async function withoutReading(
  context: Context,
  members: readonly Member[],
  needs: UsageNeeds,
  believed: Believed,
  terms: Terms,
): Promise<Done> {
  const conditions = [beliefPart(believed), ...callerParts(members)];
  const asked = { keysInUse: new Map(), needs, rows: rowsOf(believed), conditions };
  const environment = { ...context.environment, simulatedTime: believed.environment.simulatedTime };
  const lock: Ahead<void> = (sql) => lockBelieved(sql, believed, terms.lockTimeoutMs);
  const done = await inBelievedTransaction(context, environment, lock, (tx) => {
    // Begun again after operations had gone on: what they ask for may be otherwise.
    if (!members.every(({ isReady }) => isReady)) throw new Outdated('Decided before.');
    terms.onBegun(true);
    return decideAndWrite(tx, members, asked, terms);
  }).catch((error: unknown) => {
    throw unread(error);
  });
  for (const belief of beliefsOf(members)) belief.isConfirmed = true;
  return done;
}

/** Flushes operations in one transaction and settles each; throws where they cannot all be written together. */
export async function attempt(context: Context, members: readonly Member[], terms: Terms): Promise<void> {
  const requests = await prepared(members);
  const needs = needsOf(requests);
  const { believed, end } = keeperOf(context.app).borrow(context.environment.id, needs, requests, terms.believes);
  let done: Done | null = null;
  try {
    done = await (believed === null ? afterReading(context, members, terms) : withoutReading(context, members, needs, believed, terms));
  } finally {
    end(done?.recorded ?? null);
  }
  for (const [member, result] of done?.flushed ?? []) member.settle(result);
}
