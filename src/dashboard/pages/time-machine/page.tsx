import { useEffect, useState } from 'react';
import { useAddressSearch } from '../../address.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction, useData } from '../../data/hooks.ts';
import { Card, Stack } from '../../kit/layout.tsx';
import { Page } from '../../kit/page.tsx';
import { Loading } from '../../kit/states.tsx';
import { SandboxCards } from '../../parts/sandbox/sandbox-card.tsx';
import { useTimeWords } from '../../parts/time-words.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { MoveCard } from './move-card.tsx';
import {
  TimeAdvanceDocument,
  TimeAheadDocument,
  TimeMachineDocument,
  type TimeMachineQuery,
  TimeNextDocument,
} from './page.graphql';
import { isUnderWay, RunCard } from './run-card.tsx';
import { RunResult } from './run-result.tsx';
import { RunsCard } from './runs-card.tsx';
import { type Simulation, SimulationCard } from './simulation.tsx';
import { keepSimulation } from './simulations.ts';
import { Ahead, daysAhead } from './upcoming-deadlines.tsx';

/** Page that simulates advancing the test clock, and then advances it. */
export default function TimeMachinePage() {
  const title = useWords('titles').timeMachine;
  const words = useTimeWords();
  const { data, error, refetch } = useData(TimeMachineDocument, {});
  return (
    <Page title={title} subtitle={words.about}>
      {error !== null && data === null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={8} />}
      {data !== null && <Machine clock={data.testClock} onChanged={refetch} />}
    </Page>
  );
}

type MachineProps = {
  readonly clock: TimeMachineQuery['testClock'];
  readonly onChanged: () => void;
};

/** Returns the target time in the URL. `null` if it isn't in the future. */
const reachable = (target: string | undefined, now: string): string | null =>
  target !== undefined && !Number.isNaN(Date.parse(target)) && Date.parse(target) > Date.parse(now)
    ? target
    : null;

function Machine({ clock, onChanged }: MachineProps) {
  const words = useTimeWords();
  const [search, change] = useAddressSearch();
  const ahead = useData(TimeAheadDocument, { days: daysAhead });
  const next = useData(TimeNextDocument, {});
  const [advance, { isRunning, error }] = useAction(TimeAdvanceDocument);
  const [started, setStarted] = useState<string | null>(null);
  const { latestRun: run, now } = clock;
  const state = `${run?.id ?? ''} ${run?.status ?? ''} ${clock.isActive}`;
  const [refetchAhead, refetchNext] = [ahead.refetch, next.refetch];
  // biome-ignore lint/correctness/useExhaustiveDependencies: what lies ahead is another after each run.
  useEffect(() => {
    refetchAhead();
    refetchNext();
  }, [state, refetchAhead, refetchNext]);
  const moving = run !== null && isUnderWay(run);
  const target = reachable(search['to'], now);
  const changed = () => {
    onChanged();
    refetchAhead();
    refetchNext();
  };
  async function start(simulation: Simulation | null): Promise<void> {
    if (target === null) return;
    const result = await advance({ input: { frozenTime: target } });
    if (result instanceof ApiError) return;
    const { id } = result.testClockAdvance;
    if (simulation !== null) keepSimulation(id, simulation.totals);
    setStarted(id);
    change({ to: undefined });
    onChanged();
  }
  return (
    <Stack gap={5}>
      {moving ? (
        <RunCard run={run} />
      ) : (
        <MoveCard
          now={now}
          isActive={clock.isActive}
          deadlines={next.data?.upcomingDeadlines.nodes ?? []}
          target={target}
          onTarget={(to) => change({ to })}
        />
      )}
      {!moving && target !== null && (
        <SimulationCard
          until={target}
          isStarting={isRunning}
          rejection={error}
          onAdvance={(simulation) => void start(simulation)}
          onDiscard={() => change({ to: undefined })}
        />
      )}
      {!moving && target === null && run !== null && run.id === started && (
        <Card title={words.result}>
          <RunResult id={run.id} />
        </Card>
      )}
      {next.data !== null && (
        <Ahead now={now} days={ahead.data?.upcomingDeadlineDays ?? []} next={next.data} />
      )}
      {next.data === null && next.error === null && <Loading lines={24} />}
      {(next.data !== null || next.error !== null) && <RunsCard changed={state} />}
      {(next.data !== null || next.error !== null) && <SandboxCards isBusy={moving} onDone={changed} />}
    </Stack>
  );
}
