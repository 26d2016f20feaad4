import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import type { EditorProblem } from '../../kit/editor/problems.ts';
import { Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { EmptyState } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { Count } from '../../kit/values.tsx';
import { useErrorText } from '../../shell/error-text.ts';
import { useWords } from '../../words/words.ts';
import type { LocatedError, Outcome } from './use-run.ts';

const Json = lazyPart(() => import('../../kit/json.tsx').then((module) => module.Json));

type ResultProps = {
  readonly outcome: Outcome | null;
  readonly isRunning: boolean;
  /** Called with the position of an error in the document. */
  readonly onPlace: (place: EditorProblem) => void;
};

/** Shows a response: errors with their positions, duration, cost, and the data as a tree. */
export function Result({ outcome, isRunning, onPlace }: ResultProps) {
  const words = useWords('explorer');
  const textOf = useErrorText();
  if (outcome === null) return <EmptyState title={words.notRun}>{words.notRunText}</EmptyState>;
  const { kind, answers, errors, milliseconds, cost, failure } = outcome;
  const isLive = kind === 'subscription';
  return (
    <Stack gap={3}>
      <div role="status">
        <Row gap={4}>
          {milliseconds !== null && (
            <Text color="muted">{words.took({ milliseconds: Math.round(milliseconds) })}</Text>
          )}
          {cost !== null && (
            <Text color="muted">
              {words.cost} <Count value={cost} />
            </Text>
          )}
          {isLive && (
            <Text color="muted">
              {isRunning
                ? words.following({ count: answers[0]?.number ?? 0 })
                : words.ended({ count: answers[0]?.number ?? 0 })}
            </Text>
          )}
        </Row>
      </div>
      {failure !== null && <Callout tone="negative">{textOf(failure)}</Callout>}
      {errors.map((error, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: errors of one answer have no names.
        <ErrorLine key={index} error={error} onPlace={onPlace} />
      ))}
      {answers.map(({ number, value }) => (
        <Json key={number} label={words.answer} value={value} foldFrom={isLive ? 2 : 5} hasSearch={!isLive} />
      ))}
    </Stack>
  );
}

type ErrorLineProps = { readonly error: LocatedError; readonly onPlace: (place: EditorProblem) => void };

function ErrorLine({ error: { message, locations = [], path, extensions }, onPlace }: ErrorLineProps) {
  const words = useWords('explorer');
  return (
    <Callout tone="negative">
      <Stack gap={1} align="start">
        <Text>{message}</Text>
        <Row gap={2}>
          <Text code size="sm">
            {String(extensions?.['code'] ?? '')}
          </Text>
          {path !== undefined && (
            <Text code size="sm">
              {path.join('.')}
            </Text>
          )}
          {locations.map(({ line, column }) => (
            <Button
              key={`${line}:${column}`}
              kind="quiet"
              size="sm"
              onPress={() => onPlace({ line, column, message })}
            >
              {words.place({ line, column })}
            </Button>
          ))}
        </Row>
      </Stack>
    </Callout>
  );
}
