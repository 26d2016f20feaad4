import { useState } from 'react';
import { Button } from '../../../../kit/button.tsx';
import { Row } from '../../../../kit/layout.tsx';
import { lazyPart } from '../../../../kit/lazy-part.tsx';
import { StickyBar } from '../../../../kit/sticky-bar.tsx';
import { Text } from '../../../../kit/text.tsx';
import { useUnsavedWork } from '../../../../kit/unsaved-work.ts';
import type { Step } from '../../../../parts/catalog/model/step.ts';
import { useWords } from '../../../../words/words.ts';
import type { Surroundings } from './catalog-objects.ts';

const Review = lazyPart(() => import('./review.tsx').then((module) => module.Review));

type ChangesBarProps = {
  readonly steps: readonly Step[];
  readonly planId: string;
  readonly surroundings: Surroundings;
  /** Text about an invalid value that prevents saving. `null` if all values are valid. */
  readonly problem: string | null;
  /** Called when the review opens, to load changes that other users saved. */
  readonly onReview: () => void;
  readonly onDiscard: () => void;
  /** Called after all changes are saved. */
  readonly onDone: () => void;
  /** Called after a command was rejected. Earlier commands took effect. */
  readonly onStopped: () => void;
};

/** Bar at the bottom of the page with the number of unsaved changes, and buttons to review and discard them. */
export function ChangesBar({
  steps,
  planId,
  surroundings,
  problem,
  onReview,
  onDiscard,
  onDone,
  onStopped,
}: ChangesBarProps) {
  const { review: words } = useWords('plan');
  const common = useWords('catalog');
  const [isOpen, setOpen] = useState(false);
  const count = steps.reduce((sum, { lines }) => sum + lines.length, 0);
  useUnsavedWork(steps.length > 0);
  if (steps.length === 0) return null;
  return (
    <StickyBar>
      <Row gap={3}>
        <Text weight="medium">{words.waiting({ count })}</Text>
        {problem !== null && <Text color="warning">{problem}</Text>}
      </Row>
      <Row gap={2}>
        <Button onPress={onDiscard}>{common.verbs.discard}</Button>
        <Button
          kind="primary"
          isDisabled={problem !== null}
          onPress={() => {
            onReview();
            setOpen(true);
          }}
        >
          {words.open}
        </Button>
      </Row>
      {isOpen && (
        <Review
          steps={steps}
          planId={planId}
          surroundings={surroundings}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            onDone();
          }}
          onStopped={onStopped}
        />
      )}
    </StickyBar>
  );
}
