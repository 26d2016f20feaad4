import { Page } from '../kit/page.tsx';
import { PlainButton } from '../kit/plain-button.tsx';
import { useKit } from '../kit/provider.tsx';
import { EmptyState } from '../kit/states.tsx';
import type { shell } from '../words/en/shell.ts';
import { useWords } from '../words/words.ts';

const reload = (): void => location.reload();

/** What stands in place of a page that could not be loaded or drawn. */
export function PageFailed() {
  const words = useWords<typeof shell>('shell').failed;
  const { words: kit } = useKit();
  return (
    <Page title={words.title}>
      <div role="alert">
        <EmptyState title={words.text} action={<PlainButton onPress={reload}>{kit.retry}</PlainButton>} />
      </div>
    </Page>
  );
}
