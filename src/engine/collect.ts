import pLimit from 'p-limit';
import type { AttemptRow } from '../domain/subscription/payments/charge-attempt.ts';
import type { Context } from '../request/context.ts';
import { inTransaction } from '../request/transaction.ts';
import { postpone } from './attempts.ts';
import { type Answer, applyResults, callGateway, type ProviderCall } from './settle.ts';

/**
 * Splits results into two lists: the first result for each customer, which can be applied in one transaction,
 * and all other results.
 */
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

/**
 * Applies results in one transaction. If that fails, applies each result separately, so that a failing result doesn't
 * affect other results. The worker later inquires about the attempts of failed results.
 */
async function take(ctx: Context, answers: readonly Answer[]): Promise<void> {
  try {
    await applyResults(ctx, answers);
  } catch (error) {
    const [only, ...more] = answers;
    if (only === undefined) return;
    if (more.length > 0) {
      for (const answer of answers) await take(ctx, [answer]);
      return;
    }
    ctx.log.error(
      { err: error, attempt: only.attempt.id },
      'The result from a gateway could not be applied.',
    );
    await inTransaction(ctx, (tx) => postpone(tx, [only.attempt.id]));
  }
}

/** Applies known results. Results for different customers share a transaction. */
export async function applyKnownResults(ctx: Context, answers: readonly Answer[]): Promise<void> {
  for (let waiting = answers; waiting.length > 0; ) {
    const { first, others } = oncePerCustomer(waiting);
    waiting = others;
    await take(ctx, first);
  }
}

/**
 * Sends attempts to providers with limited concurrency, and applies the results in groups as they arrive.
 * Attempts that haven't started when `goesOn` returns false remain unchanged.
 */
export async function collect(
  ctx: Context,
  attempts: readonly AttemptRow[],
  question: ProviderCall,
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
    const result = await callGateway(ctx, attempt, question);
    answered.push({ attempt, result });
    taking = taking.then(takeAll);
    // Prevents an unhandled rejection until the error is handled below.
    taking.catch(() => undefined);
  });
  await taking;
}
