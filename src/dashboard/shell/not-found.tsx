import { addressOf } from '../address.ts';
import { LinkButton } from '../kit/button.tsx';
import { Page } from '../kit/page.tsx';
import { EmptyState } from '../kit/states.tsx';
import type { shell } from '../words/en/shell.ts';
import type { titles } from '../words/en/titles.ts';
import { useWords } from '../words/words.ts';

/** What stands at addresses without a page. */
export default function NotFound() {
  const words = useWords<typeof shell>('shell').notFound;
  const { notFound } = useWords<typeof titles>('titles');
  return (
    <Page title={notFound}>
      <EmptyState
        title={words.text}
        action={<LinkButton href={addressOf('home')}>{words.home}</LinkButton>}
      />
    </Page>
  );
}
