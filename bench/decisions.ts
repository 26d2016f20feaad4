import { performance } from 'node:perf_hooks';
import { systemContext } from '../src/context.ts';
import { commandOf } from '../src/domain/subscription/decision/deadline-command.ts';
import { decide } from '../src/domain/subscription/decision/decide.ts';
import { decideAndCharge, decisionDeps } from '../src/engine/charge.ts';
import { loadForSimulation, readEnvironmentTasks } from '../src/engine/preview.ts';
import { inTransaction } from '../src/transaction.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { addSubscriptions, closeWorld, openWorld, sandboxOf } from './world.ts';

/** Decisions per second on one core, without a database: of renewals alone, and of renewals whose charge is answered and decided as well. */
export type DecisionRates = { readonly alone: readonly number[]; readonly charged: readonly number[] };

/** Asks again and again for so many seconds, and answers how often a second. */
function rateOf(work: () => void, seconds: number): number {
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < seconds * 1_000; count += 100)
    for (let index = 0; index < 100; index++) work();
  return (count * 1_000) / (performance.now() - began);
}

/** Measures how fast the core decides the renewal of a paid monthly subscription, loaded once. */
export async function measureDecisions(rounds: number, seconds: number): Promise<DecisionRates> {
  const url = await createDatabase();
  const app = await openWorld(url);
  try {
    const ctx = await systemContext(app, await sandboxOf(url));
    await addSubscriptions(ctx, 'd', 1);
    const far = new Date('9999-01-01T00:00:00.000Z');
    const environmentTasks = await readEnvironmentTasks(ctx, null, far, 10);
    const due = environmentTasks.find(({ kind }) => kind === 'period_end');
    const [aggregate] = await inTransaction(ctx, (tx) => loadForSimulation(tx, environmentTasks, far));
    if (due === undefined || aggregate === undefined) throw new Error('The benchmark has nothing to renew.');
    const [command, deps] = [commandOf(due, due.dueAt), decisionDeps(ctx)];
    const alone = (): void => void decide(aggregate, command, deps);
    const charged = (): void => void decideAndCharge(app.gateways, aggregate, command, deps);
    rateOf(alone, seconds);
    const rates = Array.from(
      { length: rounds },
      () => [rateOf(alone, seconds), rateOf(charged, seconds)] as const,
    );
    return { alone: rates.map(([rate]) => rate), charged: rates.map(([, rate]) => rate) };
  } finally {
    await closeWorld(app);
    await dropDatabase(url);
  }
}
