import { QuittanceError } from '../domain/errors/errors.ts';
import {
  leaveProgress,
  noteProgress,
  type Progress,
  releaseKey,
  storeAnswer,
} from '../platform/idempotency.ts';
import { type Context, RequestContext } from '../request/context.ts';
import type { ResumeLog } from '../request/resume-log.ts';
import { inOuterTransaction } from '../request/transaction.ts';
import { type Answer, isFinal } from './answer.ts';
import { claim } from './claim.ts';
import { explained } from './errors.ts';
import type { KeyUse } from './key.ts';

/** Runs `work` with a resume log for its key. Also returns whether the log contains unfinished work. */
async function withResumeLog(
  ctx: Context,
  use: KeyUse,
  left: Progress | null,
  work: (ctx: Context) => Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly isNoted: boolean }> {
  if (!(ctx instanceof RequestContext)) throw new Error('A key belongs to a request.');
  let isNoted = left !== null;
  let command = 0;
  const note: ResumeLog['note'] = async (query, ids) => {
    isNoted = true;
    await noteProgress(query, use.scope, use.key, { command, ids }, ctx.wall.now());
  };
  ctx.resumeLog = {
    get left() {
      return left !== null && command <= left.command ? left.ids : null;
    },
    note,
    next: () => {
      command++;
    },
  };
  try {
    return { answer: await work(ctx), isNoted };
  } finally {
    ctx.resumeLog = null;
  }
}

/** True if the operation's own charge is still pending. A retry of the request then waits for the result of the charge. */
const isUnfinished = ({ cause }: Answer): boolean =>
  cause instanceof QuittanceError && cause.code === 'charge_in_progress';

/**
 * Claims the key in a first transaction, runs the operation outside any transaction, and stores the response or releases the key in a last
 * transaction. If the process crashes in between, the key stays claimed until its lease expires. A retry then executes the operation again,
 * or resumes the operation if it has already written data.
 */
export async function aroundProviderCall(
  ctx: Context,
  use: KeyUse,
  work: (ctx: Context) => Promise<Answer>,
): Promise<Answer> {
  const { app } = ctx;
  let hasBegun = false;
  try {
    const claimed = await inOuterTransaction(ctx, (outer) => claim(outer, use));
    if ('answer' in claimed) return claimed.answer;
    hasBegun = true;
    const { answer, isNoted } = await withResumeLog(ctx, use, claimed.left, work);
    await app.database.transaction(({ query }) => {
      if (isNoted && isUnfinished(answer)) return leaveProgress(query, use.scope, use.key, ctx.wall.now());
      if (!isFinal(answer)) return releaseKey(query, use.scope, use.key);
      return storeAnswer(query, use.scope, use.key, answer, use.isSecret ? app.secrets : null);
    });
    return answer;
  } catch (error) {
    throw await explained(ctx, use, error, hasBegun);
  }
}
