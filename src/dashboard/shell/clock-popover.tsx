import { type RefObject, useState } from 'react';
import { addressOf } from '../address.ts';
import { ApiError } from '../data/api-error.ts';
import { ClockAdvanceDocument } from '../data/clock.graphql';
import { useAction } from '../data/hooks.ts';
import { Button } from '../kit/button.tsx';
import { DateTimeField } from '../kit/date-field.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { PopoverSurface } from '../kit/popover-surface.tsx';
import { Text } from '../kit/text.tsx';
import { DateTime } from '../kit/values.tsx';
import { openAddress } from '../router-address.ts';
import { useWords } from '../words/words.ts';
import { stepLater } from './clock-steps.ts';
import { useErrorText } from './error-text.ts';
import { notify } from './notices.ts';

const shortSteps = ['day', 'week', 'month'] as const;

type ClockPopoverProps = {
  readonly now: string;
  readonly isUnderWay: boolean;
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onStarted: () => void;
};

/** Selects a time, and simulates the charges until then or advances the test clock. A shortcut only fills in the time. */
export default function ClockPopover({ now, isUnderWay, onStarted, ...surface }: ClockPopoverProps) {
  const words = useWords('shell').clock;
  const textOf = useErrorText();
  const [target, setTarget] = useState<string | null>(null);
  const [advance, { isRunning }] = useAction(ClockAdvanceDocument);
  const isReady = target !== null && Date.parse(target) > Date.parse(now) && !isUnderWay;

  async function start(): Promise<void> {
    if (target === null) return;
    const result = await advance({ input: { frozenTime: new Date(target).toISOString() } });
    if (result instanceof ApiError)
      return notify(textOf(result), { tone: 'negative', requestId: result.requestId });
    setTarget(null);
    surface.onClose();
    onStarted();
  }

  return (
    <PopoverSurface label={words.title} placement="bottom end" {...surface}>
      <Stack gap={3}>
        <Stack gap={0}>
          <Text weight="medium">{words.title}</Text>
          <Text size="sm" color="muted">
            {words.now} <DateTime at={now} />
          </Text>
        </Stack>
        <Row gap={1}>
          {shortSteps.map((step) => (
            <Button key={step} size="sm" onPress={() => setTarget(stepLater(target ?? now, step))}>
              {words.steps[step]}
            </Button>
          ))}
        </Row>
        <DateTimeField label={words.until} value={target} onChange={setTarget} />
        <Text size="sm" color="muted">
          {isUnderWay ? words.underWay : words.help}
        </Text>
        <Row gap={2} justify="end">
          <Button isDisabled={!isReady} isPending={isRunning} onPress={() => void start()}>
            {words.advance}
          </Button>
          <Button
            kind="primary"
            isDisabled={!isReady}
            onPress={() => {
              if (target === null) return;
              surface.onClose();
              openAddress(addressOf('timeMachine', null, { to: new Date(target).toISOString() }));
            }}
          >
            {words.simulate}
          </Button>
        </Row>
      </Stack>
    </PopoverSurface>
  );
}
