import { definitionOf } from '../src/domain/subscription/decision/command.ts';
import { commandOf } from '../src/domain/subscription/decision/deadline-command.ts';
import { decide } from '../src/domain/subscription/decision/decide.ts';
import { Draft } from '../src/domain/subscription/state/draft.ts';
import { decideAndCharge, decisionDeps } from '../src/engine/charge.ts';
import { loadForSimulation, readEnvironmentTasks } from '../src/engine/preview/preview.ts';
import { systemContext } from '../src/request/context.ts';
import { inTransaction } from '../src/request/transaction.ts';
import { createDatabase, dropDatabase } from './database.ts';
import { addSubscriptions, closeWorld, openWorld, sandboxOf } from './world.ts';

/**
 * Renewal decisions per second on one core, without a database. `alone` measures only the decision. `unrecorded` excludes the calculation
 * of recurring revenue. `charged` includes the charge and its result.
 */
export type DecisionRates = {
  readonly alone: readonly number[];
  readonly unrecorded: readonly number[];
  readonly charged: readonly number[];
};

/** Returns the CPU seconds of this process, which don't depend on other load on the machine. */
const computing = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
};

/** Repeats the work for a number of CPU seconds. Returns the number of executions per second. */
function rateOf(work: () => void, seconds: number): number {
  const began = computing();
  let count = 0;
  for (; computing() - began < seconds; count += 100) for (let index = 0; index < 100; index++) work();
  return count / (computing() - began);
}

/** Measures the number of renewal decisions per second for a paid monthly subscription. The subscription is loaded once. */
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
    if (due === undefined || aggregate === undefined)
      throw new Error('The benchmark found no renewal to execute.');
    const [command, deps] = [commandOf(due, due.dueAt), decisionDeps(ctx)];
    const alone = (): void => void decide(aggregate, command, deps);
    const unrecorded = (): void =>
      void definitionOf(command).decide(new Draft(aggregate, command, deps), command);
    const charged = (): void => void decideAndCharge(app.gateways, aggregate, command, deps);
    rateOf(alone, seconds);
    rateOf(unrecorded, seconds);
    const rates = Array.from({ length: rounds }, () => ({
      alone: rateOf(alone, seconds),
      unrecorded: rateOf(unrecorded, seconds),
      charged: rateOf(charged, seconds),
    }));
    const of = (name: keyof DecisionRates): number[] => rates.map((round) => round[name]);
    return { alone: of('alone'), unrecorded: of('unrecorded'), charged: of('charged') };
  } finally {
    await closeWorld(app);
    await dropDatabase(url);
  }
}
