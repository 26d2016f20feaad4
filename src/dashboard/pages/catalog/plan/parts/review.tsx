import { useState } from 'react';
import type { ApiError } from '../../../../data/api-error.ts';
import { useData } from '../../../../data/hooks.ts';
import { Button } from '../../../../kit/button.tsx';
import { Callout } from '../../../../kit/callout.tsx';
import { Grow, Stack } from '../../../../kit/layout.tsx';
import { Sheet } from '../../../../kit/sheet.tsx';
import { Text } from '../../../../kit/text.tsx';
import type { Interval } from '../../../../parts/catalog/model/plan-draft.ts';
import type { Step } from '../../../../parts/catalog/model/step.ts';
import { Rejection } from '../../../../parts/catalog/rejection.tsx';
import { useCommands } from '../../../../parts/catalog/use-commands.ts';
import { useWords } from '../../../../words/words.ts';
import { CatalogPlanSubscribersDocument } from '../page.graphql';
import type { Surroundings } from './catalog-objects.ts';
import { ChangeTable } from './change-table.tsx';

type ReviewProps = {
  readonly steps: readonly Step[];
  readonly planId: string;
  readonly surroundings: Surroundings;
  readonly onClose: () => void;
  readonly onDone: () => void;
  readonly onStopped: () => void;
};

/**
 * Shows the changes to a plan before they are saved: old and new values, affected subscribers, and when the changes take effect. Saving sends one
 * command per change, in order.
 */
export function Review({ steps, planId, surroundings, onClose, onDone, onStopped }: ReviewProps) {
  const { review: words } = useWords('plan');
  const common = useWords('catalog');
  const { data } = useData(CatalogPlanSubscribersDocument, { planIds: [planId] });
  const run = useCommands();
  const [sent, setSent] = useState<number | null>(null);
  const [stopped, setStopped] = useState<{
    readonly done: number;
    readonly of: number;
    readonly error: ApiError;
  } | null>(null);
  const count = steps.reduce((sum, { lines }) => sum + lines.length, 0);
  const subscribers = (interval: Interval | null): number | null => {
    if (data === null) return null;
    const counts = { ...data, one_time: { totalCount: { value: 0 } } };
    if (interval !== null) return counts[interval].totalCount.value;
    return (
      data.weekly.totalCount.value +
      data.monthly.totalCount.value +
      data.quarterly.totalCount.value +
      data.yearly.totalCount.value
    );
  };
  const send = async () => {
    setSent(0);
    setStopped(null);
    const { done, error } = await run(steps, setSent);
    setSent(null);
    if (error === null) return onDone();
    setStopped({ done, of: steps.length, error });
    onStopped();
  };
  return (
    <Sheet
      isOpen
      size="lg"
      onClose={onClose}
      title={words.title}
      subtitle={words.text}
      actions={
        <>
          <Grow>
            {sent !== null && (
              <Text color="muted">
                <span role="status">{words.sending({ done: sent, of: steps.length })}</span>
              </Text>
            )}
          </Grow>
          <Button onPress={onClose}>{common.verbs.cancel}</Button>
          <Button kind="primary" isPending={sent !== null} onPress={() => void send()}>
            {words.send({ count })}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <ChangeTable planId={planId} steps={steps} surroundings={surroundings} subscribers={subscribers} />
        {stopped !== null && (
          <Callout tone="warning" title={words.stopped({ done: stopped.done, of: stopped.of })}>
            <Rejection error={stopped.error} />
          </Callout>
        )}
      </Stack>
    </Sheet>
  );
}
