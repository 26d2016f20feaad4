import { type Context, type Journal, RequestContext } from '../context.ts';
import { QuittanceError } from '../domain/errors.ts';
import { OutsideCallError } from '../engine/commit.ts';
import { joinFlush } from '../engine/usage/flush.ts';
import { FlushError } from '../engine/usage/member.ts';
import type { Access } from '../graphql/access.ts';
import { isTemporary } from '../graphql/errors.ts';
import {
  type Claim,
  claimKey,
  isStorageFree,
  type KeyHome,
  leaveProgress,
  noteProgress,
  releaseKey,
  storeAnswer,
} from '../infra/idempotency.ts';
import { isLockTimeout } from '../infra/unique.ts';
import { inEnvelope } from '../transaction.ts';
import type { Answer } from './answer.ts';

/** One use of an idempotency key. */
export type KeyUse = {
  readonly home: KeyHome;
  readonly key: string;
  readonly fingerprint: string;
  /** True where the answer holds a secret and is stored encrypted. */
  readonly isSecret: boolean;
  /** True where the operation calls the outside world and so cannot run inside a transaction. */
  readonly isOutside: boolean;
  /** True where the operation records usage, which it does together with others. */
  readonly isFlushed: boolean;
};

/** Answers that are kept are definite: success and refusals the same request would meet again. The others release the key. */
const isKept = (status: number): boolean => status < 500 && status !== 401 && status !== 403 && status !== 429;

/** Undoes the envelope and carries the answer out of it. Its cause lets the database see a deadlock, which is tried again. */
class Released extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super('The key is released.', { cause: answer.cause });
    this.answer = answer;
  }
}

const inProgress = (): QuittanceError =>
  new QuittanceError('idempotency_in_progress', 'The first request with this idempotency key is still running; try again in a moment.');

const unavailable = (isOutcomeKnown: boolean): QuittanceError =>
  new QuittanceError(
    'idempotency_unavailable',
    isOutcomeKnown
      ? 'The store of idempotency keys cannot be used at the moment; nothing was executed. Retry with the same key.'
      : 'The connection to the store of idempotency keys was lost at the end; the outcome is unknown. Retry with the same key.',
  );

/** Requests of this process by home and key: a rival waits here instead of holding a database connection. */
const running = new Map<string, Promise<void>>();

/** Waits until no request of this process uses the key, up to `timeoutMs` in all. Throws `idempotency_in_progress`. */
async function waitForRival(id: string, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
  });
  try {
    for (let rival = running.get(id); rival !== undefined; rival = running.get(id)) {
      if ((await Promise.race([rival, timeout])) === 'late') throw inProgress();
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Leaves the envelope without a trace: the operation has to be done between two transactions instead. */
class OutsideError extends Error {
  override name = 'OutsideError';
}

/** The stored answer; or what an earlier execution left under way; neither where the operation is to be executed. */
type Claimed = { readonly answer: Answer } | { readonly left: readonly string[] | null };

/** Claims the key in the open transaction of `context`. */
async function claim({ app, transaction, wall }: Context, use: KeyUse): Promise<Claimed> {
  if (transaction === null) throw new Error('A key is claimed in a transaction.');
  const request = { ...use, now: wall.now(), lockTimeoutMs: app.config.idempotencyLockTimeoutMs };
  const found = await claimKey(transaction.query, use.home, request, app.secrets);
  if (found.state === 'claimed') return { left: null };
  if (found.state !== 'left') return { answer: answerFound(found) };
  // It is running again; whoever comes meanwhile waits.
  await noteProgress(transaction.query, use.home, use.key, found.ids, wall.now());
  return { left: found.ids };
}

/** The stored answer of a key that is not free. Throws `idempotency_in_progress` and `idempotency_key_mismatch`. */
function answerFound(found: Exclude<Claim, { readonly state: 'claimed' }>): Answer {
  if (found.state === 'answered') return found.answer;
  // What was left under way is met by the operations alone that leave it.
  if (found.state === 'running' || found.state === 'left') throw inProgress();
  throw new QuittanceError('idempotency_key_mismatch', 'This idempotency key was used with another method, path or body.');
}

/** What a failure around a key means to the client: rivals, storage that cannot be used, or what the operation threw. */
async function explained(context: Context, { home }: KeyUse, error: unknown, hasBegun: boolean): Promise<unknown> {
  const { app } = context;
  if (error instanceof QuittanceError) return error;
  if (hasBegun) return isTemporary(error) ? unavailable(false) : error;
  if (isLockTimeout(error) && (await app.database.transaction(({ query }) => isStorageFree(query, home)).catch(() => false)))
    return inProgress();
  context.log.warn({ err: error }, 'The store of idempotency keys cannot be used.');
  return unavailable(true);
}

/** Claims, works and stores the answer in one transaction. */
async function claimAndWork(context: Context, use: KeyUse, work: (context: Context) => Promise<Answer>): Promise<Answer> {
  const { app } = context;
  let hasBegun = false;
  try {
    return await inEnvelope(context, async (envelope) => {
      hasBegun = false;
      const query = envelope.transaction?.query;
      if (query === undefined) throw new Error('An envelope has a transaction.');
      const claimed = await claim(envelope, use);
      if ('answer' in claimed) return claimed.answer;
      if (claimed.left !== null) throw new OutsideError();
      hasBegun = true;
      const answer = await work(envelope);
      if (answer.cause instanceof OutsideCallError) throw new OutsideError();
      if (!isKept(answer.status)) throw new Released(answer);
      await storeAnswer(query, use.home, use.key, answer, use.isSecret ? app.secrets : null);
      return answer;
    });
  } catch (error) {
    if (error instanceof Released) return error.answer;
    if (error instanceof OutsideError) throw error;
    throw await explained(context, use, error, hasBegun);
  }
}

/** Runs `work` with a journal under the key, which belongs to this one operation; tells whether anything of it is under way. */
async function withJournal(
  context: Context,
  use: KeyUse,
  left: readonly string[] | null,
  work: (context: Context) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly isNoted: boolean }> {
  if (!(context instanceof RequestContext)) throw new Error('A key belongs to a request.');
  let isNoted = left !== null;
  const note: Journal['note'] = async (query, ids) => {
    isNoted = true;
    await noteProgress(query, use.home, use.key, ids, context.wall.now());
  };
  context.journal = { left, note };
  try {
    return { answer: await work(context), isNoted };
  } finally {
    context.journal = null;
  }
}

/** Whether the answer only says that the operation's own charge has none yet: the same request waits for that one, and gets its answer. */
const isUnfinished = ({ cause }: Answer): boolean => cause instanceof QuittanceError && cause.code === 'charge_in_progress';

/**
 * Claims the key, works outside any transaction, and stores the answer or gives the key back, each in a transaction of its own. A process that
 * dies in between leaves a claim that counts as a running request until its lease ends. Then the same request is executed again, or, where the
 * operation had written something already, goes on with what that left under way (protocols A4).
 */
async function workBetween(context: Context, use: KeyUse, work: (context: Context) => Promise<Answer>): Promise<Answer> {
  const { app } = context;
  let hasBegun = false;
  try {
    const claimed = await inEnvelope(context, (envelope) => claim(envelope, use));
    if ('answer' in claimed) return claimed.answer;
    hasBegun = true;
    const { answer, isNoted } = await withJournal(context, use, claimed.left, work);
    await app.database.transaction(({ query }) => {
      if (isNoted && isUnfinished(answer)) return leaveProgress(query, use.home, use.key, context.wall.now());
      if (!isKept(answer.status)) return releaseKey(query, use.home, use.key);
      return storeAnswer(query, use.home, use.key, answer, use.isSecret ? app.secrets : null);
    });
    return answer;
  } catch (error) {
    throw await explained(context, use, error, hasBegun);
  }
}

/** Works in one transaction, or, where that turns out to need the outside world, between two. */
async function workOnce(context: Context, use: KeyUse, work: (context: Context) => Promise<Answer>): Promise<Answer> {
  try {
    return await claimAndWork(context, use, work);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    return workBetween(context, use, work);
  }
}

/** Claims, works and stores the answer in the transaction of a flush, together with what else records usage at the time. */
async function workInFlush(context: Context, use: KeyUse, work: (context: Context) => Promise<Answer>): Promise<Answer> {
  try {
    const flushed = await joinFlush(context, {
      key: use,
      work: async (seat) => {
        const answer = await work(seat);
        const isUndone = !isKept(answer.status);
        return { value: answer, stored: isUndone ? null : answer, isUndone, cause: answer.cause };
      },
    });
    return 'found' in flushed ? answerFound(flushed.found) : flushed.value;
  } catch (error) {
    throw error instanceof FlushError ? await explained(context, use, error.cause, error.hasBegun) : error;
  }
}

const wayOf = (use: KeyUse): typeof workInFlush => (use.isFlushed ? workInFlush : use.isOutside ? workBetween : workOnce);

/**
 * Answers a request that carries an idempotency key: the stored answer when there is one, else that of `work`, which runs in one transaction with
 * the record of it, or between two when it calls the outside world, or in that of a flush when it records usage (protocols A4). Everything `work` wrote is undone when its answer is not kept: 401, 403, 429 and 5xx release the key.
 * Throws `idempotency_in_progress`, `idempotency_key_mismatch` and `idempotency_unavailable`; then nothing was executed.
 */
export async function answerOnce(context: Context, use: KeyUse, work: (context: Context) => Promise<Answer>): Promise<Answer> {
  const id = `${'operation' in use.home ? use.home.operation : use.home.environmentId} ${use.key}`;
  if (running.has(id)) await waitForRival(id, context.app.config.idempotencyLockTimeoutMs);
  const answer = wayOf(use)(context, use, work);
  const finished = answer.then(
    () => undefined,
    () => undefined,
  );
  running.set(id, finished);
  try {
    return await answer;
  } finally {
    if (running.get(id) === finished) running.delete(id);
  }
}

const unacceptableKey = (message: string): QuittanceError =>
  new QuittanceError('validation_error', `Idempotency-Key: ${message}.`, {
    param: 'Idempotency-Key',
    details: [{ field: 'Idempotency-Key', message }],
  });

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The idempotency key of a request, or null when it sends none. Throws `validation_error` outside 1 to 200 characters. */
export function idempotencyKeyOf(headers: Pick<Headers, 'get'>): string | null {
  const key = headers.get('idempotency-key');
  if (key === null) return null;
  if (key.length >= 1 && key.length <= 200) return key;
  throw unacceptableKey('must have 1 to 200 characters');
}

/** The idempotency key of a request that must send one, for lack of another way to tell its caller. Throws `validation_error` without a UUID (PLT-15). */
export function requiredKeyOf(headers: Pick<Headers, 'get'>): string {
  const key = headers.get('idempotency-key');
  if (key === null || !uuid.test(key)) throw unacceptableKey('a UUID is required');
  return key.toLowerCase();
}

/** Where the keys of an operation's callers are kept; null when it has neither callers with an environment nor keys of its own. */
export function homeOf(context: RequestContext, access: Access, operation: string): KeyHome | null {
  if ('anonymous' in access) return access.isKeyed === true ? { operation } : null;
  // What people do with organizations belongs to none of their environments.
  if ('person' in access || 'member' in access) return null;
  return context.isAuthenticated ? { environmentId: context.environment.id } : null;
}
