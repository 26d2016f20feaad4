import { useState } from 'react';
import { Button } from '../../../../kit/button.tsx';
import { useLeaveWarning } from '../../../../kit/form.tsx';
import { Row } from '../../../../kit/layout.tsx';
import { StickyBar } from '../../../../kit/sticky-bar.tsx';
import { Text } from '../../../../kit/text.tsx';
import type { Step } from '../../../../parts/catalog/model/step.ts';
import type { catalog } from '../../../../words/en/catalog.ts';
import type { plan as planWords } from '../../../../words/en/plan.ts';
import { useWords } from '../../../../words/words.ts';
import { Review } from './review.tsx';
import type { Surroundings } from './surroundings.ts';

type ChangesBarProps = {
  readonly steps: readonly Step[];
  readonly planId: string;
  readonly surroundings: Surroundings;
  /** The review begins: what others saved meanwhile should be known by then. */
  readonly onReview: () => void;
  readonly onDiscard: () => void;
  /** Everything was sent. */
  readonly onDone: () => void;
  /** A command was rejected; those before it are done. */
  readonly onStopped: () => void;
};

/** How many changes wait, with the way to review and to discard them. Stays at the bottom of the page. */
export function ChangesBar({
  steps,
  planId,
  surroundings,
  onReview,
  onDiscard,
  onDone,
  onStopped,
}: ChangesBarProps) {
  const { review: words } = useWords<typeof planWords>('plan');
  const common = useWords<typeof catalog>('catalog');
  const [isOpen, setOpen] = useState(false);
  const count = steps.reduce((sum, { lines }) => sum + lines.length, 0);
  useLeaveWarning(steps.length > 0);
  if (steps.length === 0) return null;
  return (
    <StickyBar>
      <Text weight="medium">{words.waiting(count)}</Text>
      <Row gap={2}>
        <Button onPress={onDiscard}>{common.verbs.discard}</Button>
        <Button
          kind="primary"
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
