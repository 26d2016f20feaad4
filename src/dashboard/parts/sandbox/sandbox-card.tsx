import { useState } from 'react';
import { countText } from '../../../ui/format/numbers.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction, useData, useLive } from '../../data/hooks.ts';
import { useHasRole } from '../../data/viewer.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { RadioGroup } from '../../kit/choice.tsx';
import { Card, Columns, Stack } from '../../kit/layout.tsx';
import { Progress } from '../../kit/progress.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useTimeWords } from '../time-words.ts';
import {
  ExampleLoadDocument,
  ExampleRunChangedDocument,
  type ExampleRunShownFragment,
  ExampleRunsDocument,
  SandboxResetDocument,
} from './sandbox.graphql';

const sizes = ['small', 'full'] as const;

/** Cards that load the example shop and reset the sandbox. Only admins can reset. */
export function SandboxCards({ isBusy, onDone }: { readonly isBusy: boolean; readonly onDone: () => void }) {
  const isAdmin = useHasRole('admin');
  return (
    <Columns count={2}>
      <Example isBusy={isBusy} onDone={onDone} />
      {isAdmin && <Reset isBusy={isBusy} onDone={onDone} />}
    </Columns>
  );
}

type PartProps = { readonly isBusy: boolean; readonly onDone: () => void };

/** Card that loads the example shop into the sandbox. */
export function Example({ isBusy, onDone }: PartProps) {
  const words = useTimeWords();
  const { data, refetch } = useData(ExampleRunsDocument, {});
  const [load, { isRunning, error }] = useAction(ExampleLoadDocument);
  const [size, setSize] = useState<(typeof sizes)[number]>('small');
  const run = data?.exampleRuns.nodes[0] ?? null;
  const isLoading = run?.status === 'running';
  async function fill(): Promise<void> {
    const result = await load({ input: { size } });
    if (!(result instanceof ApiError)) refetch();
  }
  return (
    <Card title={words.example}>
      <Stack gap={4}>
        <Text color="muted">{words.exampleAbout}</Text>
        {run !== null && <ExampleRun run={run} onDone={onDone} />}
        {!isLoading && (
          <>
            <RadioGroup
              label={words.exampleSize}
              value={size}
              onChange={(value) => setSize(value as (typeof sizes)[number])}
              options={sizes.map((value) => ({ value, label: words.exampleSizes[value] }))}
            />
            <div>
              <Button isPending={isRunning} isDisabled={isBusy} onPress={() => void fill()}>
                {words.exampleLoad}
              </Button>
            </div>
          </>
        )}
        <Rejection error={error} />
      </Stack>
    </Card>
  );
}

function ExampleRun({ run, onDone }: { readonly run: ExampleRunShownFragment; readonly onDone: () => void }) {
  const words = useTimeWords();
  const { locale } = useKit();
  const number = (value: number) => countText(value, locale);
  useLive(
    ExampleRunChangedDocument,
    { id: run.id },
    ({ exampleRunChanged: { status } }) => status !== 'running' && onDone(),
    { isPaused: run.status !== 'running' },
  );
  if (run.status === 'completed') return <Callout tone="positive">{words.exampleDone}</Callout>;
  if (run.error !== null)
    return (
      <Callout tone="negative">
        {words.exampleFailed({ step: number(run.error.step), message: run.error.message })}
      </Callout>
    );
  return (
    <Progress
      label={words.exampleRunning}
      share={run.progress}
      value={words.exampleSteps({ done: run.completedSteps, all: run.totalSteps })}
    />
  );
}

function Reset({ isBusy, onDone }: PartProps) {
  const words = useTimeWords();
  const [isAsking, setAsking] = useState(false);
  return (
    <Card title={words.reset}>
      <Stack gap={4}>
        <Text color="muted">{words.resetAbout}</Text>
        <div>
          <Button kind="danger" isDisabled={isBusy} onPress={() => setAsking(true)}>
            {words.reset}
          </Button>
        </div>
        {isAsking && (
          <AskDialog
            document={SandboxResetDocument}
            input={{ confirm: true }}
            title={words.resetTitle}
            texts={[words.resetText]}
            confirm={words.reset}
            typedName={words.resetName}
            done={words.resetDone}
            onDone={onDone}
            onClose={() => setAsking(false)}
          />
        )}
      </Stack>
    </Card>
  );
}
