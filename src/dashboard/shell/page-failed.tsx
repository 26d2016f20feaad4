import { Page } from '../kit/page.tsx';
import { PlainButton } from '../kit/plain-button.tsx';
import { useKit } from '../kit/provider.tsx';
import { EmptyState } from '../kit/states.tsx';
import { useWords } from '../words/words.ts';

const reload = (): void => location.reload();

/** Shown instead of a page that couldn't be loaded or rendered. */
export function PageFailed() {
  const words = useWords('shell').failed;
  const { words: kit } = useKit();
  return (
    <Page title={words.title}>
      <div role="alert">
        <EmptyState title={words.text} action={<PlainButton onPress={reload}>{kit.retry}</PlainButton>} />
      </div>
    </Page>
  );
}
