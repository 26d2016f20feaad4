import { useEffect, useRef, useState } from 'react';
import { dateTimeText } from '../../../ui/format/dates.ts';
import { durationText } from '../../../ui/format/durations.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction, useLive } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Card, Stack } from '../../kit/layout.tsx';
import { Progress } from '../../kit/progress.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { Count, DateTime } from '../../kit/values.tsx';
import { useTimeWords } from '../../parts/time-words.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { TimeRunProgressDocument, TimeStopDocument } from './page.graphql';
import type { TimeRunFragment } from './run.graphql';

/** True until a run is complete, has failed or was stopped. */
export const isUnderWay = ({ status }: Pick<TimeRunFragment, 'status'>): boolean =>
  status === 'pending' || status === 'running';

/** Estimates the remaining time of a run from its progress. `null` if unknown. */
function useTimeLeft({ id, progress }: TimeRunFragment): number | null {
  const first = useRef({ id, progress, at: performance.now() });
  const [left, setLeft] = useState<number | null>(null);
  useEffect(() => {
    if (first.current.id !== id) first.current = { id, progress, at: performance.now() };
    const done = progress - first.current.progress;
    setLeft(done <= 0 ? null : ((performance.now() - first.current.at) * (1 - progress)) / done);
  }, [id, progress]);
  return left;
}

/** Shows the progress of the active run, with a button that stops it. */
export function RunCard({ run }: { readonly run: TimeRunFragment }) {
  const words = useTimeWords();
  const kit = useKit();
  useLive(TimeRunProgressDocument, { id: run.id });
  const [stop, { isRunning, error }] = useAction(TimeStopDocument);
  const [isStopping, setStopping] = useState(false);
  const left = useTimeLeft(run);
  const done = run.completedDeadlineCount + run.failedDeadlineCount;
  const all = Math.max(done, run.estimatedDeadlineCount);
  async function end(): Promise<void> {
    const result = await stop({ input: { id: run.id } });
    if (!(result instanceof ApiError)) setStopping(true);
  }
  return (
    <Card
      title={words.running({ date: dateTimeText(run.targetTime, kit) })}
      actions={
        <Button kind="danger" isPending={isRunning} isDisabled={isStopping} onPress={() => void end()}>
          {words.stop}
        </Button>
      }
    >
      <Stack gap={4}>
        <Progress label={words.run} share={run.progress} value={words.progressCount({ done, all })} />
        <FactList
          look="grid"
          items={[
            { label: words.at, value: <DateTime at={run.cursorTime} /> },
            { label: words.executed, value: <Count value={run.completedDeadlineCount} /> },
            { label: words.failed, value: <Count value={run.failedDeadlineCount} /> },
            { label: words.timeLeft, value: left === null ? '–' : durationText(left, kit.locale) },
          ]}
        />
        <Text color="muted">{isStopping ? words.stopping : words.leave}</Text>
        <Rejection error={error} />
      </Stack>
    </Card>
  );
}
