import pLimit from 'p-limit';
import type { Context } from '../context.ts';
import type { AttemptRow } from '../domain/attempt.ts';
import { inTransaction } from '../transaction.ts';
import { postpone } from './attempts.ts';
import { type Answer, askGateway, type Question, takeAnswers } from './settle.ts';

/** The first answers of each customer, which one transaction takes, and the others. */
function oncePerCustomer(answers: readonly Answer[]): { first: Answer[]; others: Answer[] } {
  const seen = new Set<string>();
  const [first, others]: [Answer[], Answer[]] = [[], []];
  for (const answer of answers) {
    const { customerId } = answer.attempt;
    (seen.has(customerId) ? others : first).push(answer);
    seen.add(customerId);
  }
  return { first, others };
}

/** Takes answers together; where that fails, one by one, so that one in trouble leaves the others alone. It is inquired about again. */
async function take(ctx: Context, answers: readonly Answer[]): Promise<void> {
  try {
    await takeAnswers(ctx, answers);
  } catch (error) {
    const [only, ...more] = answers;
    if (only === undefined) return;
    if (more.length > 0) {
      for (const answer of answers) await take(ctx, [answer]);
      return;
    }
    ctx.log.error({ err: error, attempt: only.attempt.id }, 'The answer of a gateway could not be taken in.');
    await inTransaction(ctx, (tx) => postpone(tx, [only.attempt.id]));
  }
}

/** Takes answers that are there already, together as far as they are of different customers. */
export async function takeKnown(ctx: Context, answers: readonly Answer[]): Promise<void> {
  for (let waiting = answers; waiting.length > 0; ) {
    const { first, others } = oncePerCustomer(waiting);
    waiting = others;
    await take(ctx, first);
  }
}

/**
 * Calls providers about attempts, as many at a time as the settings allow, and applies the answers as they come, as many together as there
 * are. Attempts not asked about by the time `goesOn` says no stay as they are.
 */
export async function collect(
  ctx: Context,
  attempts: readonly AttemptRow[],
  question: Question,
  goesOn: () => boolean = () => true,
): Promise<void> {
  let answered: Answer[] = [];
  let taking = Promise.resolve();
  const takeAll = async (): Promise<void> => {
    while (answered.length > 0) {
      const { first, others } = oncePerCustomer(answered);
      answered = others;
      await take(ctx, first);
    }
  };
  await pLimit(ctx.app.config.chargeConcurrency).map(attempts, async (attempt) => {
    if (!goesOn()) return;
    const result = await askGateway(ctx, attempt, question);
    answered.push({ attempt, result });
    taking = taking.then(takeAll);
    // Its failure is met below; until then it must not count as unhandled.
    taking.catch(() => undefined);
  });
  await taking;
}
