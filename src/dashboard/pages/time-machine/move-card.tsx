import { useState } from 'react';
import { useData } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { TimeLine } from '../../kit/charts/time-line.tsx';
import { DateTimeField } from '../../kit/date-field.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime } from '../../kit/values.tsx';
import { useTimeWords } from '../../parts/time-words.ts';
import { stepLater, steps } from '../../shell/clock-steps.ts';
import { useWords } from '../../words/words.ts';
import { TimeFirstDocument, type TimeNextQuery } from './page.graphql';

type Deadlines = TimeNextQuery['upcomingDeadlines']['nodes'];

type MoveCardProps = {
  readonly now: string;
  readonly isActive: boolean;
  /** Next deadlines in the environment. */
  readonly deadlines: Deadlines;
  readonly target: string | null;
  readonly onTarget: (instant: string) => void;
};

/** Shows the test clock and selects its target time. The effects are simulated before the clock advances. */
export function MoveCard({ now, isActive, deadlines, target, onTarget }: MoveCardProps) {
  const words = useTimeWords();
  const [date, setDate] = useState<string | null>(null);
  const renewal = useFirst('period_end');
  const trialEnd = useFirst('trial_end');
  const isPast = date !== null && date <= now;
  return (
    <Card title={words.moveTo}>
      <Stack gap={5}>
        <Clock now={now} isActive={isActive} />
        <Ahead now={now} target={target} deadlines={deadlines} />
        <Row gap={2}>
          {steps.map((step) => (
            <Button key={step} onPress={() => onTarget(stepLater(now, step))}>
              {words.steps[step]}
            </Button>
          ))}
          <Button isDisabled={renewal === null} onPress={() => renewal !== null && onTarget(renewal)}>
            {words.nextRenewal}
          </Button>
          <Button isDisabled={trialEnd === null} onPress={() => trialEnd !== null && onTarget(trialEnd)}>
            {words.nextTrialEnd}
          </Button>
        </Row>
        <Row gap={2} align="end">
          <DateTimeField label={words.date} value={date} onChange={setDate} />
          <Button
            isDisabled={date === null || isPast}
            onPress={() => date !== null && onTarget(new Date(date).toISOString())}
          >
            {words.toDate}
          </Button>
          {isPast && (
            <Text size="sm" color="negative">
              {words.past}
            </Text>
          )}
        </Row>
      </Stack>
    </Card>
  );
}

function Clock({ now, isActive }: Pick<MoveCardProps, 'now' | 'isActive'>) {
  const words = useTimeWords();
  return (
    <Stack gap={1}>
      <Text size="sm" color="muted">
        {isActive ? words.clock : words.realTime}
      </Text>
      <Text size="xl" weight="medium">
        <DateTime at={now} />
      </Text>
      <Text size="sm" color="muted">
        {isActive ? words.frozen : words.runsWithReal}
      </Text>
    </Stack>
  );
}

const maxMarks = 8;

/** Timeline from the clock's time to the target time, with the next deadlines. */
function Ahead({ now, target, deadlines }: Pick<MoveCardProps, 'now' | 'target' | 'deadlines'>) {
  const words = useTimeWords();
  const kinds = useWords('terms').deadline;
  const until = target ?? stepLater(now, 'month');
  const seen = new Set<string>();
  const marks = deadlines.flatMap(({ dueAt, kind }) => {
    const id = `${kind} ${dueAt.slice(0, 10)}`;
    if (seen.has(id) || seen.size >= maxMarks || dueAt < now) return [];
    seen.add(id);
    const tone = kind === 'dunning_retry' ? ('warning' as const) : ('info' as const);
    return [{ id, at: dueAt, label: kinds[kind], tone }];
  });
  return <TimeLine label={words.ahead} from={now} until={until} marks={marks} />;
}

/** Returns the time of the next deadline of a type. `null` if no deadline is scheduled. */
function useFirst(kind: 'period_end' | 'trial_end'): string | null {
  const { data } = useData(TimeFirstDocument, { kind });
  return data?.upcomingDeadlines.nodes[0]?.dueAt ?? null;
}
